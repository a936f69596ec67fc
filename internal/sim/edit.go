package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// editLease carries out fault i, which edits the Lease of its election: it is read and written back at the same
// instant. A Lease that is not there is created, if the edit says whose it is and for how long.
func (w *world) editLease(f *activeFault, i int32) {
	election := w.electionNamed(f.Election)
	op := simlock.Op{Verb: machine.Get, Object: simlock.Lease, Key: w.keyOf(simlock.Lease, election)}
	r := w.store.Apply(&op)
	switch {
	case r.OK():
		op.Verb, op.UID, op.Version = machine.Update, r.UID, r.Version
		op.Record.Set(&r.Record)
	case f.Holder == nil || f.Edit.LeaseDuration == nil:
		w.faultEvent(trace.FaultVoid, i)
		return
	default:
		op.Verb = machine.Create
		op.Record.Renew, op.Record.Acquire = clock.Epoch+machine.Wall(w.Now), machine.NoTime
	}
	applyEdit(&f.Edit, &op.Record)
	r = w.store.Apply(&op)
	if !r.Changed {
		w.faultEvent(trace.FaultVoid, i)
		return
	}
	w.ev = trace.Event{
		At: int64(w.Now), Kind: trace.Edited, Candidate: trace.Nobody, Fault: i,
		Version: r.Version, Holder: r.Record.Holder, Election: election,
	}
	w.emit(&w.ev)
	w.tellLease(true, &r.Record)
}

// applyEdit changes in the record what the edit gives, and nothing else.
func applyEdit(e *plan.Edit, r *machine.Record) {
	var c machine.Coordination
	if r.Coordination != nil {
		c = *r.Coordination
	}
	set(&r.Holder, e.Holder)
	set(&c.PreferredHolder, e.PreferredHolder)
	set(&c.Strategy, e.Strategy)
	if e.LeaseDuration != nil {
		r.DurationSeconds = int64(*e.LeaseDuration / time.Second)
	}
	r.Coordination = nil
	if c != (machine.Coordination{}) {
		r.Coordination = &c
	}
}

// set copies a text, unless from is nil.
func set(to, from *string) {
	if from != nil {
		*to = *from
	}
}
