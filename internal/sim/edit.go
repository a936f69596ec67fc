package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// editLease reads the Lease and writes it back, at once. Where there is none it is created, if the edit says whose it is
// and for how long.
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
		op.Record.Renew, op.Record.Acquire = epoch+machine.Wall(w.now), machine.NoTime
	}
	applyEdit(&f.Edit, &op.Record)
	r = w.store.Apply(&op)
	if !r.Changed {
		w.faultEvent(trace.FaultVoid, i)
		return
	}
	w.ev = trace.Event{
		At: int64(w.now), Kind: trace.Edited, Candidate: trace.Nobody, Fault: i,
		Version: r.Version, Holder: r.Record.Holder, Election: election,
	}
	w.emit(&w.ev)
	w.tellLease(true, &r.Record)
}

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

func set(to, from *string) {
	if from != nil {
		*to = *from
	}
}
