package electiontest

import (
	"sync"
	"sync/atomic"
	_ "unsafe" // for linkname

	_ "k8s.io/apimachinery/pkg/util/wait" // holds jitterRand
)

// jitterRand is the only source of random numbers of the unmodified library, which has no other door to it: without it a
// seed would decide nothing, and no failure could be shown again.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

var (
	// running keeps the runs of one program apart: they share the library's source.
	running sync.Mutex
	// current is the run in progress, nil between runs.
	current atomic.Pointer[world]
)

// The library's source is replaced before anybody can draw from it: later would be a race with the tests beside a run.
func init() {
	original := jitterRand
	jitterRand = func() float64 {
		if w := current.Load(); w != nil {
			if id, bubble := goroutine(); bubble == w.bubble.id.Load() {
				return w.jitter(id)
			}
		}
		return original()
	}
}

// seedJitter has the library draw what the scenario says, until stop is called.
func (w *world) seedJitter() (stop func()) {
	current.Store(w)
	return func() { current.Store(nil) }
}

// jitter is the random number that the library gets in the goroutine with that id. It is drawn for the candidate whose
// lock this goroutine has last asked for; in another goroutine, as where the code calls its lock in one of its own, for
// the candidate that was last answered.
func (w *world) jitter(id string) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, asked := w.askers[id]
	if !asked {
		s = w.answered
	}
	return s.draw()
}

// draw is the candidate's next jitter. The caller holds world.mu.
func (s *seat) draw() float64 {
	if s.plan.Jitter != nil {
		return *s.plan.Jitter
	}
	return s.jitter.Float64()
}
