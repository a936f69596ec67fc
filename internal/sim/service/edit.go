package service

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/plan"
	"interregnum/simlock"
)

// Edit reads the Lease of an election, changes it and writes it back, all at the same instant, and returns the result of the
// write. If there is no Lease it creates one, provided that the edit gives a holder and a duration. Otherwise it writes
// nothing, and returns a zero Result.
func (s *Service) Edit(now clock.Instant, election int32, e *plan.Edit) simlock.Result {
	op := simlock.Op{Verb: machine.Get, Object: simlock.Lease, Key: s.NameOf(simlock.Lease, election)}
	r := s.records.Apply(&op)
	switch {
	case r.OK():
		op.Verb, op.UID, op.Version = machine.Update, r.UID, r.Version
		op.Record.Set(&r.Record)
	case e.Holder == nil || e.LeaseDuration == nil:
		return simlock.Result{}
	default:
		op.Verb = machine.Create
		op.Record.Renew, op.Record.Acquire = clock.Epoch+machine.Wall(now), machine.NoTime
	}
	applyEdit(e, &op.Record)
	return s.records.Apply(&op)
}

// applyEdit changes those fields of the record that the edit gives, and no others.
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

// set copies *from to *to, unless from is nil.
func set(to, from *string) {
	if from != nil {
		*to = *from
	}
}
