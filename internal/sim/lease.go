package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// leaseOf sends the coordinator's requests about the Lease, from its node n. It implements coordinated.Requests.
type leaseOf struct {
	w *world
	n *node
}

// Ask sends a request about the Lease, with that verb and record.
func (l leaseOf) Ask(verb machine.Verb, record *machine.Record) {
	request := machine.Request{Verb: verb}
	request.Record.Set(record)
	l.w.call(l.n, &l.n.wait, &request)
	l.w.leave()
}

// GiveUp ends the wait for the answer to the last request, and emits GaveUp with the cause TimedOut.
func (l leaseOf) GiveUp() { l.w.gaveUp(l.n, &l.n.wait, trace.TimedOut) }

// leaseAnswered hands the coordinator, node n, the answer in the message numbered ref to its request about the Lease.
func (w *world) leaseAnswered(n *node, ref int32) {
	m := w.messages.At(ref)
	verb := m.op.Verb
	w.answer(&n.wait, ref)
	w.coordinated.Answered(verb, m.result.Status, w.Input.Response.Outcome == machine.Done, &m.result.Record)
}
