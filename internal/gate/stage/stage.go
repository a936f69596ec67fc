package stage

import (
	"cmp"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// stage is a scenario in the making. Its actors do what was computed, to within a few nanoseconds. The faults that make them do
// so are in force only around their messages.
type stage struct {
	s   *scenarios.Scenario
	cfg *bound.Config
	env *bound.Environment
	// own is the client of every candidate, without other traffic; nil where a candidate has none.
	own *plan.Client
	// leg is how long the network takes one way. near is how long before an instant a fault at that instant begins, and how long
	// after it that fault ends. Both are in true time.
	leg, near time.Duration
	others
	// sooner has values for others.early to try: with each of them one more request of other traffic perhaps comes, or a call
	// waits for longer.
	sooner []time.Duration
}

// others says when other traffic comes in a witness. The zero value lets it come just before every call that it can have wait.
type others struct {
	// quiet has one bit for each call that other traffic can have wait, the lowest bit for the first call. If the bit is set, no
	// other traffic comes before that call, so that more can come later.
	quiet uint
	// early is how long before a call that finds a full bucket one request of other traffic comes; 0 for none. later is how many
	// such calls are passed over before: with 0 it is the first one that counts.
	early time.Duration
	later int
}

// The lengths, in true time, with which a stage works.
const (
	// longestLeg keeps far below a millisecond what a plan loses to the network.
	longestLeg = 10 * time.Microsecond
	// shortestLeg keeps the messages of one instant apart: even where round trips take no time, one takes twice that.
	shortestLeg = 20 * time.Nanosecond
	// slack is how long before a deadline an answer is handled: the deadline would go first at the same instant.
	slack = 100 * time.Nanosecond
)

// newStage returns a stage without candidates and faults. Its network has legs that fit the configuration and the environment. If
// c's client adds nothing to round trips, the stage computes without it; see bound.Unhindered. Its candidates connect at once.
func newStage(c *bound.Config, e *bound.Environment) *stage {
	own := c.Client.Clone()
	switch {
	case own == nil:
	case c.Profile.CountsFromRenewal(): // whose worst case has no waits
		alone := *c
		alone.Client, own = nil, nil
		c = &alone
	default:
		own.Dial = 0
	}
	c, e = bound.Unhindered(c, e)
	leg := min(longestLeg, e.MaxRoundTrip/8)
	if c.RequestTimeout > 0 {
		leg = min(leg, c.RequestTimeout/8)
	}
	if c.RetryPeriod < time.Second {
		leg = min(leg, (time.Second-c.RetryPeriod)/32) // acquiring and renewing have to fit into one second
	}
	leg = max(leg, shortestLeg)
	s := &stage{s: &scenarios.Scenario{Plan: scenarios.Plan{Seed: 1}}, cfg: c, env: e, own: own, leg: leg}
	s.shorten(leg)
	return s
}

// shorten makes the legs of the network no longer than most. Faults then reach as much less beyond their instants.
func (s *stage) shorten(most time.Duration) {
	s.leg = min(s.leg, most)
	s.near = s.leg / 2
	s.s.Network = scenarios.Network{Request: always(s.leg), Response: always(s.leg)}
}

// always returns a delay that is the same for every message.
func always(d time.Duration) scenarios.Delay { return scenarios.Delay{Min: d, Max: d} }

// candidate adds to the scenario a candidate with the configuration that is judged. It starts at startAt, in true time. jitter is
// the draw for all its jittered waits; clock has the offset and the drift with which its clocks begin.
func (s *stage) candidate(id string, startAt time.Duration, jitter float64, clock scenarios.Clock) {
	s.s.Candidates = append(s.s.Candidates, scenarios.Candidate{
		ID: id, Profile: s.cfg.Profile, Lock: s.lock(), Now: s.cfg.Now, Precision: s.cfg.Precision, Timings: s.cfg.Timings,
		ReleaseOnCancel: s.cfg.ReleaseOnCancel, RequestTimeout: s.cfg.RequestTimeout, Client: s.own.Clone(),
		Jitter: &jitter, Drain: s.env.Drain, StartAt: startAt, Clock: clock,
	})
}

// lock returns the kind of lock that is judged, a Lease if the configuration says none.
func (s *stage) lock() plan.Lock { return cmp.Or(s.cfg.Lock, plan.Lease) }

// fault sets At, Until and On of f, and adds it to the scenario, as a fault on the one candidate with the ID on. It is in force
// from s.near before the instant from until s.near after the instant to, in true time, but not before 0.
func (s *stage) fault(f scenarios.Fault, on string, from, to time.Duration) {
	f.At, f.On = max(0, from-s.near), []string{on}
	until := to + s.near
	f.Until = &until
	s.s.Faults = append(s.s.Faults, f)
}

// rate adds a fault that sets the drift of the clock of the candidate with the ID on, in parts per million, at the true time
// given as at. It adds nothing if the environment has no drift.
func (s *stage) rate(on string, at time.Duration, driftPPM int64) {
	if s.env.MaxDriftPPM == 0 {
		return
	}
	s.s.Faults = append(s.s.Faults, scenarios.Fault{
		Kind: plan.FaultClock, At: at, On: []string{on}, DriftPPM: &driftPPM,
	})
}

// pause adds a freeze, of length d, of the candidate with the ID on. The freeze begins s.near before the instant that is given as
// before; if it would be over by then, half of d before that instant. pause returns when the candidate wakes up. All are in true time. If d
// is 0 or less, it adds nothing, and returns the given instant.
func (s *stage) pause(on string, before, d time.Duration) (until time.Duration) {
	if d <= 0 {
		return before
	}
	early := s.near
	if d <= early {
		early = d / 2
	}
	at := before - early
	until = at + d
	s.s.Faults = append(s.s.Faults, scenarios.Fault{
		Kind: plan.FaultPause, At: at, Until: &until, On: []string{on},
	})
	return until
}

// cutOff adds a fault that loses all messages of the candidate with the ID on, in true time: from s.near before the instant from
// until s.near after the instant to.
func (s *stage) cutOff(on string, from, to time.Duration) {
	s.fault(scenarios.Fault{Kind: plan.FaultPartition}, on, from, to)
}

// finish adds a freeze, of length pause, of the candidate with the ID on, just before the instant end, when the context of its
// work would end. It returns when the work is over, with that freeze and the drain. All are in true time. It adds no freeze if
// pause is 0 or less.
func (s *stage) finish(on string, end, pause time.Duration) time.Duration {
	s.pause(on, end, pause)
	return end + pause + s.env.Drain
}

// errorOn returns a fault that answers requests of that verb with status 500; verb 0 is every request. applied says whether such
// a request takes effect all the same.
func errorOn(v machine.Verb, applied bool) scenarios.Fault {
	return scenarios.Fault{Kind: plan.FaultError, Verb: v, Status: 500, Applied: applied}
}
