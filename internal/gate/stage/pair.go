package stage

import (
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
	b := s.follower("b", 0)
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
	b = s.follower("b", begun-b.now)
	s.s.Candidates[1].StartAt += begun - b.now
	end := a.now
	if s.cfg.Profile.CountsFromRenewal() {
		end = created
	}
	end += bound.True(s.cfg.RenewDeadline, -drift)
	s.s.Horizon = s.finish("a", end+p.Release, s.env.MaxPause)
}
