package sim

import (
	"slices"

	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// returned handles the end of a node's Run. It emits RunReturned, and ends the node's belief and its waits. Then the process
// exits, the node runs again later, or the process goes on without this election, as the plan says. After a cancel the process
// does not exit. If a rollout has told the process to end, no other Run follows.
func (w *world) returned(n *node) {
	w.believe(n, false)
	w.Emit(w.Event(trace.RunReturned, &n.Seat))
	n.forsake()
	n.Life = seat.Left
	switch {
	case n.Plan.OnLoss == plan.LossExit && !n.cancelled:
		w.exit(n)
	case n.stage != present: // its process is about to end
	case n.Plan.RunsAgain():
		if later, again := w.rejoins(n); again {
			n.Life = seat.Resting
			w.scheduleStart(n, w.Now+clock.Instant(later))
		}
	}
}

// exit makes the process of a node exit, as os.Exit does, with all its nodes. If the plan gives the node a Rejoin, it
// schedules the next process.
func (w *world) exit(n *node) {
	n.Life = seat.Resting // the process is there until it exits
	w.crash(n.group, trace.Exited)
	if n.Plan.Rejoin != nil {
		w.beginAgain(n.group, clock.Instant(*n.Plan.Rejoin))
	}
}

// beginAgain schedules the next Runs of all nodes of a process that has ended or is yet to start, for the true time after from
// now. It does nothing if a rollout has told the process to end, or is yet to make its pod.
func (w *world) beginAgain(g *group, after clock.Instant) {
	if g.stage != present {
		return
	}
	for i := range w.members(g) {
		w.scheduleStart(&w.members(g)[i], w.Now+after)
	}
}

// crash ends the process and all it knows (see crashNode), with the cause why in the trace, and returns true. What came due while
// it was frozen is dropped. If the process does not run (see isThere), it does nothing and returns false.
func (w *world) crash(g *group, why trace.Cause) bool {
	if !w.isThere(g) {
		return false
	}
	for i := range w.members(g) {
		w.crashNode(&w.members(g)[i], why)
	}
	w.dropPending(g)
	return true
}

// isThere tells whether the process runs: a node of it is in a Run, is between two Runs, or has left something that goes on.
func (w *world) isThere(g *group) bool { return w.lives(g) || w.some(g, (*node).lingers) }

// lingers tells whether the node's Run has returned for good, but something goes on that a Run of its present incarnation has
// left behind: work that drains, or an attempt.
func (n *node) lingers() bool {
	return n.Life == seat.Left && (n.drainsOwn() || len(n.strays) > 0)
}

// drainsOwn tells whether work of the node drains that began in its present incarnation. Work of other nodes of the process does
// not count, nor does work that an earlier incarnation has left.
func (n *node) drainsOwn() bool {
	return slices.ContainsFunc(n.drains, func(d drain) bool { return d.incarnation == n.Incarnation })
}

// crashNode ends one node of a process that crashes, and emits Crashed with the cause why. It ends the node's work, its belief,
// its timers, its waits, the attempts that it left running, and a start that is scheduled. Work that an earlier process has left
// goes on.
func (w *world) crashNode(n *node, why trace.Cause) {
	e := w.Event(trace.Crashed, &n.Seat)
	e.Cause = why
	w.Emit(e)
	if n.working {
		n.working = false
		w.workEvent(trace.WorkCancelled, n, n.term, n.Incarnation)
		w.workEvent(trace.WorkEnded, n, n.term, n.Incarnation)
	}
	kept := n.drains[:0]
	for _, d := range n.drains {
		if d.incarnation != n.Incarnation {
			kept = append(kept, d) // of an earlier process, which left it running
			continue
		}
		w.workEvent(trace.WorkEnded, n, d.term, d.incarnation)
	}
	n.drains = kept
	n.strays = n.strays[:0]
	w.believe(n, false)
	n.Life = seat.Crashed
	n.forsake()
	n.startSeq = 0
	for t := range n.slots {
		n.slots[t].armed = false
	}
}

// dropPending drops the entries that came due while a process was frozen, since that process is gone. An answer among them counts
// as late.
func (w *world) dropPending(g *group) {
	for i := range g.pending {
		if e := &g.pending[i]; e.Kind == responseDue {
			w.late(e.Ref)
		}
	}
	g.pending = g.pending[:0]
}
