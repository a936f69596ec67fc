package gatetest

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// NotYet is a time that has not come.
const NotYet = time.Duration(-1)

// Watch is what an adversary sees of a run.
type Watch struct {
	// Started is when each candidate's last Run began. Requests, Freezes, Cancels and Rates are of each candidate; Terms are of all.
	Started  []time.Duration
	Requests [][]Sending
	Freezes  [][]Stretch
	Cancels  [][]time.Duration
	Rates    [][]Turn
	Terms    []Stretch
	// Course is who wrote, by turns: small letters hold the lock and capitals release it.
	Course string

	horizon time.Duration
	called  []call // the last call of each that waited in the limiter
	// awaited returns when the watching ends, as far as the run shows it, and ends is what it returned last; NotYet if that is not known.
	awaited func(*Watch) time.Duration
	ends    time.Duration
}

// Sending is one request.
type Sending struct {
	Sent, Arrived, Handled time.Duration
	Refused, Applied       bool
	// Answered: its answer was not lost.
	Answered bool
	id       uint64
	// called is when the candidate made it: before Sent if it waited in the limiter.
	called time.Duration
	// failed: its answer is an error.
	failed bool
	verb   trace.Verb
}

// call is when a request was made.
type call struct {
	id uint64
	at time.Duration
}

// Stretch is a time from one instant to another, of a candidate and, where it is work, a term.
type Stretch struct {
	Who, term int32
	From, To  time.Duration
}

// Turn is a change of a clock's rate.
type Turn struct {
	At  time.Duration
	PPM int64
}

// worlds are those in which no scenario is running.
var worlds = sync.Pool{New: func() any { return &sim.Runner{NoHash: true} }}

// Watched runs a scenario.
func Watched(t require.TestingT, s *scenarios.Scenario) *Watch {
	w := &Watch{}
	w.Until(t, s, func(*Watch) time.Duration { return NotYet })
	return w
}

// enough is what a watch panics with that has seen what it was to see.
type enough struct{}

// Until runs a scenario until the instant that awaited returns is over, or to its horizon if that stays NotYet. It calls awaited after each
// event that awaited may be about: the start of a run, a request, an answer. The watch forgets what it has seen before; it keeps the memory
// for requests, most of which are those of the run before where what is awaited depends on them.
func (w *Watch) Until(t require.TestingT, s *scenarios.Scenario, awaited func(*Watch) time.Duration) {
	n, before := len(s.Candidates), w.Requests
	*w = Watch{
		horizon: s.Horizon, Started: make([]time.Duration, n), Requests: make([][]Sending, n), called: make([]call, n),
		Freezes: make([][]Stretch, n), Cancels: make([][]time.Duration, n), Rates: make([][]Turn, n), awaited: awaited, ends: NotYet,
	}
	for i := range w.Started {
		w.Started[i] = NotYet
	}
	for i := range before {
		w.Requests[i] = before[i][:0]
	}
	world := worlds.Get().(*sim.Runner)
	require.NoError(t, w.follow(world, &s.Plan))
	worlds.Put(world)
}

// follow runs a plan until the watch has seen enough.
func (w *Watch) follow(world *sim.Runner, p *plan.Plan) (err error) {
	defer func() {
		if why := recover(); why != nil && why != (enough{}) {
			panic(why)
		}
	}()
	_, err = world.Run(p, w)
	return err
}

// Observe takes in an event.
func (w *Watch) Observe(e *trace.Event) {
	at, c := time.Duration(e.At), e.Candidate
	if w.ends != NotYet && at > w.ends {
		panic(enough{})
	}
	switch e.Kind {
	case trace.RunStarted:
		w.Started[c] = at
		w.ends = w.awaited(w)
	case trace.RequestHeld:
		if w.called[c].id != e.Request {
			w.called[c] = call{e.Request, at}
		}
	case trace.RequestSent:
		called := at
		if w.called[c].id == e.Request {
			called = w.called[c].at
		}
		w.Requests[c] = append(w.Requests[c], Sending{
			id: e.Request, called: called, Sent: at, Arrived: NotYet, Handled: NotYet, Answered: true, verb: e.Verb,
		})
		w.ends = w.awaited(w)
	case trace.RequestApplied, trace.Written:
		r := w.request(e)
		r.Arrived, r.Applied = at, true
		if e.Kind == trace.Written {
			w.wrote(byte(c), e.Holder == "")
		}
	case trace.RequestRefused:
		r := w.request(e)
		r.Arrived, r.Refused = at, true
	case trace.ResponseLost:
		w.request(e).Answered = false
	case trace.ResponseHandled:
		r := w.request(e)
		r.Handled, r.failed = at, e.Status >= 400
		w.ends = w.awaited(w)
	case trace.CancelAsked:
		w.Cancels[c] = append(w.Cancels[c], at)
	case trace.Paused:
		w.Freezes[c] = append(w.Freezes[c], Stretch{Who: c, From: at, To: w.horizon})
	case trace.Resumed:
		w.Freezes[c][len(w.Freezes[c])-1].To = at
	case trace.ClockChanged:
		w.Rates[c] = append(w.Rates[c], Turn{at, int64(e.Rate)})
	case trace.WorkStarted:
		w.Terms = append(w.Terms, Stretch{c, e.Term, at, w.horizon})
	case trace.WorkEnded:
		for i := range w.Terms {
			if w.Terms[i].Who == c && w.Terms[i].term == e.Term {
				w.Terms[i].To = at
			}
		}
	}
}

func (w *Watch) wrote(who byte, released bool) {
	letter := 'a' + who
	if released {
		letter = 'A' + who
	}
	if n := len(w.Course); n == 0 || n < 8 && w.Course[n-1] != letter {
		w.Course += string(rune(letter))
	}
}

func (w *Watch) request(e *trace.Event) *Sending {
	all := w.Requests[e.Candidate]
	for i := len(all) - 1; ; i-- {
		if all[i].id == e.Request {
			return &all[i]
		}
	}
}

// Score is the longest time for which two candidates' work runs at once or, negative, the shortest between them.
func (w *Watch) Score() time.Duration {
	best := -w.horizon
	for i, a := range w.Terms {
		for _, b := range w.Terms[:i] {
			if a.Who != b.Who {
				best = max(best, min(a.To, b.To)-max(a.From, b.From))
			}
		}
	}
	return best
}

// Outside tells what in a run is not within an environment, "" where all is. What no fault of a scenario here does, like
// a crash or a jump of a clock, is not looked for.
func (w *Watch) Outside(s *scenarios.Scenario, e *bound.Environment) string {
	if d := s.Service.DriftPPM; max(d, -d) > e.MaxDriftPPM {
		return fmt.Sprintf("the service's clock drifts by %d", d)
	}
	if d := w.ahead(s); d > e.MaxClockOffset+50*time.Microsecond && byCallers(s) {
		return fmt.Sprintf("wall clocks differ by %v", d)
	}
	for c := range s.Candidates {
		if s.Candidates[c].Drain != e.Drain {
			return fmt.Sprintf("%d drains for %v", c, s.Candidates[c].Drain)
		}
		for _, r := range w.Requests[c] {
			if r.Arrived-r.Sent > e.MaxRoundTrip+Tiny {
				return fmt.Sprintf("request %d of %d takes %v to arrive", r.id, c, r.Arrived-r.Sent)
			}
			if r.verb != trace.Watch && r.Handled-r.Sent-w.Frozen(c, r.Sent, r.Handled) > e.MaxRoundTrip+Tiny {
				return fmt.Sprintf("request %d of %d takes %v", r.id, c, r.Handled-r.Sent)
			}
		}
		if p := w.mostFrozen(c); p > e.MaxPause+Tiny {
			return fmt.Sprintf("%d is frozen for %v", c, p)
		}
		rates := append([]Turn{{0, s.Candidates[c].Clock.DriftPPM}}, w.Rates[c]...)
		for _, r := range rates {
			if max(r.PPM, -r.PPM) > e.MaxDriftPPM {
				return fmt.Sprintf("clock of %d drifts by %d", c, r.PPM)
			}
		}
	}
	return ""
}

// Tiny is what the messages of a witness take where they take no time at all. What has to wait for them may be frozen for as little.
const Tiny = 80 * time.Nanosecond

// Frozen is how long a candidate is frozen between two instants.
func (w *Watch) Frozen(c int, from, to time.Duration) (sum time.Duration) {
	for _, f := range w.Freezes[c] {
		sum += max(0, min(f.To, to)-max(f.From, from))
	}
	return sum
}

// mostFrozen is how long a candidate is frozen, at most, from the beginning of an attempt that wins or renews its lease to that of the
// second next one. It takes an attempt to begin with the first of requests that follow each other at once, and to end the time before no
// sooner than with its write, or with a Get just before that.
func (w *Watch) mostFrozen(c int) (most time.Duration) {
	var from [2]time.Duration
	begins := time.Duration(0)
	for i, r := range w.Requests[c] {
		ends := r.called
		if i > 0 && r.called == w.Requests[c][i-1].Handled && w.Requests[c][i-1].verb == trace.Verb(machine.Get) {
			ends = w.Requests[c][i-1].called
		}
		if i == 0 || r.called > w.Requests[c][i-1].Handled || w.Requests[c][i-1].won() {
			begins = r.called
		}
		if r.won() {
			most = max(most, w.Frozen(c, from[0], ends))
			from = [2]time.Duration{from[1], begins}
		}
	}
	return max(most, w.Frozen(c, from[0], w.horizon))
}

// won is whether a request has won or renewed a lease.
func (r *Sending) won() bool {
	write := r.verb == trace.Verb(machine.Create) || r.verb == trace.Verb(machine.Update)
	return write && r.Applied && !r.Refused && r.Answered && r.Handled != NotYet && !r.failed
}

// byCallers is whether the wall clocks of candidates decide.
func byCallers(s *scenarios.Scenario) bool {
	return s.Candidates[0].Lock.ByCaller(s.Candidates[0].Now)
}

// ahead is by how much that differs by which wall clocks are ahead of true time, where a request that arrives tells it.
func (w *Watch) ahead(s *scenarios.Scenario) time.Duration {
	least, most := time.Duration(math.MaxInt64), time.Duration(math.MinInt64)
	for c := range s.Candidates {
		clock := s.Candidates[c].Clock
		for _, r := range w.Requests[c] {
			if r.Arrived == NotYet || r.verb == trace.Verb(machine.Resign) {
				continue // no statement that comes about by its time
			}
			offset, since, ppm := clock.Offset, time.Duration(0), clock.DriftPPM
			for _, turn := range w.Rates[c] {
				if turn.At <= r.Sent {
					offset += bound.Local(turn.At-since, ppm) - (turn.At - since)
					since, ppm = turn.At, turn.PPM
				}
			}
			offset += bound.Local(r.Sent-since, ppm) - (r.Sent - since)
			least, most = min(least, offset), max(most, offset)
		}
	}
	return most - least
}

// Overlap returns the overlap that a run of s shows.
func Overlap(t require.TestingT, s *scenarios.Scenario) time.Duration {
	r, err := scenarios.Run(s, scenarios.Options{Brief: true})
	require.NoError(t, err)
	for i := range r.Properties {
		if r.Properties[i].Name == check.SingleWork {
			return time.Duration(r.Properties[i].OverlapNs)
		}
	}
	return 0
}

// Always returns a delay that is the same for every message.
func Always(d time.Duration) scenarios.Delay { return scenarios.Delay{Min: d, Max: d} }
