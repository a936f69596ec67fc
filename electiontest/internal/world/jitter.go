package world

import (
	_ "unsafe" // for linkname

	_ "k8s.io/apimachinery/pkg/util/wait" // holds jitterRand
)

// jitterRand is the only source of random numbers of the unmodified library, and nothing else leads to it. If it were not replaced,
// a seed would decide nothing, and no failure could be shown again.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// init replaces the library's source of jitter, so that goroutines in a run draw from the scenario's seed. It does so before
// anybody can draw from it: later would be a race with the tests beside a run.
func init() {
	original := jitterRand
	jitterRand = func() float64 {
		if w, id := here(); w != nil {
			return w.jitter(id)
		}
		return original()
	}
}

// jitter returns the random number that the library gets in the goroutine with that id, and draws it for a candidate: the one
// whose lock this goroutine has asked for last. If it never has, as where the code calls its lock in another goroutine, it is
// the candidate that was answered last.
func (w *world) jitter(id string) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, asked := w.askers[id]
	if !asked {
		s = w.answered
	}
	return s.draw()
}

// Jitter returns the candidate's next jitter, from [0,1).
func (p *Part) Jitter() float64 {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	return p.seat.draw()
}

// draw returns the candidate's next jitter, in [0,1): the number that the scenario has for this draw or, if it has none, the next
// number of the seat's random stream, which advances. The caller holds w.mu.
func (s *seat) draw() float64 {
	if jitter, ok := s.plan.JitterOf(s.jitters); ok {
		s.jitters++
		return jitter
	}
	return s.jitter.Float64()
}
