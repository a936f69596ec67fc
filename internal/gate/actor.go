package gate

import (
	"cmp"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// stage is a scenario in the making. Its actors do what is computed of them, to the nanosecond or two, and the faults
// that make them are put where their messages are.
type stage struct {
	s   *scenarios.Scenario
	cfg *bound.Config
	env *bound.Environment
	// leg is how long the network takes one way, and near how close to an instant a fault begins and ends.
	leg, near time.Duration
}

// actor is a leader to be, at an instant of its life.
type actor struct {
	*stage
	id string
	// now is the true time; local the reading of its clock, which runs driftPPM fast since an instant.
	now, local          time.Duration
	driftPPM            int64
	since, sinceOnClock time.Duration
	// polled is what its clock showed as its last poll began, ticking as the poll's ticker started, and observed as it last saw a new record.
	polled, ticking, observed time.Duration
}

const (
	// longestLeg keeps what a plan loses to the network far below a millisecond.
	longestLeg = 10 * time.Microsecond
	// shortestLeg keeps the messages of one instant apart: even where round trips take no time, one takes twice that.
	shortestLeg = 20 * time.Nanosecond
	// slack is kept from deadlines, which go before answers of the same instant.
	slack = 100 * time.Nanosecond
)

func newStage(c *bound.Config, e *bound.Environment) *stage {
	leg := min(longestLeg, e.MaxRoundTrip/8)
	if c.RequestTimeout > 0 {
		leg = min(leg, c.RequestTimeout/8)
	}
	if c.RetryPeriod < time.Second {
		leg = min(leg, (time.Second-c.RetryPeriod)/32) // acquiring and renewing have to fit into one second
	}
	leg = max(leg, shortestLeg)
	return &stage{
		s: &scenarios.Scenario{Plan: scenarios.Plan{
			Seed: 1, Network: scenarios.Network{Request: always(leg), Response: always(leg)},
		}},
		cfg: c, env: e, leg: leg, near: leg / 2,
	}
}

// always returns a delay that is the same for every message.
func always(d time.Duration) scenarios.Delay { return scenarios.Delay{Min: d, Max: d} }

// candidate adds a candidate with the configuration that is judged.
func (s *stage) candidate(id string, startAt time.Duration, jitter float64, clock scenarios.Clock) {
	s.s.Candidates = append(s.s.Candidates, scenarios.Candidate{
		ID: id, Profile: s.cfg.Profile, Lock: s.lock(), Now: s.cfg.Now, Precision: s.cfg.Precision, Timings: s.cfg.Timings,
		ReleaseOnCancel: s.cfg.ReleaseOnCancel, RequestTimeout: s.cfg.RequestTimeout,
		Jitter: &jitter, Drain: s.env.Drain, StartAt: startAt, Clock: clock,
	})
}

// lock returns the kind of lock that is judged.
func (s *stage) lock() plan.Lock { return cmp.Or(s.cfg.Lock, plan.Lease) }

// fault adds a fault on a candidate that lasts from one instant to another, both included.
func (s *stage) fault(f scenarios.Fault, on string, from, to time.Duration) {
	f.At, f.On = max(0, from-s.near), []string{on}
	until := to + s.near
	f.Until = &until
	s.s.Faults = append(s.s.Faults, f)
}

// rate changes the drift of a candidate's clock.
func (s *stage) rate(on string, at time.Duration, driftPPM int64) {
	if s.env.MaxDriftPPM == 0 {
		return
	}
	s.s.Faults = append(s.s.Faults, scenarios.Fault{
		Kind: plan.FaultClock, At: at, On: []string{on}, DriftPPM: &driftPPM,
	})
}

// pause freezes a candidate for so long, from just before an instant, and returns when it wakes.
func (s *stage) pause(on string, before, d time.Duration) (until time.Duration) {
	if d <= 0 {
		return before
	}
	at := before - s.near
	until = at + d
	s.s.Faults = append(s.s.Faults, scenarios.Fault{
		Kind: plan.FaultPause, At: at, Until: &until, On: []string{on},
	})
	return until
}

// wait lets time pass until the first nanosecond at which the candidate's clock has gone on by that much.
func (a *actor) wait(local time.Duration) {
	a.local += local
	goal := a.local - a.sinceOnClock
	passed := bound.True(goal, a.driftPPM)
	if bound.Local(passed, a.driftPPM) < goal {
		passed++
	}
	a.pass(a.since + passed - a.now)
}

// pass lets that much true time pass.
func (a *actor) pass(d time.Duration) {
	a.now += d
	a.local = a.sinceOnClock + bound.Local(a.now-a.since, a.driftPPM)
}

// setRate changes the clock from now on.
func (a *actor) setRate(driftPPM int64) {
	if driftPPM != a.driftPPM {
		a.rate(a.id, a.now, driftPPM)
		a.driftPPM, a.since, a.sinceOnClock = driftPPM, a.now, a.local
	}
}

// trip is one round trip without a fault.
func (a *actor) trip() time.Duration { return 2 * a.leg }

// outcome is what becomes of a request.
type outcome uint8

const (
	answered outcome = iota
	// refused is an error in place of the operation, and hidden one after it; conflict is a hidden one that says 409.
	refused
	hidden
	conflict
	// lost never arrives, and unheard is applied.
	lost
	unheard
)

// request adds the faults with which the candidate's next request ends that way after so long, in true time, lets that time pass, and returns when
// the request arrives. A lost answer takes the client's timeout; what is longer than that is a wait in the client's limiter before.
func (a *actor) request(v machine.Verb, o outcome, took time.Duration) (arrival time.Duration) {
	took = a.hold(took)
	arrival = a.now + a.leg
	switch o {
	case refused, hidden, conflict:
		f := scenarios.Fault{Kind: plan.FaultError, Verb: v, Status: 500, Applied: o != refused}
		if o == conflict {
			f.Status = 409
		}
		a.fault(f, a.id, a.now, arrival)
	case lost, unheard:
		leg := plan.ResponseLeg
		if o == lost {
			leg = plan.RequestLeg
		}
		a.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: leg}, a.id, a.now, arrival)
		a.wait(a.cfg.RequestTimeout)
		return arrival
	}
	if took = max(took, a.trip()); took > a.trip() {
		back := always(took - a.leg)
		a.fault(scenarios.Fault{Kind: plan.FaultDelay, Response: &back}, a.id, a.now, arrival)
	}
	a.pass(took)
	return arrival
}

// hold has the next request wait in the client's limiter for the part of its time that is longer than its timeout allows, and returns the rest.
func (a *actor) hold(took time.Duration) time.Duration {
	wait := took - a.direct() + slack
	if !a.limited() || wait <= slack {
		return took
	}
	before := a.now
	local := bound.Local(wait, a.driftPPM)
	a.fault(scenarios.Fault{Kind: plan.FaultDelay, Limiter: local}, a.id, a.now, a.now)
	a.wait(local)
	return took - (a.now - before)
}

// cutOff loses all of a candidate's messages from one instant to the other.
func (s *stage) cutOff(on string, from, to time.Duration) {
	s.fault(scenarios.Fault{Kind: plan.FaultPartition}, on, from, to)
}
