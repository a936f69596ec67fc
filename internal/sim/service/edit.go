package service

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// Edit edits the Lease of an election: it is read and written back at the same instant. A Lease that is not there is created,
// if the edit says whose it is and for how long.
func (s *Service) Edit(now clock.Instant, election int32, e *plan.Edit) simlock.Result {
	op := simlock.Op{Verb: machine.Get, Object: simlock.Lease, Key: Name(simlock.Lease, s.elections[election])}
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
