// Package scenariotest generates random scenarios for property tests (pgregory.net/rapid).
package scenariotest

import (
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/draw/drawtest"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// Environment is what Random may do to the candidates of a scenario.
type Environment struct {
	// Profile of all candidates.
	Profile machine.Profile
	// Timings of all candidates; the zero value draws valid ones.
	Timings machine.Timings
	// Locks are the kinds of lock, as in scenario files, one of which each candidate has; none is the Lease. Candidates
	// that lock different objects lead beside each other.
	Locks []scenarios.Lock
	// Now and Precision are of those that lock a row.
	Now       scenarios.Now
	Precision time.Duration
	// MaxCandidates is 5 where it is 0.
	MaxCandidates int
	// Freezes allows pauses. Nothing that runs in a process keeps a frozen leader from working for an instant when it
	// wakes, so the work then writes a guarded resource, which its fencing token protects, and scenarios expect nothing
	// of the properties that a freeze alone can break.
	Freezes bool
	// MaxDriftPPM allows clocks whose rate is within ± this of true time.
	MaxDriftPPM int64
	// MaxDrain is how long work may go on once its context has ended.
	MaxDrain time.Duration
	// Elections has each process take part in several elections, and be killed by a liveness probe.
	Elections bool
}

// Random generates scenarios: candidates with clocks, drains and request timeouts, and a storm of faults of some of the
// kinds that the environment allows. Times are drawn evenly, to the nanosecond; what rapid makes smaller when it shrinks is
// the number of candidates and faults and their kinds.
func Random(e Environment) *rapid.Generator[*scenarios.Scenario] {
	return rapid.Custom(func(t *rapid.T) *scenarios.Scenario {
		s := &scenarios.Scenario{Name: "random", About: "a random scenario", Expect: e.expect()}
		s.Plan = *drawtest.Plan(t, e.space(t))
		s.Seed = 1
		return s
	})
}

// space is what scenarios of the environment are drawn from.
func (e Environment) space(t *rapid.T) *draw.Space {
	s := &draw.Space{
		Profile: e.Profile, Timings: e.Timings, Locks: e.Locks, Restless: true,
		Limits: draw.Limits{
			MaxDriftPPM: e.MaxDriftPPM, MaxDrain: e.MaxDrain, Shared: rapid.IntRange(0, 1).Draw(t, "shared") == 1,
		},
	}
	most := e.MaxCandidates
	if most == 0 {
		most = 5
	}
	s.Candidates = rapid.IntRange(2, most).Draw(t, "candidates")
	if e.Elections {
		s.Elections = rapid.IntRange(2, 3).Draw(t, "elections")
	}
	if e.Freezes {
		s.Limits.MaxPause = plan.MaxDuration
	}
	if len(e.Locks) > 0 {
		s.Lock = e.Locks[0]
	}
	if s.Lock.ByWallClock() {
		s.Now, s.Precision = e.Now, e.Precision
		s.Timings.LeaseDuration = (s.Timings.LeaseDuration + time.Millisecond - 1).Truncate(time.Millisecond)
	}
	if s.CallersNow() {
		s.Limits.MaxClockOffset = time.Hour
	}
	return s
}

// expect returns the verdicts that scenarios of the environment expect; all properties that it does not name are to be held.
func (e Environment) expect() map[string]scenarios.Expectation {
	if !e.Freezes {
		return nil
	}
	return map[string]scenarios.Expectation{
		check.SingleBelief: scenarios.ExpectAny,
		check.SingleWork:   scenarios.ExpectAny,
		check.SafetyWindow: scenarios.ExpectAny,
	}
}

// expires tells whether the environment has locks that expire by themselves. Then it has no others: what they do to each
// other no algorithm closes.
func (e Environment) expires() bool { return len(e.Locks) > 0 && e.Locks[0].Expires() }
