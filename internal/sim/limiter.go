package sim

import (
	"time"

	"interregnum/internal/trace"
)

// A request may wait in the client's rate limiter before it leaves, under a rule that has it do so. That wait is on the
// candidate's clock and in its process: a freeze delays it, and a context that ends ends it, so that the request is never sent.
// Only then does the client's timeout start (k8s.io/client-go rest/request.go, where the limiter goes before the timeout).

// limited is for how long a request of n, about to be sent, waits in the client's limiter under the rules in force now.
func (w *world) limited(n *node, ref int32) (wait time.Duration) {
	m := w.messages.At(ref)
	if w.director != nil {
		return w.called(n, m)
	}
	return w.network.Holds(&n.line, m.op.Object)
}

// hold has a request wait in the client's limiter for that long, on the node's clock.
func (w *world) hold(n *node, ref int32, wait time.Duration) {
	n.held = ref + 1
	w.armAfter(n, limiterTimer, wait)
}

// letGo sends the request that has waited in the limiter, and starts its timeout.
func (w *world) letGo(n *node) {
	ref := n.held - 1
	n.held = 0
	w.transmit(n, ref)
	w.armRequest(n)
	w.leave()
}

// unsent fails the call whose request still waits in the limiter; that request is never sent.
func (w *world) unsent(n *node) {
	ref := n.held - 1
	w.forget(n)
	w.failLocally(n, &n.wait, ref, trace.ContextEnded)
}

// forget takes the request that waits out of the limiter.
func (w *world) forget(n *node) {
	n.held = 0
	n.disarm(limiterTimer)
}
