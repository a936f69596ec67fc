package world

import (
	"strings"
	"time"

	"interregnum/electiontest/internal/goroutines"
)

// A controller of controller-runtime that warms up (EnableWarmup) holds a mutex until its sources have synced, which takes
// time, and waits for that mutex once it is elected, which stands time still: see the package's documentation. So a manager's
// writes to a lock wait on their way for as long as a controller of its process warms up. Nobody is elected meanwhile whose
// work could not begin in any case.

// warmStep is how often it is looked whether a process is warm.
const warmStep = 10 * time.Millisecond

// warmUp is what is on the stack of a controller that warms up. One that does not is never at rest there.
const warmUp = "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).Warmup("

// warmingUp tells whether a controller of the process warms up. All of the bubble is at rest. One whose process is not known
// any more, since the goroutine that began its manager has ended, counts for all. The caller holds w.mu.
func (w *world) warmingUp(p *process) bool {
	if p.warm {
		return false
	}
	all := goroutines.All()
	for i := range all {
		if !strings.Contains(all[i].Text, warmUp) {
			continue
		}
		if owner, known := goroutines.Owner(all, all[i].ID, w.functions); !known || owner == p {
			return true
		}
	}
	p.warm = true
	return false
}

// heldBack puts a write to the lock off for a moment, and tells so, where a controller of the process warms up. What arrives again
// then is called.
func (m *message) heldBack(again func()) bool {
	w := m.process.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if !m.tries() || m.process.gone() || !w.warmingUp(m.process) {
		return false
	}
	if m.left {
		return false // it arrives late, as a write can
	}
	w.post.Send(w.now(), warmStep, m.part.seat.index, m.order(), again)
	return true
}
