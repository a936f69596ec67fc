package forecast

import (
	"time"

	"interregnum/internal/behaviour"
	"interregnum/scenarios/plan"
)

// roll makes f the rollout that replaces the processes of a generation by those of the next one. Replicas of the first generation come
// first, then those of the second one, and so on.
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

// rolls returns how long a rollout takes at least, if a new process starts after that time. So many processes are replaced at
// once as the surge and those that may be unavailable allow.
func (s *setting) rolls(e *behaviour.Episode, start time.Duration) time.Duration {
	surge, unavailable := e.Rolling.Of(s.Replicas)
	step := max(1, surge+unavailable)
	each := start + min(s.Candidate.Drain, e.Rolling.Grace)
	if e.Rolling.Leading {
		each += s.Candidate.LeaseDuration + 4*s.Candidate.RetryPeriod
	}
	return time.Duration((s.Replicas+step-1)/step) * each
}
