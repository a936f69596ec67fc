package calibrate

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"

	"interregnum/simlock/fakekube"
)

// world is a server with one Lease, and the requests of a probe to it.
type world struct {
	server fakekube.Server
	leases func() []coordinationv1.Lease

	mu       sync.Mutex
	requests []string
	// answers may change what comes back.
	answers func(*http.Request, *http.Response, error) (*http.Response, error)
}

func newWorld(t *testing.T) *world {
	w := &world{}
	all := clientset.NewForConfigOrDie(w.server.ConfigFor("admin")).CoordinationV1()
	_, err := all.Leases("kube-system").Create(t.Context(),
		&coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "theirs"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	w.leases = func() []coordinationv1.Lease {
		list, err := all.Leases("").List(context.Background(), metav1.ListOptions{})
		require.NoError(t, err)
		return list.Items
	}
	return w
}

func (w *world) probe() *Probe {
	config := w.server.ConfigFor("probe")
	next := config.Transport
	config.Transport = roundTripper(func(q *http.Request) (*http.Response, error) {
		w.mu.Lock()
		w.requests = append(w.requests, q.Method+" "+q.URL.RequestURI())
		w.mu.Unlock()
		a, err := next.RoundTrip(q)
		if w.answers != nil {
			return w.answers(q, a, err)
		}
		return a, err
	})
	return &Probe{Config: config, For: 10 * time.Second, Interval: time.Second, Timeout: 5 * time.Second}
}

// methods returns how often each method was used on a path that contains part.
func (w *world) methods(part string) map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := map[string]int{}
	for _, q := range w.requests {
		if method, path, _ := strings.Cut(q, " "); strings.Contains(path, part) {
			n[method]++
		}
	}
	return n
}

func named(all []Series, name string) Series {
	i := slices.IndexFunc(all, func(s Series) bool { return s.Name == name })
	if i < 0 {
		return Series{}
	}
	return all[i]
}

// TestProbeReads: nothing is written, and what is measured is the delay that there was, to the nanosecond.
func TestProbeReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		before := w.leases()
		w.server.Inject(fakekube.Fault{User: "probe", Verb: "get", Request: 3 * time.Millisecond, Response: 4 * time.Millisecond})
		w.server.Inject(fakekube.Fault{User: "probe", Verb: "get", Response: 700*time.Millisecond + 1, Times: 1})
		p := w.probe()
		p.Chosen = func(namespace, name string) { assert.Equal(t, "kube-system/theirs", namespace+"/"+name) }
		live, err := p.Run(t.Context())
		require.NoError(t, err)
		all := live.All()
		assert.Equal(t, int64(10), all.Count)
		assert.Equal(t, 700*time.Millisecond+1, all.Max)
		assert.InDelta(t, 7*time.Millisecond, all.P50, float64(10*time.Microsecond))
		assert.Equal(t, all.Max, all.P999)
		assert.Equal(t, 10*time.Second, live.Lasted)
		assert.False(t, live.Interrupted)
		assert.Empty(t, live.Failed())
		assert.Nil(t, live.Offset)
		assert.Equal(t, map[string]int{"GET": 11}, w.methods(""), "one to list, ten to measure")
		assert.Equal(t, before, w.leases())
	})
}

// TestProbeWrites: only the own Lease is touched, and it is gone in the end.
func TestProbeWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		before := w.leases()
		w.server.Inject(fakekube.Fault{User: "probe", Verb: "update", Response: 20 * time.Millisecond})
		p := w.probe()
		p.Namespace, p.Write = "kube-system", true
		live, err := p.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, int64(1), named(live.Answered(), "create").Count)
		assert.Equal(t, int64(10), named(live.Answered(), "get").Count)
		assert.Equal(t, int64(10), named(live.Answered(), "update").Count)
		assert.Equal(t, 20*time.Millisecond, live.All().Max)
		assert.Empty(t, live.Refused())
		assert.Equal(t, before, w.leases())
		assert.Equal(t, map[string]int{"POST": 1, "GET": 10, "PUT": 10, "DELETE": 1}, w.methods(""))
		assert.Empty(t, w.methods("theirs"))
		assert.Regexp(t, "^simulate-calibrate-[a-z0-9]{26}$", live.Name)
		assert.Equal(t, map[string]int{"GET": 10, "PUT": 10, "DELETE": 1}, w.methods("/kube-system/leases/"+live.Name))
	})
}

// TestProbeInterrupted: wherever the interruption comes, the own Lease is deleted, and at once.
func TestProbeInterrupted(t *testing.T) {
	for _, after := range []time.Duration{
		0, 50 * time.Millisecond, 150 * time.Millisecond, 250 * time.Millisecond, 350 * time.Millisecond, 3 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			before := w.leases()
			w.server.Inject(fakekube.Fault{User: "probe", Request: 50 * time.Millisecond, Response: 50 * time.Millisecond})
			ctx, cancel := context.WithTimeout(t.Context(), after)
			defer cancel()
			p := w.probe()
			p.Namespace, p.Write = "default", true
			live, err := p.Run(ctx)
			require.NoError(t, err, after)
			assert.True(t, live.Interrupted, after)
			assert.LessOrEqual(t, live.Lasted, max(after, 100*time.Millisecond)+100*time.Millisecond)
			assert.Empty(t, live.Failed(), after)
			time.Sleep(time.Minute) // what nobody waited for has arrived
			assert.Equal(t, before, w.leases(), after)
		})
	}
}

// TestProbeFailures: each is counted under its name, and none among the answers.
func TestProbeFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		n := 0
		w.answers = func(q *http.Request, a *http.Response, err error) (*http.Response, error) {
			if n++; n == 5 {
				return nil, errors.New("connection refused")
			}
			return a, err
		}
		p := w.probe()
		p.Namespace, p.Name, p.For = "kube-system", "theirs", 20*time.Second
		inject := func(f fakekube.Fault) { f.User, f.Times = "probe", 1; w.server.Inject(f) }
		inject(fakekube.Fault{LoseResponse: true})
		inject(fakekube.Fault{Status: http.StatusGatewayTimeout, Response: 2 * time.Second})
		inject(fakekube.Fault{Status: http.StatusNotFound})
		inject(fakekube.Fault{})
		live, err := p.Run(t.Context())
		require.NoError(t, err)
		failed := map[string]int64{}
		for _, s := range live.Failed() {
			failed[s.Name] = s.Count
		}
		assert.Equal(t, map[string]int64{"504 Gateway Timeout": 1, "connection": 1, Timeout: 1}, failed)
		assert.Equal(t, 5*time.Second, named(live.Failed(), Timeout).Max)
		assert.Equal(t, int64(1), named(live.Refused(), "404 Not Found").Count)
		assert.Zero(t, live.All().Max)
	})
}

// TestProbeRefused: where nothing can be measured, the error says what would help, and nothing is left behind.
func TestProbeRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault fakekube.Fault
		write bool
		lease string
		want  string
	}{
		{"list", fakekube.Fault{Verb: "list", Status: 403}, false, "",
			"may not list leases in namespace default: name one with --namespace and --lease, or have RBAC allow the verb list"},
		{"get", fakekube.Fault{Verb: "get", Status: 403}, false, "x",
			"may not get the Lease default/x: have RBAC allow the verb get on leases of coordination.k8s.io"},
		{"create", fakekube.Fault{Verb: "create", Status: 403}, true, "", "have RBAC allow the verb create"},
		{"update", fakekube.Fault{Verb: "update", Status: 403}, true, "", "have RBAC allow the verb update"},
		{"unknown", fakekube.Fault{Status: 401}, false, "x", "want other credentials"},
		{"none", fakekube.Fault{Verb: "watch"}, false, "", "there is no Lease to read: want one, or --write"},
		{"missing", fakekube.Fault{Verb: "watch"}, false, "x", "cannot get the Lease default/x: want one that exists, or --write"},
		{"ailing", fakekube.Fault{Status: 503}, false, "x", "cannot get the Lease default/x: "},
		{"silent", fakekube.Fault{LoseRequest: true}, false, "x", "no answer within 5s"},
		{"late create", fakekube.Fault{Verb: "create", Response: 9 * time.Second}, true, "", "no answer within 5s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				before := w.leases()
				c.fault.User = "probe"
				w.server.Inject(c.fault)
				p := w.probe()
				p.Namespace, p.Name, p.Write = "default", c.lease, c.write
				_, err := p.Run(t.Context())
				require.ErrorContains(t, err, c.want)
				time.Sleep(time.Minute)
				assert.Equal(t, before, w.leases())
			})
		})
	}
}

// TestProbeCannotDelete: the error names the Lease that is left, and says how to delete it.
func TestProbeCannotDelete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.server.Inject(fakekube.Fault{User: "probe", Verb: "delete", Status: 500})
		p := w.probe()
		p.Namespace, p.Write = "default", true
		live, err := p.Run(t.Context())
		require.ErrorContains(t, err, "'kubectl delete lease --namespace default "+live.Name+"'")
		assert.Equal(t, int64(21), live.All().Count)
		assert.Equal(t, map[string]int{"DELETE": 3, "GET": 10, "PUT": 10}, w.methods(live.Name))
	})
}

// TestProbeClockOffset: whole seconds narrow down to what a round trip allows, around the true offset.
func TestProbeClockOffset(t *testing.T) {
	const ahead = 3*time.Second + 250*time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.server.Inject(fakekube.Fault{User: "probe", Request: 20 * time.Millisecond})
		w.answers = func(_ *http.Request, a *http.Response, err error) (*http.Response, error) {
			if err == nil {
				a.Header.Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
			}
			return a, err
		}
		p := w.probe()
		p.Interval = 170 * time.Millisecond
		live, err := p.Run(t.Context())
		require.NoError(t, err)
		require.NotNil(t, live.Offset)
		assert.LessOrEqual(t, live.Offset.Least, ahead)
		assert.GreaterOrEqual(t, live.Offset.Most, ahead)
		assert.Less(t, live.Offset.Most-live.Offset.Least, 60*time.Millisecond)
	})
}
