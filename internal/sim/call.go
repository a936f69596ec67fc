package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// send carries out the machine's call r of the lock. For a lock that expires by itself it first sets r.Record.Renew to shownTime.
// A Watch has a wait of its own, n.watch, and no timeout; any other call has n.wait, and its request's timeout starts (see
// armRequest). If the call fails at once, the answer is in w.Input, and w.Replied is true. The same holds for the Watch of a row,
// which cannot be watched: the answer is NoWatch.
func (w *world) send(n *node, r *machine.Request) {
	if n.expires {
		r.Record.Renew = w.shownTime(n)
	}
	switch {
	case r.Verb != machine.Watch:
		if w.call(n, &n.wait, r) {
			w.armRequest(n)
		}
	case !n.Plan.Lock.Watched():
		w.Reply(r.ID, machine.NoWatch)
	default:
		w.call(n, &n.watch, r)
	}
}

// shownTime returns the time that a candidate's request carries to the service. For a row that goes by its clients'
// clocks it is the candidate's wall clock, otherwise 0.
func (w *world) shownTime(n *node) machine.Wall {
	if n.Plan.Lock.ByCaller(n.Plan.Now) {
		return n.Clock.Now(w.Now).Wall
	}
	return 0
}

// armRequest starts the timeout of the request just sent, if the plan gives the candidate one. A request that waits in the
// client's limiter has no timeout yet. One that waits for its connection has. One that is sent again keeps the timeout that it
// had.
func (w *world) armRequest(n *node) {
	if n.Plan.RequestTimeout > 0 && (n.held == 0 || n.connecting) && n.repeats == 0 {
		w.armAfter(n, requestTimer, n.Plan.RequestTimeout)
	}
}

// call begins the lock call r of node n; c is to wait for its answer. It returns true if the first request is
// sent, or waits in the client. It returns false if the call has failed: the lock has no object to write, the context has ended
// (r.Ended), or the limiter refuses. The failure is then in w.Input as the answer, and w.Replied is true.
func (w *world) call(n *node, c *wait, r *machine.Request) bool {
	c.asked = r.ID
	ref, m := w.request(n, c)
	sendable := c.lock.Prepare(r.Verb, &r.Record, &m.op)
	c.verb, c.object, m.op.Fields = r.Verb, m.op.Object, r.Fields
	switch {
	case !sendable:
		w.failLocally(n, c, ref, trace.NoObject)
		return false
	case r.Ended:
		w.failLocally(n, c, ref, trace.ContextEnded)
		return false
	}
	c.scope = r.Scope
	return w.depart(n, c, ref)
}

// request makes and numbers the node's next request, and returns the message and its number ref. The
// caller fills in the message's op. From now on c waits for that request.
func (w *world) request(n *node, c *wait) (ref int32, m *message) {
	n.requests++
	c.inFlight = n.requests
	ref = w.messages.Next()
	m = w.messages.At(ref)
	m.node, m.incarnation, m.id, m.queued, m.turnedAway = n.Index, n.Incarnation, c.inFlight, false, false
	m.keptBack, m.gone = 0, false
	return ref, m
}

// sendNext sends the next request of a call whose last one was answered: c waits for the call of node n.
// No context has ended meanwhile: that would have ended the call. It returns false if the limiter refuses the request: the call
// has then failed, with the answer in w.Input.
func (w *world) sendNext(n *node, c *wait) bool {
	ref, m := w.request(n, c)
	c.lock.Next(&m.op)
	c.verb, c.object = m.op.Verb, m.op.Object
	return w.depart(n, c, ref)
}

// depart sends the request numbered ref, for which c waits. If c is n.wait, the wait of the present Run, the request can have to
// wait in the client's limiter first. A Watch and a request of a stray never do. depart returns false if the limiter refuses the
// request: the call has then failed, with the answer in w.Input.
func (w *world) depart(n *node, c *wait, ref int32) bool {
	if c == &n.wait {
		n.repeats = 0
		if n.client != nil {
			n.client.sent = w.messages.At(ref).op
		}
		if !w.calm() || n.client != nil {
			wait, ok := w.limited(n, ref)
			if !ok {
				w.failLocally(n, c, ref, trace.Throttled)
				return false
			}
			if wait > 0 {
				w.heldEvent(n, ref, wait, 0)
				w.hold(n, ref, wait)
				return true
			}
		}
	}
	w.transmit(n, ref)
	return true
}

// answer hands the answer in the message numbered ref to c, which waits for it, emits ResponseHandled, and frees the message. It
// returns true if the lock call is over; the call's outcome is then in w.Input. Otherwise the caller is to send the call's next
// request.
func (w *world) answer(c *wait, ref int32) (over bool) {
	m := w.messages.At(ref)
	w.messageEvent(trace.ResponseHandled, ref)
	c.inFlight = 0
	w.messages.Free(ref)
	outcome := c.lock.Answered(m.op.Verb, &m.result)
	if outcome == 0 {
		return false
	}
	w.Reply(c.asked, outcome)
	w.Input.Response.Object = c.lock.Life()
	if m.op.Verb == machine.Get && outcome == machine.Done {
		w.Input.Response.Record, w.Input.Response.Raw = c.lock.Found(&m.result)
	}
	return true
}
