package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// halfCreated adds the candidates and faults of the worst case of a lock on two objects, and sets the horizon. The candidate a
// makes the first object, and its Create of the second one fails until the lease in the first has run out for candidate b. Then a
// reads once more, finds its own name and no second object, and makes that object. b takes over the first object; it finds the
// second one and overwrites it.
func (s *stage) halfCreated(p *bound.Plan) {
	drift := s.env.MaxDriftPPM
	b := s.follower(0, drift)
	a := &actor{stage: s, id: "a", driftPPM: -drift}
	a.pass(3 * a.trip()) // the Get finds nothing, and the Create is two requests
	made := a.now - 3*s.leg
	each := 4 * a.trip()
	until := made + b.now + 4*s.leg - a.now + each
	waits := 1 + (until-1)/(bound.True(s.cfg.RetryPeriod*21/10, -drift)+each)
	wait := bound.Local((until+waits-1)/waits-each, -drift) + 1
	jitter := jitterFor(s.cfg.RetryPeriod, max(wait, s.cfg.RetryPeriod))
	s.candidate("a", 0, jitter, scenarios.Clock{DriftPPM: -drift})
	for i := range waits {
		if i > 0 {
			a.pass(each)
		}
		a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	}
	refused := errorOn(machine.Create, false)
	refused.Object = s.lock().Objects()[1].String()
	s.fault(refused, "a", 0, a.now+6*s.leg)
	created := a.now + 2*a.trip()
	a.pass(4 * a.trip())
	s.cutOff("a", a.now, plan.MaxDuration-s.near)
	begun := created - a.trip()
	b = s.follower(begun-b.now, drift)
	s.s.Candidates[1].StartAt += begun - b.now
	end := a.now
	if s.cfg.Profile.CountsFromRenewal() {
		end = created
	}
	end += bound.True(s.cfg.RenewDeadline, -drift)
	s.s.Horizon = s.finish("a", end+p.Release, s.env.MaxPause)
}

// follower adds candidate b, which polls from start until the lease that it first saw has run out. It returns b at the beginning
// of its attempt to take over. If start is 0, it adds nothing, and only computes when that attempt begins. drift is that of b's
// clock, in parts per million.
func (s *stage) follower(start time.Duration, drift int64) *actor {
	each := 2 * 2 * s.leg
	lasts := each + bound.True(max(s.cfg.Lease(), s.cfg.RetryPeriod), drift) + 5
	polls := 1 + (lasts-1)/(bound.True(s.cfg.RetryPeriod*21/10, drift)+each)
	jitter := jitterFor(s.cfg.RetryPeriod, bound.Local((lasts+polls-1)/polls-each, drift)+1)
	if start > 0 {
		s.candidate("b", start, jitter, scenarios.Clock{DriftPPM: drift})
	}
	b := &actor{stage: s, id: "b", driftPPM: drift}
	b.pass(start)
	for range polls {
		b.pass(each)
		b.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	}
	return b
}
