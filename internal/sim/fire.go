package sim

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
)

// timerUp handles the queue entry e of a node's timer: the timer fires or, except for dialTimer, waits until a frozen process wakes. If the timer
// was set to a later time, it gets an entry there. timerUp does nothing if e is no longer the timer's entry, or if the timer
// is not set. A Retry that is due takes the short cut of exchange where it can.
func (w *world) timerUp(e *queue.Entry) {
	node, t := timerOf(e.Ref)
	n := &w.nodes[node]
	s := &n.slots[t]
	if !s.tracked || s.trackedAt != e.At || s.trackedSeq != e.Seq {
		return
	}
	s.tracked = false
	switch {
	case !s.set():
	case s.seq != e.Seq:
		w.track(n, t)
	case t != dialTimer && n.parks(e):
		s.queued = true
	case t == machine.Retry && w.exchange(n):
	default:
		w.fire(n, t)
	}
}

// live tells whether the timer of entry e, which is in the queue, may fire then: it was not stopped or set anew since.
func (w *world) live(e *queue.Entry) bool {
	node, t := timerOf(e.Ref)
	s := &w.nodes[node].slots[t]
	return s.set() && s.seq == e.Seq
}

// fire disarms timer t of a node, which is due, and does what it is for. A timer of the host gives up a request, makes the work
// write, sends what waits in the client, closes a stalled connection, dials again, or lets OnStartedLeading return. A timer of the
// machine is an input of the machine.
func (w *world) fire(n *node, t machine.Timer) {
	n.slots[t].armed = false
	switch t {
	case requestTimer:
		w.giveUp(n, trace.TimedOut)
		return
	case writeTimer:
		w.writeResource(n)
		return
	case limiterTimer:
		w.letGo(n)
		return
	case stallTimer:
		w.closeStalled(n)
		return
	case dialTimer:
		w.redial(n)
		return
	case dialledTimer:
		w.dialled(n)
		return
	case returnTimer:
		w.hand(n, machine.WorkReturned, 0)
		return
	}
	w.hand(n, machine.Fired, t)
}

// giveUp ends the wait for the request in flight when the host decides so, as at a timeout (see abandon), and has the machine
// take its next step, with the failure of the call as input. The cause why goes into the trace.
func (w *world) giveUp(n *node, why trace.Cause) {
	w.abandon(n, why)
	w.step(n, &w.Input)
}

// drainUp ends the work whose drain ends with entry e, and emits WorkEnded. If that work was of the current term and the Run goes
// on, it gives the machine the input WorkReturned. It does nothing if e no longer counts.
func (w *world) drainUp(e *queue.Entry) {
	n := &w.nodes[e.Ref]
	i := slices.IndexFunc(n.drains, func(d drain) bool { return d.seq == e.Seq })
	if i < 0 {
		return
	}
	d := n.drains[i]
	n.drains = slices.Delete(n.drains, i, i+1)
	w.workEvent(trace.WorkEnded, n, d.term, d.incarnation)
	if n.Life == seat.Running && d.term == n.term && d.incarnation == n.Incarnation {
		w.hand(n, machine.WorkReturned, 0)
	}
}
