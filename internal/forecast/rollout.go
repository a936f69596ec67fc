package forecast

import (
	"time"

	"interregnum/internal/behaviour"
	"interregnum/scenarios/plan"
)

// roll sets f to the rollout h that replaces the processes of one generation by those of the next: all fields of a rollout but
// At. Replicas of generation 0 come first, then those of generation 1, and so on; their names are numbered through.
func (s *setting) roll(h *happening, generation int, f *plan.Fault) {
	surge, unavailable := h.Rolling.Of(s.Replicas)
	f.Kind, f.On = plan.FaultRollout, nil
	for i := range s.Replicas {
		f.On = append(f.On, name(generation*s.Replicas+i))
		f.To = append(f.To, name((generation+1)*s.Replicas+i))
	}
	f.Surge, f.MaxUnavailable, f.Startup, f.GracePeriod = plan.Count(surge), plan.Count(unavailable), h.takes, &h.Rolling.Grace
	if h.Rolling.Leading {
		f.Readiness = plan.ReadyLeading
	}
}

// rolls returns how long the rollout e takes at least; the parameter start is the time in which a new process starts. As many
// processes are replaced at once as the surge and the unavailable ones together allow.
func (s *setting) rolls(e *behaviour.Episode, start time.Duration) time.Duration {
	surge, unavailable := e.Rolling.Of(s.Replicas)
	step := max(1, surge+unavailable)
	each := start + min(s.Candidate.Drain, e.Rolling.Grace)
	if e.Rolling.Leading {
		each += s.Candidate.LeaseDuration + 4*s.Candidate.RetryPeriod
	}
	return time.Duration((s.Replicas+step-1)/step) * each
}
