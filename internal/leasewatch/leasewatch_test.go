package leasewatch

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"interregnum/internal/evidence"
	"interregnum/simlock/fakekube"
)

// site is a server with a Lease that somebody writes.
type site struct {
	server fakekube.Server
	client clientset.Interface
	lease  *coordinationv1.Lease
}

func newSite(t *testing.T) *site {
	s := &site{}
	s.client = clientset.NewForConfigOrDie(s.server.ConfigFor("admin"))
	s.lease = &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "manager"}}
	s.hold("a")
	var err error
	s.lease, err = s.client.CoordinationV1().Leases("shop").Create(t.Context(), s.lease, metav1.CreateOptions{})
	require.NoError(t, err)
	return s
}

func (s *site) hold(holder string) {
	now := metav1.NowMicro()
	s.lease.Spec = coordinationv1.LeaseSpec{HolderIdentity: ptr.To(holder), LeaseDurationSeconds: ptr.To[int32](15), RenewTime: &now, AcquireTime: &now}
}

// write has a holder write the record.
func (s *site) write(t *testing.T, holder string) {
	s.hold(holder)
	var err error
	s.lease, err = s.client.CoordinationV1().Leases("shop").Update(t.Context(), s.lease, metav1.UpdateOptions{})
	require.NoError(t, err)
}

// recorded counts the requests of a client by verb and resource, and keeps the streams of its watches.
type recorded struct {
	next    http.RoundTripper
	mu      sync.Mutex
	all     map[string]int
	streams []io.Closer
}

func (r *recorded) RoundTrip(q *http.Request) (*http.Response, error) {
	a, err := r.next.RoundTrip(q)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[q.Method+" "+q.URL.Path]++
	if err == nil && q.URL.Query().Get("watch") != "" {
		r.streams = append(r.streams, a.Body)
	}
	return a, err
}

// cut ends all streams.
func (r *recorded) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.streams {
		_ = s.Close() // ends the stream in any case
	}
}

// watched runs a watch for so long beside what do does, and returns what it has seen, its metrics in the end, and its requests.
func watched(t *testing.T, s *site, w *Watch, do func(*recorded)) (*Seen, string, map[string]int) {
	config := s.server.ConfigFor("watcher")
	requests := &recorded{next: config.Transport, all: map[string]int{}}
	config.Transport = requests
	w.Config = config
	began := make(chan int, 1)
	w.Began = func(n int) { began <- n }
	var seen *Seen
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		seen, err = w.Run(t.Context())
	}()
	<-began
	synctest.Wait()
	do(requests)
	<-done
	require.NoError(t, err)
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, nil)
	return seen, answer.Body.String(), requests.all
}

// TestWatch: each write of the record is seen once, in order, with the version that it replaced; nothing is asked for but lists and watches.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		start := time.Now()
		seen, metrics, requests := watched(t, s, &Watch{For: time.Minute}, func(*recorded) {
			for range 3 {
				time.Sleep(2 * time.Second)
				s.write(t, "a")
			}
			_, err := s.client.CoreV1().Events("shop").Create(t.Context(), &corev1.Event{
				ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "e"}, Reason: "LeaderElection", Message: "b became leader",
				InvolvedObject: corev1.ObjectReference{Kind: "Lease", Namespace: "shop", Name: "manager"}, LastTimestamp: metav1.Now(),
			}, metav1.CreateOptions{})
			require.NoError(t, err)
			time.Sleep(17 * time.Second)
			s.write(t, "b")
		})
		e := &seen.Evidence
		require.Len(t, e.Requests, 5)
		for i, at := range []time.Duration{0, 2, 4, 6, 23} {
			q := &e.Requests[i]
			assert.Equal(t, start.Add(at*time.Second).UTC(), q.Received)
			assert.Equal(t, evidence.Lock{Resource: "leases", Namespace: "shop", Name: "manager"}, q.Lock)
			if i > 0 {
				assert.Equal(t, e.Requests[i-1].Got, q.Sent)
			}
		}
		assert.Equal(t, "b", e.Requests[4].Wrote.Holder)
		require.Len(t, e.Notices, 1)
		assert.True(t, e.Notices[0].Leads)
		assert.Equal(t, "b", e.Notices[0].Identity)
		for _, line := range []string{
			`interregnum_lease_last_write_seconds{namespace="shop",lease="manager"} 37`, `interregnum_lease_longest_gap_seconds{namespace="shop",lease="manager"} 17`,
			`interregnum_lease_writes_total{namespace="shop",lease="manager"} 5`, `interregnum_lease_transitions_total{namespace="shop",lease="manager"} 1`,
			`interregnum_lease_held{namespace="shop",lease="manager",holder="b"} 1`, `interregnum_lease_duration_seconds{namespace="shop",lease="manager"} 15`,
		} {
			assert.Contains(t, metrics, line+"\n")
		}
		for request := range requests {
			assert.Contains(t, []string{"GET /apis/coordination.k8s.io/v1/leases", "GET /api/v1/events"}, request)
		}
	})
}

// TestWatchBeginsAgain: where the stream ends, what was written meanwhile is seen, and is not said to follow what was seen before.
func TestWatchBeginsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		seen, _, _ := watched(t, s, &Watch{For: time.Minute, Namespace: "shop", Name: "manager"}, func(r *recorded) {
			time.Sleep(2 * time.Second)
			s.write(t, "a")
			synctest.Wait()
			remove := s.server.Inject(fakekube.Fault{User: "watcher", Verb: "list", Status: 503})
			s.server.Compact() // what is written meanwhile is forgotten
			r.cut()
			time.Sleep(2 * time.Second)
			s.write(t, "b")
			s.write(t, "a")
			remove()
			time.Sleep(10 * time.Second)
			s.write(t, "a")
		})
		e := &seen.Evidence
		assert.Positive(t, seen.Interruptions)
		require.Len(t, e.Requests, 4)
		assert.Equal(t, e.Requests[0].Got, e.Requests[1].Sent)
		assert.Empty(t, e.Requests[2].Sent, "versions were missed")
		assert.Equal(t, e.Requests[2].Got, e.Requests[3].Sent)
	})
}

// TestForbidden: permission that is missing is an error, for Leases; events are only said to be missing.
func TestForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.server.Inject(fakekube.Fault{User: "watcher", Resource: "events", Status: 403})
		seen, _, _ := watched(t, s, &Watch{For: time.Second}, func(*recorded) {})
		require.Len(t, seen.Problems, 1)
		assert.Contains(t, seen.Problems[0], "events were not watched: ")
		s.server.Inject(fakekube.Fault{User: "watcher", Status: 403})
		w := &Watch{For: time.Second, Config: s.server.ConfigFor("watcher")}
		_, err := w.Run(context.Background())
		assert.Error(t, err)
		slow := newSite(t)
		slow.server.Inject(fakekube.Fault{User: "watcher", Response: 2 * time.Second})
		w = &Watch{For: time.Second, Config: slow.server.ConfigFor("watcher")}
		_, err = w.Run(context.Background())
		assert.ErrorContains(t, err, "the watch was over before the server had listed its leases")
		time.Sleep(time.Minute) // what the server still answers
	})
}

// TestHostileNames: names are quoted as Prometheus' text format has it.
func TestHostileNames(t *testing.T) {
	w := &Watch{locks: map[evidence.Lock]*lock{{Resource: "leases", Namespace: "n", Name: "l"}: {record: evidence.Record{Holder: "a\"} 1\nx{\\\xff"}, writes: 1}}}
	assert.Contains(t, w.text(), `interregnum_lease_held{namespace="n",lease="l",holder="a\"} 1\nx{\\`+"\uFFFD"+`"} 1`+"\n")
	assert.Equal(t, 1, strings.Count(w.text(), "holder="))
}

// TestRefusedLater: once it has watched, it goes on asking where it is refused, as when a token has expired, and tells what it saw before. It says from when on
// it saw nothing.
func TestRefusedLater(t *testing.T) {
	for name, renewed := range map[string]bool{"the token is replaced": true, "it is not": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t)
				w := &Watch{For: time.Minute}
				seen, _, _ := watched(t, s, w, func(r *recorded) {
					time.Sleep(2 * time.Second)
					s.write(t, "a")
					synctest.Wait()
					assert.Contains(t, w.text(), "interregnum_watch_up 1\n")
					remove := s.server.Inject(fakekube.Fault{User: "watcher", Status: 401})
					r.cut()
					time.Sleep(10 * time.Second)
					assert.Contains(t, w.text(), "interregnum_watch_up 0\n")
					if renewed {
						remove()
						time.Sleep(2 * time.Second)
						assert.Contains(t, w.text(), "interregnum_watch_up 1\n")
					}
					s.write(t, "b")
				})
				if !renewed {
					require.Len(t, seen.Evidence.Requests, 2)
					assert.Zero(t, seen.Interruptions)
					require.Len(t, seen.Problems, 2)
					assert.Len(t, seen.Evidence.Sources[0].Notes, 1)
					for _, p := range seen.Problems {
						assert.Regexp(t, `^(leases|events) were not watched from 2000-01-01T00:00:02Z on: .*[Uu]nauthorized`, p)
					}
					return
				}
				require.Len(t, seen.Evidence.Requests, 3)
				assert.Empty(t, seen.Problems)
				assert.Equal(t, 1, seen.Interruptions)
			})
		})
	}
}

// TestListAlone: who may list and not watch is told so.
func TestListAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.server.Inject(fakekube.Fault{User: "watcher", Verb: "watch", Status: 403})
		seen, _, _ := watched(t, s, &Watch{For: time.Minute}, func(*recorded) {})
		require.Len(t, seen.Problems, 2)
		assert.Regexp(t, "were not watched from .* on: ", seen.Problems[0])
	})
}

// TestDeletedUnseen: a Lease that was deleted while the watch did not look has no metrics.
func TestDeletedUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		_, metrics, _ := watched(t, s, &Watch{For: time.Minute}, func(r *recorded) {
			r.cut()
			require.NoError(t, s.client.CoordinationV1().Leases("shop").Delete(t.Context(), "manager", metav1.DeleteOptions{}))
		})
		assert.NotContains(t, metrics, `lease="manager"`)
	})
}
