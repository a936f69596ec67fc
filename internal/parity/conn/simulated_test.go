package conn

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
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
	"interregnum/internal/few"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// one returns a plan of one candidate, without faults, and what draws its times.
func one(seed, of uint64) (*plan.Plan, *rand.Rand) {
	d := rand.New(rand.NewPCG(seed, of))
	retry := between(d, second, 5*second)
	renew := between(d, 2*retry, 60*second)
	p := &plan.Plan{Horizon: 300 * second, Network: plan.Network{Request: plan.Delay{Min: 20 * ms, Max: 20 * ms}}}
	p.Candidates = []plan.Candidate{{
		ID: "a", Lock: plan.Lease, Profile: machine.ClientGo, Client: &plan.Client{Retries: true}, Rejoin: new(time.Duration),
		Timings: machine.Timings{LeaseDuration: (renew + 2*second).Truncate(second), RenewDeadline: renew, RetryPeriod: retry},
	}}
	return p, d
}

// between draws a time from low to high.
func between(d *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(d.Int64N(int64(high-low)))
}

// stalling returns a plan of one candidate whose connection stalls now and then: for ever, or for less time than its
// RenewDeadline. Without a timeout it gives up no request that arrives later: whether such a one is applied is a race in the
// service. Its first attempt to acquire the lock always succeeds in the end, so that nothing is left to chance.
func stalling(seed uint64) *plan.Plan {
	p, d := one(seed, 45)
	renew := p.Candidates[0].RenewDeadline
	for at := between(d, second, 60*second); at < 250*second; at += between(d, second, 90*second) {
		f := plan.Fault{Kind: plan.FaultStall, At: at}
		if d.IntN(2) == 0 {
			f.Until = new(at + between(d, ms, renew))
			at = *f.Until
		} else {
			at += 50 * second // so that there is another connection when the next one begins
		}
		p.Faults = append(p.Faults, f)
	}
	return p
}

// resetting returns a plan of one candidate whose connection is reset now and then: while it is open, while it stalls, and
// again soon after. Each stall lasts for ever or is cut short by a reset, so that nothing which was sent during it ever arrives.
func resetting(seed uint64) *plan.Plan {
	p, d := one(seed, 104)
	p.Candidates[0].Timings.RenewDeadline = between(d, 10*second, 60*second)
	p.Candidates[0].LeaseDuration = (p.Candidates[0].RenewDeadline + 2*second).Truncate(second)
	reset := func(at time.Duration) { p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultReset, At: at}) }
	for at := between(d, second, 30*second); at < 250*second; at += between(d, ms, 40*second) {
		switch d.IntN(4) {
		case 0: // for ever: the client closes the connection
			p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultStall, At: at})
			at += 50 * second
		case 1: // which would end after the reset, or never; the client has not closed the connection yet
			f := plan.Fault{Kind: plan.FaultStall, At: at}
			at += between(d, ms, 35*second)
			if d.IntN(2) == 0 {
				f.Until = new(at + between(d, ms, 30*second))
			}
			p.Faults = append(p.Faults, f)
			reset(at)
		default:
			reset(at)
			if d.IntN(2) == 0 { // again, perhaps while a GET waits to be repeated or is in flight
				at += between(d, ms, 1100*ms)
				reset(at)
			}
		}
	}
	return p
}

// cutting returns a plan of one candidate that is cut off now and then: for so long that its client closes the connection, and
// dials in vain; or while it sends nothing, so that no more than a ping is lost, if that. Nothing that is sent meanwhile ever arrives,
// neither here nor there.
func cutting(seed uint64) *plan.Plan {
	p, d := one(seed, 139)
	c := &p.Candidates[0]
	if d.IntN(2) == 0 { // so long that whole pings fit between two attempts
		c.RetryPeriod = between(d, 20*second, 60*second)
	}
	c.RenewDeadline = between(d, 100*second, 400*second)
	c.LeaseDuration = (c.RenewDeadline + 2*second).Truncate(second)
	p.Horizon = 600 * second
	for at := between(d, second, 60*second); at < 500*second; at += between(d, second, 90*second) {
		f := plan.Fault{Kind: []plan.FaultKind{plan.FaultPartition, plan.FaultOutage, plan.FaultLose}[d.IntN(3)], At: at}
		if d.IntN(2) == 0 {
			at += between(d, 80*second, 150*second)
		} else {
			at += between(d, ms, 44*second)
		}
		f.Until = new(at)
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
	plan            *plan.Plan
	givenUp         map[uint64]bool
	underWay, raced bool
	leads           bool
	// deaf: the service carries out whatever arrives, given up or not.
	deaf bool
	// getAt is when the attempt's GET was first sent; repeating: it was lost with its connection, and waits to be sent again.
	getAt     int64
	repeating bool
	// again is how often the request of the present call was sent again, as it was lost so or as its answer asked for that (waitsOut).
	again    int
	waitsOut bool
	// waits: an attempt to acquire has failed, if nothing more is asked for at this instant.
	waits bool
	// spare: a request over HTTP/1.1 was given up before its dial was answered, so that the real client may have more than one
	// connection from now on. dials: a request was given up since the last answer, so that the next one dials.
	spare, dials bool
	// done is when the last request was over, or Run began.
	done int64
}

func (s *simulated) Observe(e *trace.Event) {
	at := time.Duration(e.At)
	s.waits = s.waitsAfter(e)
	switch e.Kind {
	case trace.RunStarted:
		s.done = e.At
	case trace.RequestHeld:
		s.calls(e, 0)
		s.done, s.waitsOut = e.At+e.Amount, s.waitsOut || e.Status != 0
	case trace.LocalError:
		s.raced, s.waitsOut = s.raced || !s.leads, false // the attempt fails
	case trace.RequestSent:
		s.underWay = true
		s.calls(e, s.plan.Candidates[0].Client.Dial)
		s.sentIn(e)
		s.repeats(e)
	case trace.ResponseHandled:
		s.underWay, s.done, s.dials = false, e.At, false
	case trace.FaultBegan:
		f := &s.plan.Faults[e.Fault]
		s.raced = s.raced || (s.underWay || s.spare) && (f.Kind == plan.FaultStall || f.Cuts())
	case trace.GaveUp:
		s.givenUp[e.Request], s.underWay, s.done = true, false, e.At
		s.spare, s.dials = s.spare || s.dials && s.plan.Candidates[0].Client.HTTP1 && s.plan.Faults[0].Cuts(), true
		s.repeating = e.Cause == trace.ConnectionLost && e.Verb == trace.Verb(machine.Get) && s.again < plan.MaxRetries
		if f := s.plan.Faults; len(f) > 0 && f[0].Cuts() || s.plan.Candidates[0].Client.HTTP1 && !s.repeating {
			s.raced = s.raced || !s.leads // the attempt fails, and the wait before the next one has a random part
		}
	case trace.RequestApplied, trace.Written:
		if s.givenUp[e.Request] && !s.deaf {
			s.raced = s.raced || e.Kind == trace.Written
			return
		}
		s.add(at, e.Verb.String())
	case trace.RequestRefused:
		if s.deaf || !s.givenUp[e.Request] {
			s.add(at, fmt.Sprintf("refuses %s: %d", e.Verb, e.Status))
		}
	case trace.WorkStarted:
		s.leads = true
		s.add(at, "leads")
	case trace.Stopped:
		s.leads = false
		s.add(at, "stops")
	}
}

// waitsAfter returns what s.waits is after the event.
func (s *simulated) waitsAfter(e *trace.Event) bool {
	switch e.Kind {
	case trace.ResponseHandled, trace.GaveUp, trace.LocalError:
		return !s.leads
	case trace.RequestHeld, trace.RequestSent, trace.WorkStarted:
		return false
	}
	return s.waits
}

// calls notes that the candidate asks for something, which comes no later after the last answer than that without a wait in between. An attempt to
// acquire that comes later follows one that has failed, and the wait between them has a random part.
func (s *simulated) calls(e *trace.Event, within time.Duration) {
	s.raced = s.raced || !s.leads && !s.repeating && e.At-s.done > int64(within)
}

// repeats notes that a request was sent. Where a GET was to be sent again and its timeout came first, this is another attempt, after
// a wait that has a random part.
func (s *simulated) repeats(e *trace.Event) {
	timeout := int64(s.plan.Candidates[0].RequestTimeout)
	late := s.repeating && timeout > 0 && e.At-s.getAt >= timeout
	s.raced = s.raced || late && !s.leads
	if e.Verb == trace.Verb(machine.Get) && (late || !s.repeating) {
		s.getAt = e.At
	}
	s.again++
	if !s.repeating && !s.waitsOut {
		s.again = 0
	}
	s.repeating, s.waitsOut = false, false
}

// sentIn notes that a request was sent. Where the candidate is cut off for a short time only, the real network keeps it back, and
// the simulated one loses it. Soon after that it is behind a ping that was kept back.
func (s *simulated) sentIn(e *trace.Event) {
	for i := range s.plan.Faults {
		f := &s.plan.Faults[i]
		if f.Cuts() && e.At >= int64(f.At) && e.At < int64(*f.Until+s.plan.Network.Request.Min) && *f.Until-f.At < plan.LongestStall {
			s.raced = true
		}
	}
}

// really runs the plan with the real library, client and connection. All that takes time is the service, and a ping that a partition
// kept back.
func really(t *testing.T, p *plan.Plan, deaf bool) (h happened) {
	w := newWorld()
	w.deaf = deaf
	var mu sync.Mutex
	var over atomic.Bool
	tell := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		if !over.Load() {
			h.add(time.Since(w.start), what)
		}
	}
	w.request, w.response, w.think, w.connects = 0, 0, p.Network.Request.Min+p.Network.Response.Min, p.Candidates[0].Client.Dial
	w.config = func(c *rest.Config) {
		client := p.Candidates[0].Client
		c.ContentType, c.QPS, c.Timeout = "application/json", -1, p.Candidates[0].RequestTimeout
		if client.Limits() {
			c.QPS, c.Burst = float32(client.QPS), client.Burst
		}
		if client.HTTP1 {
			c.NextProtos = []string{"http/1.1"}
		}
	}
	var leases store
	verbs := map[string]string{http.MethodGet: "get", http.MethodPost: "create", http.MethodPut: "update"}
	w.answer = func(to http.ResponseWriter, from *http.Request, body []byte) {
		refused := refusalAt(p, time.Since(w.start))
		if refused == nil || refused.Applied {
			tell(verbs[from.Method])
		}
		if refused == nil {
			leases.answer(to, from.Method, body)
			return
		}
		if refused.Applied {
			leases.answer(httptest.NewRecorder(), from.Method, body)
		}
		status, after := refused.Answer()
		tell(fmt.Sprintf("refuses %s: %d", verbs[from.Method], status))
		if after != nil {
			to.Header().Set("Retry-After", strconv.Itoa(int(*after/second)))
		}
		to.WriteHeader(status)
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
				switch {
				case f.Kind == plan.FaultThrottle, f.Kind == plan.FaultError:
					return // see answer
				case f.Kind == plan.FaultReset:
					l.reset()
					return
				case f.Kind == plan.FaultFrame:
					if l.carries() {
						w.readElsewhere(t)
					}
					return
				case f.Cuts():
					w.dialling(silent)
					defer w.dialling(connected)
					w.all((*link).stall)
				}
				if p.Network.Response.Min > 0 {
					l.up.hold() // an answer that is on its way arrives
					return
				}
				l.stall()
				if f.Until != nil {
					time.Sleep(*f.Until - f.At)
					switch {
					case !f.Cuts():
						l.resume()
					case *f.Until-f.At < plan.LongestStall:
						w.all(func(l *link) {
							l.up.release(p.Network.Request.Min) // a request that takes so long in the service takes so long on the simulated network
							l.down.release(0)
						})
					}
				}
			})
		}
	})
	return h
}

// elsewhere is the path of a request that is answered at once, and about which nothing is told.
const elsewhere = "/elsewhere"

// readElsewhere has the client send a request on its connection that takes no token, as an event of a watch does not, and read the answer.
func (w *world) readElsewhere(t *testing.T) {
	answer, err := w.clients.Discovery().RESTClient().(*rest.RESTClient).Client.Get("https://" + host + elsewhere)
	if assert.NoError(t, err) {
		assert.NoError(t, answer.Body.Close())
	}
}

// last returns the connection that was made last.
func (n *network) last() *link {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.links[len(n.links)-1]
}

// TestSimulated: the simulated connection does what the real one does, to the nanosecond, when it stalls.
func TestSimulated(t *testing.T) { compared(t, 60, 40, stalling, false) }

// TestSimulatedResets: and when it is reset. What is in flight then the service has got, and carries out.
func TestSimulatedResets(t *testing.T) { compared(t, 60, 40, resetting, true) }

// TestSimulatedPartitions: and when nothing gets through: it is closed for lack of a ping's answer, and the next one is dialled in
// vain, for 30 s.
func TestSimulatedPartitions(t *testing.T) {
	assert.Equal(t, 1, compareFrom(t, 1_795_877_869, 1, cutting, false), "a ping whose answer is late, and another that is not answered")
	compared(t, 500, 50, cutting, false)
}

// TestPingBeforeAnAnswer: an answer that is on its way when a ping is sent does not stand for the ping's own answer. If that never comes,
// the connection is closed 15 s after the ping, and so sooner than that after the answer was read.
func TestPingBeforeAnAnswer(t *testing.T) {
	p, _ := one(1, 1)
	p.Network = plan.Network{Response: plan.Delay{Min: 20 * ms, Max: 20 * ms}}
	p.Candidates[0].Timings = machine.Timings{LeaseDuration: 100 * second, RenewDeadline: 60 * second, RetryPeriod: 29_990 * ms}
	p.Faults = []plan.Fault{{Kind: plan.FaultStall, At: 30_055 * ms}} // the ping is sent at 30.06 s, and the answer read at 30.07 s
	s := simulated{plan: p, givenUp: map[uint64]bool{}}
	_, err := sim.Run(p, &s)
	require.NoError(t, err)
	// The connection was closed at 45.06 s, so that the next request, of 60.06 s, dials. Here the service takes the 20 ms that answers take there.
	assert.Equal(t, []string{"1m0.08s update", "1m30.09s update"}, []string(really(t, p, false)[5:7]))
	assert.Equal(t, []string{"1m0.06s update", "1m30.07s update"}, []string(s.happened[5:7]))
}

// TestFrame: what else is read on the connection puts off the ping, and so the closing of the connection.
func TestFrame(t *testing.T) {
	closed := func(read ...time.Duration) (simulation, real []string) {
		p, _ := one(1, 1)
		p.Horizon, p.Network = 4*time.Minute, plan.Network{}
		p.Candidates[0].Timings = machine.Timings{LeaseDuration: 200 * second, RenewDeadline: 120 * second, RetryPeriod: 10 * second}
		for _, at := range read {
			p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultFrame, At: at})
		}
		p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultStall, At: 9 * second})
		s := simulated{plan: p, givenUp: map[uint64]bool{}}
		_, err := sim.Run(p, &s)
		require.NoError(t, err)
		return s.happened, really(t, p, false)
	}
	for name, c := range map[string]struct {
		read []time.Duration
		next time.Duration // as the connection is closed under a write, a read follows at once
	}{"nothing": {nil, 45 * second}, "something": {[]time.Duration{7 * second}, 52 * second}, "twice": {[]time.Duration{3 * second, 8 * second}, 53 * second}} {
		simulation, real := closed(c.read...)
		assert.Equal(t, real, simulation, name)
		assert.Contains(t, simulation, c.next.String()+" get", name)
	}
}

// TestSimulatedDials: and when a new connection takes its time.
func TestSimulatedDials(t *testing.T) {
	dialling := func(seed uint64) *plan.Plan {
		p := stalling(seed)
		_, d := one(seed, 7)
		p.Candidates[0].Client.Dial = between(d, ms, 100*ms)
		return p
	}
	compared(t, 60, 40, dialling, false)
}

// TestSimulatedHTTP1: and with HTTP/1.1: a request that is given up ends its connection, which nothing else does but a reset; then a GET
// is sent again at once, if its connection had served before.
func TestSimulatedHTTP1(t *testing.T) {
	t.Run("left to chance: a timeout before a GET is sent again", func(t *testing.T) {
		assert.Zero(t, compareFrom(t, 1_795_657_433, 1, overHTTP1(resettingSlowly), true))
	})
	t.Run("left to chance: an earlier write makes an attempt to acquire fail", func(t *testing.T) {
		assert.Zero(t, compareFrom(t, 1_795_900_743, 1, overHTTP1(resettingSlowly), true))
	})
	t.Run("stalls", func(t *testing.T) { compared(t, 200, 40, overHTTP1(stalling), false) })
	t.Run("resets", func(t *testing.T) { // all: a GET that is sent again too late shows in few of them
		assert.Greater(t, compareFrom(t, 0, 200, overHTTP1(resettingSlowly), true), 40)
	})
	t.Run("partitions", func(t *testing.T) { compared(t, 500, 60, overHTTP1(cuttingSeldom), false) })
}

var (
	fresh = flag.Uint64("conn.plans", 0, "how many fresh plans of each sort to draw over HTTP/1.1, and a tenth of that over HTTP/2")
	first = flag.Uint64("conn.seed", 1_000_000, "the seed of the first of them")
)

// TestFreshHTTP1 compares plans over HTTP/1.1 that nobody has seen: go test ./internal/parity/conn -run FreshHTTP1 -conn.plans 5000
// -conn.seed N.
func TestFreshHTTP1(t *testing.T) {
	compareFrom(t, *first, *fresh, overHTTP1(stalling), false)
	compareFrom(t, *first, *fresh, overHTTP1(resettingSlowly), true)
	compareFrom(t, *first, *fresh, overHTTP1(cuttingSeldom), false)
}

// TestFreshHTTP2 does the same over HTTP/2, with a tenth of the plans of each sort.
func TestFreshHTTP2(t *testing.T) {
	compareFrom(t, *first, *fresh/10, stalling, false)
	compareFrom(t, *first, *fresh/10, resetting, true)
	compareFrom(t, *first, *fresh/10, cutting, false)
	compareFrom(t, *first, *fresh/10, timed(stalling), false)
	compareFrom(t, *first, *fresh/10, timed(resetting), true)
	compareFrom(t, *first, *fresh/10, timed(cutting), false)
	compareFrom(t, *first, *fresh/10, reading(refusing(stalling)), false)
	compareFrom(t, *first, *fresh/10, reading(refusing(resetting)), true)
	compareFrom(t, *first, *fresh/10, reading(refusing(cutting)), false)
	compareFrom(t, *first, *fresh/10, reading(refusing(timed(stalling))), false)
	compareFrom(t, *first, *fresh/10, reading(refusing(timed(resetting))), true)
	compareFrom(t, *first, *fresh/10, reading(refusing(timed(cutting))), false)
}

// overHTTP1 returns plans with HTTP/1.1 and a request timeout: without one a lost request waits for ever.
func overHTTP1(draw func(uint64) *plan.Plan) func(uint64) *plan.Plan {
	return func(seed uint64) *plan.Plan {
		p := draw(seed)
		_, d := one(seed, 11)
		c := &p.Candidates[0]
		c.Client.HTTP1, c.RequestTimeout = true, between(d, second, 2*c.RenewDeadline)
		return p
	}
}

// resettingSlowly is resetting with answers that take so long that some resets come while a GET is answered.
func resettingSlowly(seed uint64) *plan.Plan {
	p := resetting(seed)
	p.Network.Request = plan.Delay{Min: 700 * ms, Max: 700 * ms}
	p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultReset, At: 300 * ms})
	return p
}

// cuttingSeldom is cutting with three partitions at most, so that fewer plans are left to chance.
func cuttingSeldom(seed uint64) *plan.Plan {
	p := cutting(seed)
	p.Faults = p.Faults[:min(len(p.Faults), 1+int(seed%3))]
	return p
}

// compared compares so many plans, or a quarter of them. In more than atLeast of them, or a quarter of that, nothing may be left to chance.
func compared(t *testing.T, plans, atLeast int, draw func(seed uint64) *plan.Plan, deaf bool) {
	assert.Greater(t, compareFrom(t, 0, uint64(few.Of(plans)), draw, deaf), atLeast*few.Of(plans)/plans)
}

// compareFrom compares plans from that seed on, and returns how many: those in which nothing is left to chance.
func compareFrom(t *testing.T, from, plans uint64, draw func(seed uint64) *plan.Plan, deaf bool) (compared int) {
	for seed := from; seed < from+plans; seed++ {
		p := draw(seed)
		s := simulated{plan: p, givenUp: map[uint64]bool{}, deaf: deaf}
		_, err := sim.Run(p, &s)
		require.NoError(t, err)
		if s.raced || s.waits && !s.repeating {
			continue
		}
		compared++
		if !assert.Equal(t, s.happened, really(t, p, deaf), "seed %d", seed) {
			return compared
		}
	}
	t.Logf("%d of %d plans compared", compared, plans)
	return compared
}
