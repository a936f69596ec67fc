package conn

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordination "k8s.io/api/coordination/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// store has the one Lease of an election.
type store struct {
	mu    sync.Mutex
	lease *coordination.Lease
}

// answer handles a request as the API server does: a PUT of another version is a conflict, and one that changes nothing keeps the
// version.
func (s *store) answer(to http.ResponseWriter, method string, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sent coordination.Lease
	if method != http.MethodGet {
		if err := json.Unmarshal(body, &sent); err != nil {
			to.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	switch {
	case s.lease == nil && method != http.MethodPost:
		to.WriteHeader(http.StatusNotFound)
		return
	case method == http.MethodPut && sent.ResourceVersion != s.lease.ResourceVersion:
		to.WriteHeader(http.StatusConflict)
		return
	case method == http.MethodPut && reflect.DeepEqual(&sent, s.lease):
	case method != http.MethodGet:
		version := 1
		if s.lease != nil {
			version, _ = strconv.Atoi(s.lease.ResourceVersion)
			version++
		}
		sent.ResourceVersion = strconv.Itoa(version)
		s.lease = &sent
	}
	to.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(to).Encode(s.lease)
}

// elect has an elector run until an instant, and its connection stall for ever from 5 s on. It calls Run again whenever that
// returns.
func elect(until time.Duration, change func(*rest.Config)) (*world, func()) {
	w := newWorld()
	w.config = func(c *rest.Config) {
		c.ContentType = "application/json"
		if change != nil {
			change(c)
		}
	}
	var leases store
	w.answer = func(to http.ResponseWriter, from *http.Request, body []byte) { leases.answer(to, from.Method, body) }
	return w, func() {
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		w.at(until, cancel)
		w.at(0, func() {
			for ctx.Err() == nil {
				leaderelection.RunOrDie(ctx, w.elector())
			}
		})
		w.at(5*second, func() { w.all((*link).stall) })
	}
}

// elector is an elector with the timings that Kubernetes' own components have.
func (w *world) elector() leaderelection.LeaderElectionConfig {
	return leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta: meta.ObjectMeta{Name: "lock", Namespace: "default"}, Client: w.clients.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "a"},
		},
		LeaseDuration: 15 * second, RenewDeadline: 10 * second, RetryPeriod: 2 * second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { w.note("elector: leads") },
			OnStoppedLeading: func() { w.note("elector: Run returns") },
		},
	}
}

// A leader whose connection stalls for ever loses its lead, although the service can be reached all the time by a new
// connection. If its client has no timeout, it cannot lead again before the connection is closed: its first attempt to acquire
// the lock, a GET, hangs until then, and is repeated 1 s later.
func TestElection(t *testing.T) {
	w, script := elect(53*second, nil)
	w.run(t, 0, script, `
		0s client: dial 1
		40ms service: GET lock arrives
		60ms service: POST (new) arrives
		72ms elector: leads
		80ms service: PUT lock arrives
		2.1s service: PUT lock arrives
		4.12s service: PUT lock arrives
		16.132s client: sends RST_STREAM and PING on connection 1
		16.132s elector: Run returns
		34.132s client: sends PING on connection 1
		49.132s client: closes connection 1
		50.132s client: dial 2
		50.172s service: GET lock arrives
		50.192s service: PUT lock arrives
		50.204s elector: leads
		50.212s service: PUT lock arrives
		52.232s service: PUT lock arrives
		53s elector: Run returns
	`)
}

// A timeout of the client does not help: the GET that the elector tries at once when its PUT has failed goes to the same
// connection, and so does the next attempt. (resourcelock.NewFromKubeconfig sets RenewDeadline / 2. With that the GET's end and
// that of the poll are at one instant, and whether there is one more attempt then is a race.)
func TestElectionWithTimeout(t *testing.T) {
	w, script := elect(17*second, func(c *rest.Config) { c.Timeout = 4 * second })
	w.run(t, 4*second, script, `
		4.12s service: PUT lock arrives
		10.132s client: sends RST_STREAM and PING on connection 1
		14.132s client: sends RST_STREAM on connection 1
		16.132s client: sends RST_STREAM on connection 1
		16.132s elector: Run returns
		17s client: sends RST_STREAM on connection 1
		17s elector: Run returns
	`)
}

// With HTTP/1.1 it helps: the GET goes to a new connection, and the leader goes on leading.
func TestElectionHTTP1(t *testing.T) {
	w, script := elect(15*second, func(c *rest.Config) {
		c.Timeout = 5 * second
		c.NextProtos = []string{"http/1.1"}
	})
	w.run(t, 4*second, script, `
		4.12s service: PUT lock arrives
		11.132s client: closes connection 1
		11.132s client: dial 2
		11.172s service: GET lock arrives
		11.192s service: PUT lock arrives
		13.212s service: PUT lock arrives
		15s elector: Run returns
	`)
}

// Shorter timeouts of the connection help too: its end fails the PUT early enough.
func TestElectionWithOtherTimeouts(t *testing.T) {
	t.Setenv("HTTP2_READ_IDLE_TIMEOUT_SECONDS", "4")
	t.Setenv("HTTP2_PING_TIMEOUT_SECONDS", "2")
	w, script := elect(13*second, nil)
	w.run(t, 4*second, script, `
		4.12s service: PUT lock arrives
		8.132s client: sends PING on connection 1
		10.132s client: closes connection 1
		10.132s client: dial 2
		10.172s service: GET lock arrives
		10.192s service: PUT lock arrives
		12.212s service: PUT lock arrives
		13s elector: Run returns
	`)
}

// An attempt to acquire has no deadline, and none of its requests a timeout: it goes on when its connection is closed, with the renewTime
// that it began with. So the write on the new connection changes nothing that a follower could see, and the elector begins to lead long
// after the lease that it holds has run out for others (H24).
func TestElectionAcquiring(t *testing.T) {
	w := newWorld()
	w.config = func(c *rest.Config) { c.ContentType = "application/json" }
	type written struct {
		at      time.Duration
		renewed time.Time
		version string // of the Lease, after that
	}
	var leases store
	var writes []written
	w.answer = func(to http.ResponseWriter, from *http.Request, body []byte) {
		if from.Method == http.MethodGet {
			leases.answer(to, from.Method, body)
			return
		}
		if len(writes) == 1 { // it has the lock, and does not know it
			writes = append(writes, written{})
			to.WriteHeader(http.StatusInternalServerError)
			return
		}
		applied := httptest.NewRecorder()
		leases.answer(applied, from.Method, body)
		writes = append(writes, written{time.Since(w.start), leases.lease.Spec.RenewTime.Time, leases.lease.ResourceVersion})
		switch len(writes) {
		case 1:
			to.WriteHeader(http.StatusInternalServerError)
			return
		case 3:
			w.all((*link).stall)
		}
		to.Header().Set("Content-Type", "application/json")
		_, _ = to.Write(applied.Body.Bytes())
	}
	var leads time.Duration
	w.play(t, func() {
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		config := w.elector()
		config.Callbacks.OnStartedLeading = func(context.Context) {
			leads = time.Since(w.start)
			cancel()
		}
		w.at(0, func() { leaderelection.RunOrDie(ctx, config) })
	})
	require.Len(t, writes, 4)
	stalled, last := writes[2], writes[3]
	assert.Equal(t, stalled.renewed, last.renewed)
	assert.Equal(t, stalled.version, last.version, "a follower sees no change")
	assert.Greater(t, last.at-stalled.at, 40*second, "on a new connection")
	assert.Equal(t, last.at+w.response, leads)
	assert.Greater(t, leads-last.renewed.Sub(w.start), w.elector().LeaseDuration)
	assert.Contains(t, w.transcript(0), "client: dial 2")
}
