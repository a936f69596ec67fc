package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// rerun adds the faults with which candidate me acquires the lock at once, and is cancelled so that the same elector
// runs again within the second. It advances a to the beginning of the elector's next attempt, when left remains of that
// second on its clock. It returns when the first write of that second is applied.
func (s *stage) rerun(a *actor, me *scenarios.Candidate, left time.Duration) (first time.Duration) {
	again := s.leg
	me.Rejoin, me.SameElector = &again, true
	a.plain(1)
	first = a.now + a.leg
	release := time.Duration(0) // which fails
	switch {
	case !s.cfg.ReleaseOnCancel:
	case s.cfg.Profile.ReleasesBlindly():
		release = a.trip()
	default:
		release = 2 * a.trip()
	}
	stops := release + again
	a.wait(time.Second - slack - time.Microsecond - left - bound.Local(stops, a.driftPPM) - a.local)
	s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: a.now, On: []string{a.id}})
	if release > 0 {
		s.fault(errorOn(machine.Update, false), a.id, a.now, a.now+release-a.leg)
	}
	a.pass(stops)
	return first
}
