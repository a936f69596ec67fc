package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// unstopped adds the candidates and faults of a leader that no answer reaches any more and that nothing stops, and of a successor
// that finds the lease run out. It also sets the horizon. The successor counts the lease by its wall clock or, with the client
// for Python, from when it saw the record, in whole milliseconds. With p.Unacquired the answer to the leader's first write is
// lost, and the leader begins to work when it reads that write.
func (s *stage) unstopped(p *bound.Plan) {
	s.candidate("a", 0, 0, scenarios.Clock{})
	a := &actor{stage: s, id: "a"}
	a.pass(a.trip())
	if p.Unacquired {
		a.request(machine.Create, unheard, 0)
		a.wait(max(0, s.cfg.RetryPeriod-a.local))
	}
	a.pass(a.trip())
	s.cutOff("a", a.now, plan.MaxDuration-s.near)
	if !s.cfg.Profile.ByRenewTime() {
		s.candidate("b", a.now, 0, scenarios.Clock{})
		seen := (a.now + a.trip()).Truncate(time.Millisecond)
		begun := a.now
		for begun.Truncate(time.Millisecond) < seen+s.cfg.LeaseDuration {
			begun += a.trip() + s.cfg.RetryPeriod
		}
		s.s.Horizon = begun + 2*a.trip() + bound.Forever
		return
	}
	start := max(s.cfg.LeaseDuration, a.now) + time.Second
	s.candidate("b", start, 0, scenarios.Clock{})
	s.s.Horizon = start + 4*s.leg + bound.Forever
}
