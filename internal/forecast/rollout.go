package forecast

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/plan"
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

// rolls returns how long the rollout e takes at least, with all that its old processes do; the parameter start is the time in
// which a new process starts.
func (s *setting) rolls(e *behaviour.Episode, start time.Duration) time.Duration {
	each := start + min(s.Candidate.Drain, e.Rolling.Grace)
	if e.Rolling.Leading {
		each += s.Candidate.LeaseDuration + 4*s.Candidate.RetryPeriod
	}
	return s.steps(e) * each
}

// steps returns in how many steps, a plain number, the rollout e replaces all processes: in each step as many as the surge
// and the unavailable ones together allow.
func (s *setting) steps(e *behaviour.Episode) time.Duration {
	surge, unavailable := e.Rolling.Of(s.Replicas)
	step := max(1, surge+unavailable)
	return time.Duration((s.Replicas + step - 1) / step)
}

// over returns when the last new process of the rollout h is ready, if none crashes meanwhile. Where processes are ready only while
// they lead, that may be never; it then returns when the rollout counts as failed.
func (s *setting) over(h *happening) time.Duration {
	if h.Rolling.Leading {
		return max(h.until, h.from+plan.DefaultDeadline)
	}
	return h.from + s.steps(h.Episode)*h.takes
}

// A window's past has at most mostPast episodes, of the last mostTries that came.
const (
	mostPast  = 6
	mostTries = 100
)

// past begins w, which must have nothing but its seed and from, with the last rollout and the episodes since then: who leads
// when the next rollout begins, and how old the processes are, follows from them. It takes only episodes that can end a
// process, mostPast of them at most, and none from before a rollout that may never end. The calm after each is left out, and
// stored in happening.earlier. It moves w.from to after them.
func (s *setting) past(w *window) {
	r := rand.New(rand.NewPCG(w.seed, 0))
	earlier := time.Duration(0)
	for range mostTries {
		earlier = min(never, earlier+s.wait(r))
		h := s.happens(s.sort(r.Float64()), 0, r.Float64(), r)
		if h.Kind == behaviour.Rollout && h.Rolling.Leading || len(w.episodes) == mostPast {
			break // that rollout may never end
		}
		if !h.Kind.Starts() && h.until < s.Candidate.RenewDeadline/2 {
			continue
		}
		h.earlier = earlier
		w.episodes = append(w.episodes, h)
		if h.Kind == behaviour.Rollout {
			break
		}
	}
	slices.Reverse(w.episodes)
	for i := range w.episodes {
		h := &w.episodes[i]
		if h.Kind != behaviour.Rollout {
			h.until = min(h.until, s.settle) // what it does afterwards is the same again
		}
		h.from, h.until = w.from, w.from+h.until
		w.from = h.until + s.settle
	}
}

// real returns when the time at was, counted like the measured time of the window. Before the first episode it was long ago.
func (w *window) real(at time.Duration) time.Duration {
	if h := w.begun(at, behaviour.Kinds()...); h != nil {
		return at - h.earlier
	}
	return at - never
}

// Rank implements sim.Ranker. Of ready pods Kubernetes ends those first whose age is in a lower power of two, and those that are
// alike in that in the order of their UIDs, which are random (ActivePodsWithRanks of pkg/controller in Kubernetes 1.22).
func (p *play) Rank(i int, at time.Duration) float64 {
	age := p.w.real(at) - p.replicas[i].began
	return float64(bits.Len64(uint64(age))) + p.draw()
}
