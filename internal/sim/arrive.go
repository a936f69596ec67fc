package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/simlock"
)

// arrive handles the arrival at the service of the request numbered ref, and sends the answer. The service executes the
// request, refuses it, or executes it and yet answers with an error. There is no answer yet if the request has to wait for a
// seat, or is a Watch without news. A request that was lost with its connection (gone) is only freed.
func (w *world) arrive(ref int32) {
	m := w.messages.At(ref)
	if m.gone {
		w.messages.Free(ref)
		return
	}
	m.keptBack = 0
	n := &w.nodes[m.node]
	var refused network.Refusal
	if !w.calm() {
		if w.waitsForSeat(n, ref) {
			return
		}
		refused = w.arrival(n, m)
	}
	m.retryAfter = refused.RetryAfter
	if refused.Status != 0 {
		if refused.Applied && m.op.Verb != machine.Watch {
			w.apply(m, ref)
		}
		m.result = simlock.Result{Status: refused.Status}
		w.messageEvent(trace.RequestRefused, ref)
	} else {
		w.apply(m, ref)
		if w.waits(m, ref) {
			return
		}
	}
	w.respond(ref)
}

// waitsForSeat tells whether the request numbered ref, which has arrived, has to wait since the service has no seat free. It
// then emits RequestQueued and schedules the end of the wait, at which the request arrives once more. It returns false where
// seats are not limited, if the request has waited before, and if it is refused at once because too many wait. It sets
// m.queued, and m.turnedAway for a request that gets no seat.
func (w *world) waitsForSeat(n *node, ref int32) bool {
	m := w.messages.At(ref)
	if w.director != nil || m.queued || m.op.Verb == machine.Watch {
		return false
	}
	seats := w.network.Seats(&n.Line, m.op.Object)
	if seats == nil {
		return false
	}
	m.queued = true
	over, carriedOut := seats.Take(w.Now)
	m.turnedAway = !carriedOut
	if m.turnedAway && over == w.Now {
		return false
	}
	e := w.Event(trace.RequestQueued, &n.Seat)
	e.Incarnation, e.Request, e.Verb, e.Object = m.incarnation, m.id, trace.Verb(m.op.Verb), trace.Object(m.op.Object)
	e.Amount = int64(over - w.Now)
	w.Emit(e)
	w.Schedule(over, requestDue, ref)
	return true
}

// apply executes request m, numbered ref, in the service and emits an event about it. Before a request about a key it ends the
// key's entry, if its time is over. After a change of the Lease it tells the coordinator. After a change of the key, except a
// refresh, it answers the watches of the key.
func (w *world) apply(m *message, ref int32) {
	election := w.nodes[m.node].election
	if m.op.Object == simlock.Key {
		w.expire(election)
	}
	w.service.Apply(w.Now, election, &m.op, &m.result)
	w.applied(m, ref)
	switch {
	case !m.result.Changed || m.op.Verb == machine.Watch:
	case m.op.Object == simlock.Lease:
		w.coordinated.TellLease(true, &m.result.Record)
	case m.op.Object == simlock.Key:
		w.lookAt(election)
		if m.op.Verb != machine.Refresh {
			w.wake(election)
		}
	}
}

// applied emits the event that the service has executed request m, numbered ref: Written if that has changed the
// object, otherwise RequestApplied.
func (w *world) applied(m *message, ref int32) {
	k := trace.RequestApplied
	if m.result.Changed && m.op.Verb != machine.Watch {
		k = trace.Written
	}
	w.messageEvent(k, ref)
}

// waits returns true if request m, numbered ref, is a Watch with no change to report. The service then keeps it until the
// key changes.
func (w *world) waits(m *message, ref int32) bool {
	if m.op.Verb != machine.Watch || m.result.Changed {
		return false
	}
	w.service.Wait(w.nodes[m.node].election, ref)
	return true
}
