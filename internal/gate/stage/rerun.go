package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// rerun adds the faults with which candidate me acquires the lock at once, and is cancelled so that the same elector runs again
// within a second of its last write. It sets me.Rejoin and me.SameElector. It advances a to the beginning of the elector's next
// attempt, at which time the duration given as left remains of that second, on a's clock. It returns when the first write of that
// second is applied, in true time, and the offset that the wall clock must have for this.
func (s *stage) rerun(a *actor, me *scenarios.Candidate, left time.Duration) (first, offset time.Duration) {
	again := s.leg
	me.Rejoin, me.SameElector = &again, true
	release := time.Duration(0) // which fails
	switch {
	case !s.cfg.ReleaseOnCancel:
	case s.cfg.Profile.ReleasesBlindly():
		release = a.trip()
	default:
		release = 2 * a.trip()
	}
	stops := release + again
	rest := time.Second - slack - time.Microsecond - left - bound.Local(stops, a.driftPPM)
	a.plain(1)
	leads, drains := a.now+a.trip(), time.Duration(0)
	if s.cfg.ReleasesLater() {
		drains = s.env.Drain // and renews meanwhile
	}
	begun, ends := time.Duration(0), func(begun time.Duration) time.Duration { return begun + rest - a.local }
	for i := 0; drains > 0 && a.now+bound.True(ends(begun), a.driftPPM) < leads+drains; i++ {
		if i == 0 {
			a.pass(a.trip())
		} else {
			a.renew()
		}
		begun = a.local
	}
	first, offset = a.now+a.leg, slack
	if begun > 0 {
		offset = a.newSecond()
	}
	a.wait(ends(begun))
	s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: a.now - drains, On: []string{a.id}})
	if release > 0 {
		s.fault(errorOn(machine.Update, false), a.id, a.now, a.now+release-a.leg)
	}
	a.pass(stops)
	return first, offset
}
