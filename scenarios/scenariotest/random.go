// Package scenariotest generates random scenarios for property tests (pgregory.net/rapid).
package scenariotest

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/check"
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

// Random generates scenarios: candidates with clocks, drains and request timeouts, and up to twelve times a fault of
// any kind that the environment allows, or two that hardly ever come together by chance. Times are drawn evenly, to the
// nanosecond; what rapid makes smaller when it shrinks is the number of candidates and faults and their kinds.
func Random(e Environment) *rapid.Generator[*scenarios.Scenario] {
	return rapid.Custom(func(t *rapid.T) *scenarios.Scenario {
		d := &drawer{t: t, env: e}
		s := &scenarios.Scenario{Name: "random", About: "a random scenario", Expect: e.expect()}
		s.Seed = 1
		s.Horizon = d.between("horizon", 30*time.Second, 90*time.Second)
		s.Network = scenarios.Network{Request: d.delay(40 * time.Millisecond), Response: d.delay(40 * time.Millisecond)}
		timings := e.Timings
		if timings == (machine.Timings{}) {
			timings = d.timings()
		}
		if e.expires() {
			timings.LeaseDuration = timings.LeaseDuration.Truncate(time.Millisecond) + time.Millisecond
			s.Service = d.clock()
		}
		most := e.MaxCandidates
		if most == 0 {
			most = 5
		}
		s.Candidates = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) scenarios.Candidate {
			return (&drawer{t: t, env: e}).candidate(timings)
		}), 2, most).Draw(t, "candidates")
		for i := range s.Candidates {
			number(&s.Candidates[i], i)
		}
		if e.Elections {
			d.split(s)
		}
		s.Faults = slices.Concat(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []scenarios.Fault {
			d := &drawer{t: t, env: e}
			if d.one(10, "slow goodbye") {
				return d.inElection(s, d.goodbye(s))
			}
			if d.one(10, "cut off") {
				return d.inElection(s, d.cutOff(s))
			}
			return d.inElection(s, []scenarios.Fault{d.fault(s)})
		}), 0, 12).Draw(t, "faults")...)
		return s
	})
}

// number gives the i-th candidate its name, and a start of its own where it was drawn like another.
func number(c *scenarios.Candidate, i int) {
	c.ID = fmt.Sprintf("%c", 'a'+i)
	c.StartAt += time.Duration(i) * time.Millisecond
	if i == 0 {
		c.Identity = ""
	}
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

// drawer draws one part of a scenario. Each candidate and each fault has its own, so that they stay as they are when
// rapid takes one of them away.
type drawer struct {
	t   *rapid.T
	env Environment
	// drawn counts draws, so that equal draws of rapid give different times within the part.
	drawn uint64
}

// between draws evenly from [low, high).
func (d *drawer) between(what string, low, high time.Duration) time.Duration {
	d.drawn++
	x := rapid.Uint64().Draw(d.t, what) + d.drawn*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return low + time.Duration((x^x>>31)%uint64(high-low))
}

// one draws whether something is so, which it is in about one case of that many.
func (d *drawer) one(in int, what string) bool {
	return rapid.IntRange(0, in-1).Draw(d.t, what) == in-1
}

func (d *drawer) delay(most time.Duration) scenarios.Delay {
	x := d.between("delay", 0, most)
	if d.one(4, "spread") {
		return scenarios.Delay{Min: x, Max: x + d.between("spread", 1, most)}
	}
	return scenarios.Delay{Min: x, Max: x}
}

func (d *drawer) timings() machine.Timings {
	retry := d.between("retryPeriod", 200*time.Millisecond, 2500*time.Millisecond)
	least := time.Duration(machine.JitterFactor*float64(retry)) + time.Millisecond
	renew := d.between("renewDeadline", least, least+8*time.Second)
	lease := d.between("leaseDuration", renew+time.Millisecond, renew+6*time.Second)
	return machine.Timings{LeaseDuration: max(lease, time.Second), RenewDeadline: renew, RetryPeriod: retry}
}

func (d *drawer) candidate(timings machine.Timings) scenarios.Candidate {
	c := scenarios.Candidate{
		Profile: d.env.Profile, Lock: plan.Lease, Timings: timings,
		ReleaseOnCancel: d.one(2, "release"),
		StartAt:         d.between("startAt", 0, 5*time.Second),
		Clock:           d.clock(),
	}
	if d.one(2, "timeout") {
		// Longer than the slowest round trip without a fault, or nobody would ever lead.
		most := timings.RenewDeadline
		if d.one(2, "quick timeout") {
			most = timings.RetryPeriod // so that an attempt has time for another try
		}
		c.RequestTimeout = d.between("requestTimeout", 200*time.Millisecond, 200*time.Millisecond+most)
	}
	if d.env.Freezes {
		c.WriteEvery = d.between("writeEvery", 50*time.Millisecond, 2*time.Second)
	}
	if d.env.MaxDrain > 0 {
		c.Drain = d.between("drain", 0, d.env.MaxDrain)
	}
	if d.one(2, "rejoin") {
		rejoin := d.between("rejoin", time.Millisecond, 10*time.Second)
		c.Rejoin = &rejoin
		c.SameElector = d.one(2, "same elector")
	}
	if d.one(8, "same identity") {
		c.Identity = "a"
	}
	if len(d.env.Locks) > 0 {
		c.Lock = rapid.SampledFrom(d.env.Locks).Draw(d.t, "lock")
	}
	if c.Lock == plan.SQLTTL {
		c.Now, c.Precision = d.env.Now, d.env.Precision
	}
	return c
}

// expires tells whether the environment has locks that expire by themselves. Then it has no others: what they do to each
// other no algorithm closes.
func (e Environment) expires() bool { return len(e.Locks) > 0 && e.Locks[0].Expires() }

func (d *drawer) clock() (c scenarios.Clock) {
	c.Offset = d.between("offset", -time.Hour, time.Hour)
	if d.env.MaxDriftPPM > 0 {
		most := time.Duration(d.env.MaxDriftPPM)
		c.DriftPPM = int64(d.between("drift", -most, most+1))
	}
	return c
}

var randomKinds = []plan.FaultKind{
	plan.FaultDelay, plan.FaultDelay, plan.FaultPartition, plan.FaultPartition, plan.FaultLose, plan.FaultLose,
	plan.FaultOutage, plan.FaultError, plan.FaultError, plan.FaultCrash, plan.FaultRestart, plan.FaultCancel, plan.FaultClock,
	plan.FaultPause,
}

func (d *drawer) fault(s *scenarios.Scenario) scenarios.Fault {
	f := scenarios.Fault{Kind: rapid.SampledFrom(randomKinds).Draw(d.t, "kind"), At: d.between("at", 0, s.Horizon)}
	if f.Kind == plan.FaultPause && !d.env.Freezes {
		f.Kind = plan.FaultPartition
	}
	if f.Kind.Window() && !d.one(6, "to the end") {
		until := f.At + d.between("length", time.Millisecond, 20*time.Second)
		f.Until = &until
	}
	if f.Kind != plan.FaultOutage {
		f.On = d.targets(s)
	}
	switch f.Kind {
	case plan.FaultDelay:
		if request := d.delay(12 * time.Second); d.one(2, "way out") {
			f.Request = &request
		}
		if response := d.delay(12 * time.Second); f.Request == nil || d.one(2, "way back") {
			f.Response = &response
		}
	case plan.FaultLose:
		f.Leg = rapid.SampledFrom([]plan.Leg{plan.BothLegs, plan.RequestLeg, plan.ResponseLeg}).Draw(d.t, "leg")
		probability := d.between("probability", 0, time.Second).Seconds()
		f.Probability = &probability
	case plan.FaultError:
		f.Status = rapid.SampledFrom([]int{403, 409, 429, 500, 504}).Draw(d.t, "status")
		f.Applied = d.one(2, "applied")
		verbs := []machine.Verb{0, machine.Get, machine.Create, machine.Update}
		if d.env.expires() {
			verbs = []machine.Verb{
				0, machine.Get, machine.Create, machine.Replace, machine.Refresh, machine.Resign, machine.Watch,
			}
		}
		f.Verb = rapid.SampledFrom(verbs).Draw(d.t, "verb")
	case plan.FaultRestart:
		f.Identity = rapid.SampledFrom([]plan.Identity{plan.SameIdentity, plan.NewIdentity}).Draw(d.t, "identity")
	case plan.FaultClock:
		f.Jump = d.between("jump", -time.Minute, time.Minute)
		if slices.Equal(d.env.Locks, []plan.Lock{plan.KVTTL}) && d.one(3, "the service's") {
			f.On = []string{plan.ServiceName} // it counts in monotonic time
		}
	}
	if len(d.env.Locks) > 0 && !d.env.expires() && slices.Contains(f.Kind.Fields(), "object") && d.one(2, "one object") {
		c := &s.Candidates[rapid.IntRange(0, len(s.Candidates)-1).Draw(d.t, "locked by")]
		f.Object = rapid.SampledFrom(c.Lock.Objects()).Draw(d.t, "object").String()
	}
	return f
}

// goodbye draws the faults of a leader that leaves while its requests are slow, perhaps after a while of reaching
// nobody: its release may meet a successor.
func (d *drawer) goodbye(s *scenarios.Scenario) []scenarios.Fault {
	at := d.between("goodbye", 0, s.Horizon)
	until, slow := at+d.between("length", time.Millisecond, 20*time.Second), d.delay(12*time.Second)
	leader := []string{plan.RoleLeader}
	faults := []scenarios.Fault{
		{Kind: plan.FaultDelay, At: at, Until: &until, On: leader, Request: &slow},
		{Kind: plan.FaultCancel, At: at, On: leader},
	}
	if cut := at - d.between("cut", 0, s.Candidates[0].RenewDeadline); cut > 0 && d.one(2, "cut off before") {
		faults = append(faults, scenarios.Fault{Kind: plan.FaultPartition, At: cut, Until: &at, On: leader})
	}
	return faults
}

// cutOff draws the faults of a leader some of whose answers are late or lost, and that soon after reaches nobody any
// more: what it takes for its last renewal may not be what others do.
func (d *drawer) cutOff(s *scenarios.Scenario) []scenarios.Fault {
	c := &s.Candidates[0]
	at := d.between("cut off", 0, s.Horizon)
	until := at + d.between("length", time.Millisecond, 2*c.RetryPeriod)
	cut := until + d.between("cut", 0, c.RetryPeriod)
	healed := cut + 20*time.Second
	leader := []string{plan.RoleLeader}
	answers := scenarios.Fault{Kind: plan.FaultLose, At: at, Until: &until, On: leader, Leg: plan.ResponseLeg}
	if late := d.delay(c.RenewDeadline); d.one(2, "late") {
		answers = scenarios.Fault{Kind: plan.FaultDelay, At: at, Until: &until, On: leader, Response: &late}
	}
	return []scenarios.Fault{answers, {Kind: plan.FaultPartition, At: cut, Until: &healed, On: leader}}
}

// targets draws whom a fault is on: everybody, a role, or one candidate.
func (d *drawer) targets(s *scenarios.Scenario) []string {
	switch rapid.IntRange(0, 5).Draw(d.t, "targets") {
	case 0:
		return nil
	case 1, 2:
		return []string{plan.RoleLeader}
	case 3:
		return []string{plan.RoleFollower}
	}
	return []string{s.Candidates[rapid.IntRange(0, len(s.Candidates)-1).Draw(d.t, "target")].ID}
}
