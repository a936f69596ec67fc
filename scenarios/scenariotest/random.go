// Package scenariotest runs scenarios in Go tests, and generates random ones for property tests (pgregory.net/rapid).
package scenariotest

import (
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/draw/drawtest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// Environment bounds the scenarios that Random generates.
type Environment struct {
	// Profile of all candidates.
	Profile machine.Profile
	// Timings of all candidates; the zero value draws valid ones.
	Timings machine.Timings
	// Locks are the kinds of lock from which each candidate's is drawn; none is the Lease. Candidates that lock different
	// objects do not exclude each other.
	Locks []scenarios.Lock
	// Now and Precision are those of candidates that lock a row.
	Now       scenarios.Now
	Precision time.Duration
	// MaxCandidates is the highest number of candidates; 0 is 5.
	MaxCandidates int
	// Freezes allows pauses of processes. A frozen leader works for an instant when it wakes, which nothing in its process
	// can prevent. With Freezes, the work therefore writes a guarded resource, which its fencing token protects, and
	// scenarios expect nothing of the properties that a freeze alone can violate.
	Freezes bool
	// MaxDriftPPM bounds how much faster or slower than true time clocks run.
	MaxDriftPPM int64
	// MaxDrain bounds how long work goes on after its context has ended.
	MaxDrain time.Duration
	// Elections has each process take part in several elections, with a liveness probe that kills it.
	Elections bool
	// Clients gives candidates clients that limit and repeat their requests, and adds the faults that are about these. It counts only
	// for profiles and locks with which a client is simulated.
	Clients bool
}

// Random generates scenarios: candidates with clocks, drains and request timeouts, and many faults of some of the kinds that
// the environment allows. Times are drawn evenly, to the nanosecond. When rapid shrinks a scenario, it reduces the number
// of candidates and faults, and their kinds, but no times.
func Random(e Environment) *rapid.Generator[*scenarios.Scenario] {
	return rapid.Custom(func(t *rapid.T) *scenarios.Scenario {
		s := &scenarios.Scenario{Name: "random", About: "a random scenario", Expect: e.expect()}
		s.Plan = *drawtest.Plan(t, e.space(t))
		s.Seed = 1
		return s
	})
}

// space returns the space from which the plan of a scenario is drawn. Some of its bounds are drawn from t.
func (e Environment) space(t *rapid.T) *draw.Space {
	s := &draw.Space{
		Profile: e.Profile, Timings: e.Timings, Locks: e.Locks, Restless: true,
		Limits: draw.Limits{
			MaxDriftPPM: e.MaxDriftPPM, MaxDrain: e.MaxDrain, Shared: rapid.IntRange(0, 1).Draw(t, "shared") == 1,
			Clients: e.Clients,
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

// expect returns the expectations of scenarios of the environment. All properties that it does not name must be held. Without
// Freezes it names none.
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

// expires tells whether the environment's locks expire by themselves. They are not mixed with others, since locks of both
// sorts do not exclude each other.
func (e Environment) expires() bool { return len(e.Locks) > 0 && e.Locks[0].Expires() }
