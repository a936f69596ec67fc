package conn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// stalling returns a plan of one candidate whose connection stalls now and then: for ever, or for less time than its
// RenewDeadline. Without a timeout it gives up no request that arrives later: whether such a one is applied is a race in the
// service. Its first attempt to acquire the lock always succeeds in the end, so that nothing is left to chance.
func stalling(seed uint64) *plan.Plan {
	d := rand.New(rand.NewPCG(seed, 45))
	between := func(low, high time.Duration) time.Duration { return low + time.Duration(d.Int64N(int64(high-low))) }
	retry := between(second, 5*second)
	renew := between(2*retry, 60*second)
	p := &plan.Plan{Horizon: 300 * second, Network: plan.Network{Request: plan.Delay{Min: 20 * ms, Max: 20 * ms}}}
	p.Candidates = []plan.Candidate{{
		ID: "a", Lock: plan.Lease, Profile: machine.ClientGo, Client: &plan.Client{Retries: true}, Rejoin: new(time.Duration),
		Timings: machine.Timings{LeaseDuration: (renew + 2*second).Truncate(second), RenewDeadline: renew, RetryPeriod: retry},
	}}
	for at := between(second, 60*second); at < 250*second; at += between(second, 90*second) {
		f := plan.Fault{Kind: plan.FaultStall, At: at}
		if d.IntN(2) == 0 {
			f.Until = new(at + between(ms, renew))
			at = *f.Until
		} else {
			at += 50 * second // so that there is another connection when the next one begins
		}
		p.Faults = append(p.Faults, f)
	}
	return p
}

// happened is when the service carried out which request, and when the work of each term began and ended.
type happened []string

func (h *happened) add(at time.Duration, what string) {
	*h = append(*h, fmt.Sprintf("%v %s", at, what))
}

// simulated is what happened in a simulated run, without requests that were given up before they arrived: whether the service
// carries them out is a race in the real one. raced: one of them has changed the lock; or a stall began while a request was under
// way, where the real service has sent a WINDOW_UPDATE for its body by then and the simulated one has not.
type simulated struct {
	happened
	givenUp         map[uint64]bool
	underWay, raced bool
}

func (s *simulated) Observe(e *trace.Event) {
	at := time.Duration(e.At)
	switch e.Kind {
	case trace.RequestSent:
		s.underWay = true
	case trace.ResponseHandled:
		s.underWay = false
	case trace.FaultBegan:
		s.raced = s.raced || s.underWay
	case trace.GaveUp:
		s.givenUp[e.Request], s.underWay = true, false
	case trace.RequestApplied, trace.Written:
		if s.givenUp[e.Request] {
			s.raced = s.raced || e.Kind == trace.Written
			return
		}
		s.add(at, e.Verb.String())
	case trace.WorkStarted:
		s.add(at, "leads")
	case trace.Stopped:
		s.add(at, "stops")
	}
}

// really runs the plan with the real library, client and connection. All that takes time is the service.
func really(t *testing.T, p *plan.Plan) (h happened) {
	w := newWorld()
	var mu sync.Mutex
	var over atomic.Bool
	tell := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		if !over.Load() {
			h.add(time.Since(w.start), what)
		}
	}
	w.request, w.response, w.think = 0, 0, p.Network.Request.Min
	w.config = func(c *rest.Config) { c.ContentType, c.QPS = "application/json", -1 }
	var leases store
	verbs := map[string]string{http.MethodGet: "get", http.MethodPost: "create", http.MethodPut: "update"}
	w.answer = func(to http.ResponseWriter, from *http.Request, body []byte) {
		tell(verbs[from.Method])
		leases.answer(to, from.Method, body)
	}
	c := &p.Candidates[0]
	w.play(t, func() {
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		w.at(p.Horizon, func() {
			over.Store(true) // what comes of the end is no part of the run
			cancel()
		})
		config := w.elector()
		config.LeaseDuration, config.RenewDeadline, config.RetryPeriod = c.LeaseDuration, c.RenewDeadline, c.RetryPeriod
		config.Callbacks = leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { tell("leads") },
			OnStoppedLeading: func() { tell("stops") },
		}
		w.at(0, func() {
			for ctx.Err() == nil {
				leaderelection.RunOrDie(ctx, config)
			}
		})
		for i := range p.Faults {
			f := &p.Faults[i]
			w.at(f.At, func() {
				l := w.last()
				l.stall()
				if f.Until != nil {
					time.Sleep(*f.Until - f.At)
					l.resume()
				}
			})
		}
	})
	return h
}

// last returns the connection that was made last.
func (n *network) last() *link {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.links[len(n.links)-1]
}

// TestSimulated: the simulated connection does what the real one does, to the nanosecond.
func TestSimulated(t *testing.T) {
	compared := 0
	for seed := range uint64(60) {
		p := stalling(seed)
		s := simulated{givenUp: map[uint64]bool{}}
		_, err := sim.Run(p, &s)
		require.NoError(t, err)
		if s.raced {
			continue
		}
		compared++
		if !assert.Equal(t, s.happened, really(t, p), "seed %d", seed) {
			return
		}
	}
	assert.Greater(t, compared, 40)
}
