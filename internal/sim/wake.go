package sim

import (
	"slices"

	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
)

// resume ends the pause of a process by the fault with that index. After the last pause the process wakes: it emits Resumed for
// each of its nodes, and handles what has come due meanwhile, in order; with AnswersFirst in that fault all answers come before the rest.
// resume does nothing if that pause has ended already, because the process was killed.
func (w *world) resume(g *group, fault int32) {
	i := slices.Index(g.pauses, fault)
	if i < 0 {
		return
	}
	g.pauses = slices.Delete(g.pauses, i, i+1)
	if g.paused--; g.paused > 0 {
		return
	}
	w.thaw(g)
	g.pending, g.handled = g.handled[:0], g.pending
	if w.faults[fault].AnswersFirst {
		slices.SortStableFunc(g.handled, answersFirst)
	}
	for i := range g.handled {
		w.handlePending(&g.handled[i])
	}
}

// answersFirst compares two entries by whether they are answers: an answer comes before any other entry.
func answersFirst(a, b queue.Entry) int {
	rank := func(e queue.Entry) int {
		if e.Kind == responseDue {
			return 0
		}
		return 1
	}
	return rank(a) - rank(b)
}

// handlePending does what an entry is for that came due while the process was frozen: it fires a timer, takes an answer, starts a
// Run, ends the wait of a stray, ends a connection, cancels a Run, or goes on with the coordinated election. It ignores an entry
// that no longer counts, such as a timer that was stopped meanwhile.
func (w *world) handlePending(e *queue.Entry) {
	switch e.Kind {
	case timerDue:
		node, t := timerOf(e.Ref)
		n := &w.nodes[node]
		if s := &n.slots[t]; s.armed && s.queued && s.seq == e.Seq {
			w.fire(n, t)
		}
	case responseDue:
		w.receive(e)
	case startDue:
		w.startUp(e)
	case strayDue:
		w.strayUp(e)
	case resetDue:
		if n := &w.nodes[e.Ref]; n.Life == seat.Running && n.inFlight == e.Seq {
			w.connectionLost(n)
		}
	case cancelDue:
		if n := &w.nodes[e.Ref]; n.Life == seat.Running {
			w.cancelNow(n)
		}
	default:
		w.coordinated.Do(e)
	}
}
