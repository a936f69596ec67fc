package sim

import (
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
)

// startWork starts the work of the node's next term, whose token is the lock's version, and emits WorkStarted. The work writes
// the guarded resource at once, if the plan has it write at all. Where the plan says when OnStartedLeading returns, startWork
// arms a timer for that.
func (w *world) startWork(n *node) {
	n.term++
	n.working, n.token = true, n.lock.Version()
	e := w.Event(trace.WorkStarted, &n.Seat)
	e.Term, e.Version = n.term, n.token
	w.Emit(e)
	w.writeResource(n)
	if n.Plan.ReturnsAfter > 0 {
		w.armAfter(n, returnTimer, n.Plan.ReturnsAfter)
	}
}

// stopWork ends the context of the work, and emits WorkCancelled. With a drain it schedules the end of the work; without one the
// work ends at once, WorkEnded is emitted, and w.WorkOver is set.
func (w *world) stopWork(n *node) {
	n.working = false
	w.workEvent(trace.WorkCancelled, n, n.term, n.Incarnation)
	if n.Plan.Drain == 0 {
		w.workEvent(trace.WorkEnded, n, n.term, n.Incarnation)
		w.WorkOver = true
		return
	}
	ends := w.Now + clock.Instant(n.Plan.Drain)
	n.drains = append(n.drains, drain{
		term: n.term, incarnation: n.Incarnation, endsAt: ends, seq: w.Schedule(ends, drainDue, n.Index),
	})
}

// writeResource makes the work of the current term write the guarded resource: it emits ResourceWritten and arms the timer of the
// next write. Work that drains still writes. It does nothing if the work has ended, or if the plan has it write nothing.
func (w *world) writeResource(n *node) {
	if n.Plan.WriteEvery == 0 || !n.working && !n.draining() {
		return
	}
	e := w.Event(trace.ResourceWritten, &n.Seat)
	e.Term, e.Version = n.term, n.token
	w.Emit(e)
	w.armAfter(n, writeTimer, n.Plan.WriteEvery)
}

// workEvent emits an event of kind k about the work of a term of that incarnation.
func (w *world) workEvent(k trace.Kind, n *node, term, incarnation int32) {
	e := w.Event(k, &n.Seat)
	e.Term, e.Incarnation = term, incarnation
	w.Emit(e)
}

// believe stores in the node whether the candidate believes that it leads; does is the new value. If that changes, it emits
// BeliefBegan or BeliefEnded.
func (w *world) believe(n *node, does bool) {
	if does == n.believes {
		return
	}
	n.believes = does
	k := trace.BeliefEnded
	if does {
		k = trace.BeliefBegan
	}
	w.Emit(w.Event(k, &n.Seat))
}
