package gate

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// notYet is a time that has not come.
const notYet = time.Duration(-1)

// watch is what an adversary sees of a run: every candidate's requests and freezes, and all terms.
type watch struct {
	horizon  time.Duration
	started  []time.Duration
	requests [][]sending
	called   []call // the last call of each that waited in the limiter
	freezes  [][]stretch
	cancels  [][]time.Duration
	rates    [][]turn
	terms    []stretch
	// awaited are the moves of which the first ends the watching, and ends is when that is to be made; notYet if that is not known.
	awaited []*move
	ends    time.Duration
	// course is who wrote, by turns: small letters hold the lock and capitals release it.
	course string
}

// sending is one request.
type sending struct {
	id                     uint64
	sent, arrived, handled time.Duration
	// called is when the candidate made it: before sent if it waited in the limiter.
	called           time.Duration
	refused, applied bool
	// failed: its answer is an error.
	failed bool
	verb   trace.Verb
	// answered: its answer was not lost.
	answered bool
}

// call is when a request was made.
type call struct {
	id uint64
	at time.Duration
}

// stretch is a time from one instant to another, of a candidate and, where it is work, a term.
type stretch struct {
	who, term int32
	from, to  time.Duration
}

// turn is a change of a clock's rate.
type turn struct {
	at  time.Duration
	ppm int64
}

// worlds are those in which no scenario is running.
var worlds = sync.Pool{New: func() any { return &sim.Runner{NoHash: true} }}

// watched runs a scenario.
func watched(t require.TestingT, s *scenarios.Scenario) *watch {
	w := &watch{}
	w.until(t, s, nil)
	return w
}

// enough is what a watch panics with that has seen what it was to see.
type enough struct{}

// until runs a scenario until the instant of the first of some moves is over, or to its horizon if there is none. The watch forgets what it
// has seen before; it keeps the memory for requests, most of which are those of the run before where moves are tied to them.
func (w *watch) until(t require.TestingT, s *scenarios.Scenario, moves []*move) {
	n, before := len(s.Candidates), w.requests
	*w = watch{
		horizon: s.Horizon, started: make([]time.Duration, n), requests: make([][]sending, n), called: make([]call, n),
		freezes: make([][]stretch, n), cancels: make([][]time.Duration, n), rates: make([][]turn, n), awaited: moves, ends: notYet,
	}
	for i := range w.started {
		w.started[i] = notYet
	}
	for i := range before {
		w.requests[i] = before[i][:0]
	}
	world := worlds.Get().(*sim.Runner)
	require.NoError(t, w.follow(world, &s.Plan))
	worlds.Put(world)
}

// follow runs a plan until the watch has seen enough.
func (w *watch) follow(world *sim.Runner, p *plan.Plan) (err error) {
	defer func() {
		if why := recover(); why != nil && why != (enough{}) {
			panic(why)
		}
	}()
	_, err = world.Run(p, w)
	return err
}

// first is when the first of some moves is to be made; notYet if that is not known.
func (w *watch) first(moves []*move) time.Duration {
	first := notYet
	for _, m := range moves {
		if at := m.anchor(w); at != notYet && (first == notYet || at < first) {
			first = at
		}
	}
	return first
}

// Observe takes in an event.
func (w *watch) Observe(e *trace.Event) {
	at, c := time.Duration(e.At), e.Candidate
	if w.ends != notYet && at > w.ends {
		panic(enough{})
	}
	switch e.Kind {
	case trace.RunStarted:
		w.started[c] = at
		w.ends = w.first(w.awaited)
	case trace.RequestHeld:
		if w.called[c].id != e.Request {
			w.called[c] = call{e.Request, at}
		}
	case trace.RequestSent:
		called := at
		if w.called[c].id == e.Request {
			called = w.called[c].at
		}
		w.requests[c] = append(w.requests[c], sending{
			id: e.Request, called: called, sent: at, arrived: notYet, handled: notYet, answered: true, verb: e.Verb,
		})
		w.ends = w.first(w.awaited)
	case trace.RequestApplied, trace.Written:
		r := w.request(e)
		r.arrived, r.applied = at, true
		if e.Kind == trace.Written {
			w.wrote(byte(c), e.Holder == "")
		}
	case trace.RequestRefused:
		r := w.request(e)
		r.arrived, r.refused = at, true
	case trace.ResponseLost:
		w.request(e).answered = false
	case trace.ResponseHandled:
		r := w.request(e)
		r.handled, r.failed = at, e.Status >= 400
		w.ends = w.first(w.awaited)
	case trace.CancelAsked:
		w.cancels[c] = append(w.cancels[c], at)
	case trace.Paused:
		w.freezes[c] = append(w.freezes[c], stretch{who: c, from: at, to: w.horizon})
	case trace.Resumed:
		w.freezes[c][len(w.freezes[c])-1].to = at
	case trace.ClockChanged:
		w.rates[c] = append(w.rates[c], turn{at, int64(e.Rate)})
	case trace.WorkStarted:
		w.terms = append(w.terms, stretch{c, e.Term, at, w.horizon})
	case trace.WorkEnded:
		for i := range w.terms {
			if w.terms[i].who == c && w.terms[i].term == e.Term {
				w.terms[i].to = at
			}
		}
	}
}

func (w *watch) wrote(who byte, released bool) {
	letter := 'a' + who
	if released {
		letter = 'A' + who
	}
	if n := len(w.course); n == 0 || n < 8 && w.course[n-1] != letter {
		w.course += string(rune(letter))
	}
}

func (w *watch) request(e *trace.Event) *sending {
	all := w.requests[e.Candidate]
	for i := len(all) - 1; ; i-- {
		if all[i].id == e.Request {
			return &all[i]
		}
	}
}

// score is the longest time for which two candidates' work runs at once or, negative, the shortest between them.
func (w *watch) score() time.Duration {
	best := -w.horizon
	for i, a := range w.terms {
		for _, b := range w.terms[:i] {
			if a.who != b.who {
				best = max(best, min(a.to, b.to)-max(a.from, b.from))
			}
		}
	}
	return best
}

// outside tells what in a run is not within an environment, "" where all is. What no fault of a scenario here does, like
// a crash or a jump of a clock, is not looked for.
func (w *watch) outside(s *scenarios.Scenario, e *bound.Environment) string {
	if d := s.Service.DriftPPM; max(d, -d) > e.MaxDriftPPM {
		return fmt.Sprintf("the service's clock drifts by %d", d)
	}
	if d := w.ahead(s); d > e.MaxClockOffset+50*time.Microsecond && byCallers(s) {
		return fmt.Sprintf("wall clocks differ by %v", d)
	}
	for c := range s.Candidates {
		if s.Candidates[c].Drain > e.Drain {
			return fmt.Sprintf("%d drains for %v", c, s.Candidates[c].Drain)
		}
		for _, r := range w.requests[c] {
			if r.arrived-r.sent > e.MaxRoundTrip+tiny {
				return fmt.Sprintf("request %d of %d takes %v to arrive", r.id, c, r.arrived-r.sent)
			}
			if r.verb != trace.Watch && r.handled-r.sent-w.frozen(c, r.sent, r.handled) > e.MaxRoundTrip+tiny {
				return fmt.Sprintf("request %d of %d takes %v", r.id, c, r.handled-r.sent)
			}
		}
		if p := w.mostFrozen(c); p > e.MaxPause+tiny {
			return fmt.Sprintf("%d is frozen for %v", c, p)
		}
		rates := append([]turn{{0, s.Candidates[c].Clock.DriftPPM}}, w.rates[c]...)
		for _, r := range rates {
			if max(r.ppm, -r.ppm) > e.MaxDriftPPM {
				return fmt.Sprintf("clock of %d drifts by %d", c, r.ppm)
			}
		}
	}
	return ""
}

// tiny is what messages of no time at all take: see shortestLeg. What has to wait for them may be frozen for as little.
const tiny = 4 * shortestLeg

// frozen is how long a candidate is frozen between two instants.
func (w *watch) frozen(c int, from, to time.Duration) (sum time.Duration) {
	for _, f := range w.freezes[c] {
		sum += max(0, min(f.to, to)-max(f.from, from))
	}
	return sum
}

// mostFrozen is how long a candidate is frozen, at most, from the beginning of an attempt that wins or renews its lease to that of the
// second next one. It takes an attempt to begin with the first of requests that follow each other at once, and to end the time before no
// sooner than with its write, or with a Get just before that.
func (w *watch) mostFrozen(c int) (most time.Duration) {
	var from [2]time.Duration
	begins := time.Duration(0)
	for i, r := range w.requests[c] {
		ends := r.called
		if i > 0 && r.called == w.requests[c][i-1].handled && w.requests[c][i-1].verb == trace.Verb(machine.Get) {
			ends = w.requests[c][i-1].called
		}
		if i == 0 || r.called > w.requests[c][i-1].handled || w.requests[c][i-1].won() {
			begins = r.called
		}
		if r.won() {
			most = max(most, w.frozen(c, from[0], ends))
			from = [2]time.Duration{from[1], begins}
		}
	}
	return max(most, w.frozen(c, from[0], w.horizon))
}

// won is whether a request has won or renewed a lease.
func (r *sending) won() bool {
	write := r.verb == trace.Verb(machine.Create) || r.verb == trace.Verb(machine.Update)
	return write && r.applied && !r.refused && r.answered && r.handled != notYet && !r.failed
}

// byCallers is whether the wall clocks of candidates decide.
func byCallers(s *scenarios.Scenario) bool {
	return s.Candidates[0].Lock.ByCaller(s.Candidates[0].Now)
}

// ahead is by how much that differs by which wall clocks are ahead of true time, where a request that arrives tells it.
func (w *watch) ahead(s *scenarios.Scenario) time.Duration {
	least, most := time.Duration(math.MaxInt64), time.Duration(math.MinInt64)
	for c := range s.Candidates {
		clock := s.Candidates[c].Clock
		for _, r := range w.requests[c] {
			if r.arrived == notYet || r.verb == trace.Verb(machine.Resign) {
				continue // no statement that comes about by its time
			}
			offset, since, ppm := clock.Offset, time.Duration(0), clock.DriftPPM
			for _, turn := range w.rates[c] {
				if turn.at <= r.sent {
					offset += bound.Local(turn.at-since, ppm) - (turn.at - since)
					since, ppm = turn.at, turn.ppm
				}
			}
			offset += bound.Local(r.sent-since, ppm) - (r.sent - since)
			least, most = min(least, offset), max(most, offset)
		}
	}
	return most - least
}
