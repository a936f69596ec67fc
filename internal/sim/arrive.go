package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/fate"
	"interregnum/internal/trace"
	"interregnum/simlock"
)

// arrive handles the arrival at the service of the request numbered ref. The service executes it (see apply), refuses it, or
// executes it and yet answers with an error; it never executes a Watch that it refuses. For an error arrive emits RequestRefused.
// Then it sends the answer, except to a request that has to wait for a seat, and to a Watch without news. A request that was lost
// with its connection (m.gone) is only freed.
func (w *world) arrive(ref int32) {
	m := w.messages.At(ref)
	if m.gone {
		w.messages.Free(ref)
		return
	}
	m.keptBack = 0
	n := &w.nodes[m.node]
	var refused fate.Refusal
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

// waitsForSeat tells whether the request numbered ref, which has arrived, has to wait for a seat of the service. If so, it emits
// RequestQueued and schedules the end of the wait, at which the request arrives once more. It returns false if seats are not
// limited, under a director, for a Watch, if the request has asked for a seat before, and if it is refused at once because too
// many wait. Where seats are limited it sets m.queued, and m.turnedAway for a request that is to get no seat, at once or after
// its wait.
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

// apply executes request m, numbered ref, in the service, and emits Written or RequestApplied (see applied). Before a request
// about a key it removes the key's entry, if that has run out. After a change of the Lease it tells the coordinator. After a
// change of the key it schedules the check at which the entry runs out; unless the change is a refresh, it also answers the
// watches of the key.
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

// applied emits the event that the service has executed request m, numbered ref: Written if the request has changed the object,
// otherwise RequestApplied. A Watch changes nothing.
func (w *world) applied(m *message, ref int32) {
	k := trace.RequestApplied
	if m.result.Changed && m.op.Verb != machine.Watch {
		k = trace.Written
	}
	w.messageEvent(k, ref)
}

// waits tells whether request m, numbered ref, is a Watch with no change to report. If so, it leaves the request at the service,
// which answers it when the key changes.
func (w *world) waits(m *message, ref int32) bool {
	if m.op.Verb != machine.Watch || m.result.Changed {
		return false
	}
	w.service.Wait(w.nodes[m.node].election, ref)
	return true
}
