package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// message is a request on its way, then its answer on its way back.
type message struct {
	// incarnation is which of the node's processes sent it, id its number among all that the node sent.
	node, incarnation int32
	id                uint64

	op     simlock.Op
	result simlock.Result
}

// send makes the machine's call of the lock.
func (w *world) send(n *node, r *machine.Request) {
	if n.plan.Lock.Expires() {
		w.sendExpiring(n, r)
		return
	}
	if w.call(n, n.elector, &n.wait, r) {
		w.armRequest(n)
	}
}

// armRequest starts the timeout of the request just sent. One that waits in the client's limiter has none yet.
func (w *world) armRequest(n *node) {
	if n.plan.RequestTimeout > 0 && n.held == 0 {
		w.armAfter(n, requestTimer, n.plan.RequestTimeout)
	}
}

// call begins a call of the lock and tells whether its first request is sent, or waits in the client's limiter. If
// not, the call has failed, and the answer to the machine is in w.input.
func (w *world) call(n *node, by *elector, c *wait, r *machine.Request) bool {
	c.asked = r.ID
	ref, m := w.request(n, by, c)
	sendable := c.lock.Prepare(r.Verb, &r.Record, &m.op)
	c.verb, c.object = r.Verb, m.op.Object
	switch {
	case !sendable:
		w.failLocally(n, c, ref, trace.NoObject)
		return false
	case r.Ended:
		w.failLocally(n, c, ref, trace.ContextEnded)
		return false
	}
	w.depart(n, c, ref)
	return true
}

// request makes and numbers the node's next request, its op yet to be filled in, and has c wait for it.
func (w *world) request(n *node, by *elector, c *wait) (ref int32, m *message) {
	n.requests++
	c.inFlight = n.requests
	ref = w.messages.Next()
	m = w.messages.At(ref)
	m.node, m.incarnation, m.id = n.index, by.process, c.inFlight
	return ref, m
}

// goOn sends the next request of a call whose last one was answered. No context has ended meanwhile: that would have
// ended the call.
func (w *world) goOn(n *node, by *elector, c *wait) {
	ref, m := w.request(n, by, c)
	c.lock.Next(&m.op)
	c.verb, c.object = m.op.Verb, m.op.Object
	w.depart(n, c, ref)
}

// depart sends a request, or has it wait in the client's limiter first.
func (w *world) depart(n *node, c *wait, ref int32) {
	if c == &n.wait {
		if wait := w.limited(n, ref); wait > 0 {
			w.hold(n, ref, wait)
			return
		}
	}
	w.transmit(n, ref)
}

// transmit sends a request. What leaves is due at the service only once w.leave is called, so that timers set in the same
// step go first.
func (w *world) transmit(n *node, ref int32) {
	m := w.messages.At(ref)
	e := w.event(trace.RequestSent, n)
	e.Incarnation, e.Request, e.Verb, e.Holder = m.incarnation, m.id, trace.Verb(m.op.Verb), m.op.Record.Holder
	e.Object = trace.Object(m.op.Object)
	lost, d := w.wayOut(n, m)
	if lost {
		w.emit(e)
		w.messageEvent(trace.RequestLost, ref)
		w.messages.Free(ref)
		return
	}
	e.Amount = int64(d)
	w.emit(e)
	w.leaving, w.leavingAt = ref, w.Now+d
}

// leave schedules the arrival of the request that the current step has sent, if it has sent one.
func (w *world) leave() {
	if w.leaving >= 0 {
		w.Schedule(w.leavingAt, requestDue, w.leaving)
		w.leaving = -1
	}
}

// failLocally fails a call whose request is not sent, and leaves that answer in w.input.
func (w *world) failLocally(n *node, c *wait, ref int32, why trace.Cause) {
	w.messages.Free(ref)
	e := w.event(trace.LocalError, n)
	e.Verb, e.Object, e.Cause = trace.Verb(c.verb), trace.Object(c.object), why
	w.emit(e)
	w.failed(c)
}

// arrive is a request's arrival at the service, which acts at once.
func (w *world) arrive(ref int32) {
	m := w.messages.At(ref)
	n := &w.nodes[m.node]
	if status, applied := w.arrival(n, m); status != 0 {
		if applied && m.op.Verb != machine.Watch {
			w.apply(m, ref)
		}
		m.result = simlock.Result{Status: status}
		w.messageEvent(trace.RequestRefused, ref)
	} else {
		w.apply(m, ref)
		if w.waits(m, ref) {
			return
		}
	}
	w.respond(ref)
}

// respond sends the answer.
func (w *world) respond(ref int32) {
	m := w.messages.At(ref)
	n := &w.nodes[m.node]
	lost, d := w.wayBack(n, m)
	if lost {
		w.messageEvent(trace.ResponseLost, ref)
		w.messages.Free(ref)
		return
	}
	w.Schedule(w.Now+d, responseDue, ref)
}

// wayOut is whether a request is lost, and else how long it takes to the service.
func (w *world) wayOut(n *node, m *message) (lost bool, d clock.Instant) {
	if w.director != nil {
		return w.sent(n, m)
	}
	return w.network.Carry(&n.line, plan.RequestLeg, m.op.Object)
}

// arrival is the error that the service answers, 0 for none, and whether it does what was asked for all that.
func (w *world) arrival(n *node, m *message) (status int, applied bool) {
	if w.director != nil {
		a := w.director.Arrived(int(n.index), m.id, time.Duration(w.Now))
		for _, s := range a.Starts {
			w.scheduleStart(&w.nodes[s.Candidate], w.Now+clock.Instant(s.Later))
		}
		return a.Status, a.Applied
	}
	return w.network.Refuses(&n.line, &m.op)
}

// wayBack is whether an answer is lost, and else how long it takes to the candidate.
func (w *world) wayBack(n *node, m *message) (lost bool, d clock.Instant) {
	if w.director != nil {
		b := w.director.Answered(int(n.index), m.id, time.Duration(w.Now))
		return b.Lost, clock.Instant(b.Delay)
	}
	return w.network.Carry(&n.line, plan.ResponseLeg, m.op.Object)
}

// applied tells of a request that has taken effect.
func (w *world) applied(m *message, ref int32) {
	k := trace.RequestApplied
	if m.result.Changed && m.op.Verb != machine.Watch {
		k = trace.Written
	}
	w.messageEvent(k, ref)
}

// receive handles an answer that arrives at its candidate, unless the process is frozen.
func (w *world) receive(e *queue.Entry) {
	m := w.messages.At(e.Ref)
	n := &w.nodes[m.node]
	watching := n.watching(m)
	switch {
	case m.id != n.inFlight && !watching:
		w.receiveAside(n, e)
	case n.parks(e):
	case watching:
		w.handleWatch(n, e.Ref)
	case n.coordinates():
		w.coordinatorAnswered(n, e.Ref)
	default:
		w.handle(n, e.Ref)
	}
}

// handle takes in the answer that the node waits for. The machine goes on if the call is over; else the call's next request is sent.
func (w *world) handle(n *node, ref int32) {
	n.disarm(requestTimer)
	if w.answer(&n.wait, ref) {
		w.step(n, &w.input)
		return
	}
	w.goOn(n, n.elector, &n.wait)
	w.armRequest(n)
	w.leave()
}

// answer ends a wait with an answer. It tells whether the call is over: what came of it then is in w.input.
func (w *world) answer(c *wait, ref int32) (over bool) {
	m := w.messages.At(ref)
	w.messageEvent(trace.ResponseHandled, ref)
	c.inFlight = 0
	w.messages.Free(ref)
	outcome := c.lock.Answered(m.op.Verb, &m.result)
	if outcome == 0 {
		return false
	}
	w.input = machine.Input{}
	w.input.Kind, w.input.Response.ID, w.input.Response.Outcome = machine.Responded, c.asked, outcome
	w.input.Response.Object = c.lock.Life()
	if m.op.Verb == machine.Get && outcome == machine.Done {
		w.input.Response.Record, w.input.Response.Raw = c.lock.Found(&m.result)
	}
	return true
}

// messageEvent emits an event of that kind about a message.
func (w *world) messageEvent(k trace.Kind, ref int32) {
	m := w.messages.At(ref)
	e := w.event(k, &w.nodes[m.node])
	e.Incarnation, e.Request, e.Verb = m.incarnation, m.id, trace.Verb(m.op.Verb)
	e.Object = trace.Object(m.op.Object)
	switch k {
	case trace.RequestRefused, trace.ResponseHandled:
		e.Status = int16(m.result.Status)
	case trace.RequestApplied, trace.Written:
		r := &m.result
		e.Status, e.Base = int16(r.Status), m.op.Version
		e.Version, e.Holder = r.Version, r.Record.Holder
		e.Transitions, e.Amount = r.Record.Transitions, r.Record.DurationSeconds
		if m.op.Object >= simlock.Key {
			e.Base = m.result.Replaced(m.op.Verb)
		}
	}
	w.emit(e)
}
