package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/simlock"
)

// arrive handles a request's arrival at the service, which acts at once.
func (w *world) arrive(ref int32) {
	m := w.messages.At(ref)
	n := &w.nodes[m.node]
	var status int
	var applied bool
	if !w.calm() {
		status, applied = w.arrival(n, m)
	}
	if status != 0 {
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

// apply executes a request in the service. It tells the coordinator if that changes the Lease, and answers the watches of a key that
// has changed.
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

// applied emits the event that a request has taken effect.
func (w *world) applied(m *message, ref int32) {
	k := trace.RequestApplied
	if m.result.Changed && m.op.Verb != machine.Watch {
		k = trace.Written
	}
	w.messageEvent(k, ref)
}

// waits tells whether a request is a watch with nothing to tell yet, and keeps it at the service until the key changes.
func (w *world) waits(m *message, ref int32) bool {
	if m.op.Verb != machine.Watch || m.result.Changed {
		return false
	}
	w.service.Wait(w.nodes[m.node].election, ref)
	return true
}
