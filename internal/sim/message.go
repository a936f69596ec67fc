package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// transmit sends the request numbered ref and emits RequestSent. If the client's connection is yet to be made, the request waits
// for that, and transmit sends nothing. If the network loses the request, transmit emits RequestLost and frees it. Otherwise the
// request is in w.leaving: only leave schedules its arrival at the service, so that timers set in the same step go first.
func (w *world) transmit(n *node, ref int32) {
	m := w.messages.At(ref)
	if n.client != nil {
		if w.dial(n); w.connects(n, ref) {
			return
		}
		m.connection, n.client.idleAt = n.client.number, busy
	}
	e := w.Event(trace.RequestSent, &n.Seat)
	e.Incarnation, e.Request, e.Verb, e.Holder = m.incarnation, m.id, trace.Verb(m.op.Verb), m.op.Record.Holder
	e.Object = trace.Object(m.op.Object)
	lost, d := w.carry(n, m, plan.RequestLeg)
	if lost {
		w.Emit(e)
		w.messageEvent(trace.RequestLost, ref)
		w.messages.Free(ref)
		return
	}
	e.Amount = int64(d)
	w.Emit(e)
	w.leaving, w.leavingAt = ref, w.Now+d
}

// leave schedules the arrival of the request that the current step has sent, if it has sent one.
func (w *world) leave() {
	if w.leaving >= 0 {
		w.Schedule(w.leavingAt, requestDue, w.leaving)
		w.leaving = -1
	}
}

// respond sends the answer to the request numbered ref: it schedules when the answer arrives. If the network loses it, respond
// emits ResponseLost and frees the message.
func (w *world) respond(ref int32) {
	m := w.messages.At(ref)
	n := &w.nodes[m.node]
	lost, d := w.carry(n, m, plan.ResponseLeg)
	if lost {
		w.messageEvent(trace.ResponseLost, ref)
		w.messages.Free(ref)
		return
	}
	w.Schedule(w.Now+d, responseDue, ref)
}

// late emits that the answer in the message numbered ref comes when nobody waits for it, and frees the message.
func (w *world) late(ref int32) {
	w.messageEvent(trace.ResponseLate, ref)
	w.messages.Free(ref)
}

// messageEvent emits an event of kind k about the message numbered ref. RequestRefused and ResponseHandled also tell the HTTP
// status. RequestApplied and Written also tell the status, the version that the request was conditioned on, and what the object
// then says.
func (w *world) messageEvent(k trace.Kind, ref int32) {
	m := w.messages.At(ref)
	seat := &w.nodes[m.node].Seat
	if m.op.Verb == machine.Get && w.Passes(k, seat) {
		return
	}
	e := w.Event(k, seat)
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
		if e.Object.Expires() {
			e.Base = m.result.Replaced(m.op.Verb)
		}
	}
	w.Emit(e)
}
