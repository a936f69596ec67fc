package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// This file has the worst cases of the clients for Java and C#, whose leaders stop when RenewDeadline is over, and whose
// followers count by their wall clocks.

// wallClock adds the candidates and faults of a leader that is cut off after its first renewal, or whose elector is closed, and
// of its successor, and sets the horizon. It first makes the stage's network as fast as the unit of the wall clocks needs.
func (s *stage) wallClock(p *bound.Plan) {
	s.shorten(s.cfg.Profile.WallUnit() / 50)
	f := s.follow(p)
	a := &actor{stage: s, id: "a", driftPPM: -s.env.MaxDriftPPM}
	first := s.acquired(a, f.before(), p.Kind == bound.Expired)
	if p.Kind == bound.ToldLate {
		a.pass(2 * a.trip()) // the first renewal
		closed := a.now + 1
		s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: closed, On: []string{"a"}})
		a.wait(s.cfg.RetryPeriod)
		f.takeOver(closed + s.leg + 1)
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
	f.takeOver(seen)
	s.cutOff("a", polled, plan.MaxDuration-s.near)
	s.s.Horizon = s.finish("a", a.now, s.env.MaxPause)
}

// acquired adds the leader a, which starts at the true time given as before, and advances a to the beginning of its last renewal.
// If set is true, its wall clock is set back so that this renewal and all attempts before it are in one unit of that clock.
// Otherwise its last renewal is its first one. It returns when the write of the first attempt is applied, in true time.
func (s *stage) acquired(a *actor, before time.Duration, set bool) (first time.Duration) {
	b := s.planSetBack(a, set)
	a.pass(before)
	begun, jitter := a.local, 0.0
	if s.cfg.Profile.LooksLater() {
		// The first attempt fails, and the second one succeeds before the program's thread looks for the second time.
		a.request(machine.Get, refused, 0)
		jitter = jitterFor(s.cfg.RetryPeriod, begun+2*s.cfg.RetryPeriod-b.first-a.local)
		a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	}
	unit := s.cfg.Profile.WallUnit()
	s.candidate("a", before, jitter, scenarios.Clock{DriftPPM: a.driftPPM, Offset: unit - a.local%unit})
	b.since = a.local
	a.pass(a.trip())
	if s.cfg.Profile.LooksLater() {
		first = a.request(machine.Create, answered, 0)
		a.wait(begun + 2*s.cfg.RetryPeriod - a.local)
	} else {
		first = a.request(machine.Create, answered, min(bound.True(b.first, a.driftPPM)-a.trip(), a.longest()))
	}
	b.set()
	for range b.renewals {
		a.renew()
		b.set()
	}
	a.polled = a.local
	return first
}

// back says how a leader's wall clock is set back, again and again.
type back struct {
	*actor
	// first is the time from the attempt that acquires to the first renewal. renewals is how many renewals come before the last
	// one.
	first    time.Duration
	renewals int
	// since is what the clock showed at the attempt that acquires, had it not been set; by is by how much it was set back.
	since, by time.Duration
}

// within returns how long a stretch of one unit of the clock the attempts use: almost all of it.
func (b *back) within() time.Duration { return b.cfg.Profile.WallUnit() - 2*slack }

// planSetBack plans as many renewals of the leader as can look the same, and returns the plan. set says whether its clock can be
// set back. It adds nothing to the stage.
func (s *stage) planSetBack(a *actor, set bool) *back {
	const little = 100 * time.Microsecond
	b := &back{actor: a}
	gap := b.within()
	if set {
		gap += s.env.MaxClockOffset
	}
	each := s.cfg.RetryPeriod + bound.Local(2*a.trip(), a.driftPPM) + 1
	if s.cfg.Profile.LooksLater() && gap > each && gap%each < little {
		gap -= 3 * little / 2 // or nothing would be left for the attempt that acquires
	}
	b.renewals, b.first = int(gap/each), gap%each
	return b
}

// set adds a fault that sets the clock back just before the actor's next attempt, so that this attempt is in the same unit of the
// clock as the first one. It adds nothing if that is so already.
func (b *back) set() {
	by := max(0, b.local-b.since-b.within()) - b.by
	if by <= 0 {
		return
	}
	b.by += by
	b.s.Faults = append(b.s.Faults, scenarios.Fault{Kind: plan.FaultClock, At: b.now - 1, On: []string{b.id}, Jump: -by})
}
