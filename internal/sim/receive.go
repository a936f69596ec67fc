package sim

import "interregnum/internal/sim/queue"

// receive handles an answer that arrives at its candidate, unless the process is frozen.
func (w *world) receive(e *queue.Entry) {
	m := w.messages.At(e.Ref)
	n := &w.nodes[m.node]
	watching := m.id == n.watch.inFlight
	switch {
	case m.id != n.inFlight && !watching:
		w.receiveAside(n, e)
	case n.parks(e):
	case watching:
		w.handleWatch(n, e.Ref)
	case n.coordinates:
		w.leaseAnswered(n, e.Ref)
	default:
		w.handle(n, e.Ref)
	}
}

// handle takes in the answer that the node waits for. The machine goes on if the call is over; otherwise the call's
// next request is sent.
func (w *world) handle(n *node, ref int32) {
	n.disarm(requestTimer)
	if w.answer(&n.wait, ref) {
		w.step(n, &w.input)
		return
	}
	w.sendNext(n, n.elector, &n.wait)
	w.armRequest(n)
	w.leave()
}

// handleWatch takes in the answer of a node's watch, the message numbered ref, and gives it to the node's machine.
func (w *world) handleWatch(n *node, ref int32) {
	w.answer(&n.watch, ref)
	w.step(n, &w.input)
}
