package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// This file has the worst cases of the clients for Java and C#, whose leaders stop when RenewDeadline is over, and whose
// followers count by their wall clocks.

// wallClock adds the candidates and faults of a leader that is cut off after its first renewal, or whose elector is closed, and
// of its successor.
func (s *stage) wallClock(p *bound.Plan) {
	s.leg = min(s.leg, s.cfg.Profile.WallUnit()/50)
	s.near = s.leg / 2
	s.s.Network = scenarios.Network{Request: always(s.leg), Response: always(s.leg)}
	f := s.follow(p)
	a := &actor{stage: s, id: "a", driftPPM: -s.env.MaxDriftPPM}
	first := s.acquired(a, f.before())
	if p.Kind == bound.ToldLate {
		a.pass(2 * a.trip()) // the first renewal
		closed := a.now + 1
		s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: closed, On: []string{"a"}})
		a.wait(s.cfg.RetryPeriod)
		f.succeed(closed + s.leg + 1)
		s.s.Horizon = s.finish("a", a.now, s.env.MaxPause)
		return
	}
	seen := first + 1
	applied := a.last(&p.Chain)
	if p.CompareAndSwap {
		seen = max(seen, applied+1-f.takes())
	}
	a.wait(s.cfg.RetryPeriod)
	polled := a.now
	a.wait(s.cfg.RenewDeadline)
	f.succeed(seen)
	s.cutOff("a", polled, plan.MaxDuration-s.near)
	s.s.Horizon = s.finish("a", a.now, s.env.MaxPause)
}

// acquired adds the leader a, which starts after before at the earliest, and advances it to the beginning of its first renewal.
// That is in the same unit of its wall clock as the attempt that acquires. It returns when the write of that one is applied.
func (s *stage) acquired(a *actor, before time.Duration) (first time.Duration) {
	a.pass(before)
	begun := a.local
	jitter, offset := 0.0, time.Duration(0)
	if s.cfg.Profile.LooksLater() {
		// The first attempt fails, and the second one succeeds just before the program's thread looks for the second time.
		a.request(machine.Get, refused, 0)
		wait := begun + 2*s.cfg.RetryPeriod - s.cfg.Profile.WallUnit() + 10*slack - a.local
		jitter = jitterFor(s.cfg.RetryPeriod, wait)
		a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	}
	unit := s.cfg.Profile.WallUnit()
	offset = unit - a.local%unit
	s.candidate("a", before, jitter, scenarios.Clock{DriftPPM: a.driftPPM, Offset: offset})
	a.pass(a.trip())
	first = a.request(machine.Create, answered, 0)
	if s.cfg.Profile.LooksLater() {
		a.wait(begun + 2*s.cfg.RetryPeriod - a.local)
	}
	a.polled = a.local
	return first
}
