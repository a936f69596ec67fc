package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/simlock"
)

// Edit is what somebody changes in the Lease by hand; nil leaves it.
type Edit struct {
	Holder, PreferredHolder, Strategy *string
	// LeaseDuration is in whole seconds.
	LeaseDuration *time.Duration
}

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
	f.Edit.apply(&op.Record)
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

func (e *Edit) apply(r *machine.Record) {
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

func (v *planCheck) edit(f *Fault) {
	if f.Edit == (Edit{}) {
		v.fail("", "an edit needs holder, preferredHolder, strategy or leaseDuration")
	}
	if !v.locked[simlock.Lease] {
		v.fail("", "an edit is of the Lease, and no candidate's lock is on one")
	}
	for _, name := range []struct {
		field string
		value *string
	}{{"holder", f.Holder}, {"preferredHolder", f.PreferredHolder}, {"strategy", f.Strategy}} {
		if s := name.value; s != nil && *s != "" {
			v.name(name.field, *s)
		}
	}
	if d := f.Edit.LeaseDuration; d != nil && (*d < time.Second || *d > MaxDuration || *d%time.Second != 0) {
		v.fail("leaseDuration", "%v is not what a Lease can say; want whole seconds, 1s to 87600h", *d)
	}
}
