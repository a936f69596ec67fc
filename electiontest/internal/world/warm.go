package world

import (
	"strings"
	"time"

	"interregnum/electiontest/internal/goroutines"
)

// A controller of controller-runtime that warms up (EnableWarmup) holds a mutex until its sources have synced, which takes virtual
// time. A controller that is elected meanwhile waits for that mutex, and virtual time stands still while somebody waits for one. So
// a manager's writes to a lock wait on their way for as long as a controller of its process warms up. That delays no work: the work
// of a manager that is elected earlier waits for the same mutex.

// warmStep is the time after which a write that was held back is tried again.
const warmStep = 10 * time.Millisecond

// warmUp is a text that is on the stack of each goroutine at rest whose controller warms up, and on no other stack.
const warmUp = "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).Warmup("

// warmingUp tells whether a controller of the process warms up. Once it has returned false for a process, it always returns
// false for it. If a goroutine between a controller and its candidate's function has ended, nobody can tell whose controller
// that is: it counts for all processes. The caller holds w.mu, and all of the bubble is at rest.
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

// heldBack tells whether a message is a write to the lock that has to wait, since a controller of its process warms up. If so,
// it makes the post call again after warmStep. A write whose sender waits no more is not held back.
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
