package sim

import (
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
)

// receive takes the answer in the message of entry e, which arrives at its candidate. The answer to a Watch goes to handleWatch,
// one to the coordinator to leaseAnswered, and any other that the present Run waits for to handle. If the process is frozen, such
// an answer is kept until the process wakes. An answer for which nobody waits counts as late. One that was lost with its connection
// (m.gone) is only freed.
func (w *world) receive(e *queue.Entry) {
	m := w.messages.At(e.Ref)
	if m.gone {
		w.messages.Free(e.Ref)
		return
	}
	m.keptBack = 0
	n := &w.nodes[m.node]
	watching := m.id == n.watch.inFlight
	switch {
	case m.id != n.inFlight && !watching:
		if !w.strayTakes(n, e) {
			w.late(e.Ref)
		}
	case n.parks(e):
	case watching:
		w.handleWatch(n, e.Ref)
	case n.Life == seat.Serving:
		w.leaseAnswered(n, e.Ref)
	default:
		w.handle(n, e.Ref)
	}
}

// handle takes the answer that the node waits for, in the message numbered ref; its client has then read from its connection. If
// the answer asks for it, the client sends the same request again later. Otherwise, if the lock call is over, the machine goes
// on; if it is not, the call's next request is sent.
func (w *world) handle(n *node, ref int32) {
	w.noteRead(n)
	w.rests(n)
	if w.repeat(n, ref) {
		return
	}
	n.disarm(requestTimer)
	if w.answer(&n.wait, ref) || !w.sendNext(n, &n.wait) {
		w.step(n, &w.Input)
		return
	}
	w.armRequest(n)
	w.leave()
}

// handleWatch ends the node's Watch with the answer in the message numbered ref, and has the machine take its next step.
func (w *world) handleWatch(n *node, ref int32) {
	w.answer(&n.watch, ref)
	w.step(n, &w.Input)
}
