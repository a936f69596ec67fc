package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// failLocally fails the call that c waits for, because its request, numbered ref, is not sent. It frees the message, emits
// LocalError with the cause why, and leaves the failure in w.Input as the answer, with w.Replied set.
func (w *world) failLocally(n *node, c *wait, ref int32, why trace.Cause) {
	w.messages.Free(ref)
	e := w.Event(trace.LocalError, &n.Seat)
	e.Verb, e.Object, e.Cause = trace.Verb(c.verb), trace.Object(c.object), why
	w.Emit(e)
	w.failed(c)
}

// abandon ends the client's wait for the request in flight, with the cause why in the trace, and leaves in w.Input that the call
// has failed. The request itself goes on, but if it still waits in the client it is never sent. With HTTP/1.1 the client also
// ends its connection.
func (w *world) abandon(n *node, why trace.Cause) {
	if n.held > 0 {
		w.unsent(n, why)
		return
	}
	n.disarm(requestTimer)
	if n.client != nil && n.client.open && n.Plan.Client.HTTP1 {
		w.hangUp(n)
	}
	w.rests(n)
	w.gaveUp(n, &n.wait, why)
}

// unsent fails the call whose request still waits in the client: it emits LocalError with the cause why, and leaves the failure
// in w.Input. The request is never sent. If it waited for a token, the token is given back.
func (w *world) unsent(n *node, why trace.Cause) {
	ref := n.held - 1
	n.held = 0
	n.disarm(limiterTimer)
	n.disarm(requestTimer)
	if n.Plan.Client.Limits() && !n.resting && !n.connecting {
		n.client.limiter.Cancel(n.Clock.Mono(w.Now))
	}
	n.resting, n.connecting = false, false
	w.failLocally(n, &n.wait, ref, why)
}

// unwatch ends the node's wait for the answer to its Watch, and emits GaveUp with the cause ContextEnded. The service does not
// learn of that, and nobody gets the answer.
func (w *world) unwatch(n *node) {
	c := &n.watch
	e := w.Event(trace.GaveUp, &n.Seat)
	e.Request, e.Verb, e.Cause, e.Object = c.inFlight, trace.Watch, trace.ContextEnded, trace.Object(c.object)
	w.Emit(e)
	c.inFlight = 0
}

// gaveUp ends the wait c of node n without an answer: it emits GaveUp with the cause why, and leaves in w.Input that the call
// has failed.
func (w *world) gaveUp(n *node, c *wait, why trace.Cause) {
	w.gaveUpEvent(n, c, why)
	w.failed(c)
}

// gaveUpEvent emits GaveUp: node n no longer waits for the answer to the request that c has in flight, for the cause why. It
// does not end the wait.
func (w *world) gaveUpEvent(n *node, c *wait, why trace.Cause) {
	e := w.Event(trace.GaveUp, &n.Seat)
	e.Request, e.Verb, e.Cause = c.inFlight, trace.Verb(c.verb), why
	e.Object = trace.Object(c.object)
	w.Emit(e)
}

// failed ends the wait c, and leaves in w.Input, for the machine's next step, that the call has failed.
func (w *world) failed(c *wait) {
	c.lock.Failed(c.verb)
	w.Reply(c.asked, machine.Failed)
	c.inFlight = 0
}
