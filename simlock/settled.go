package simlock

import "interregnum/elector/machine"

// This file has calls of a lock in one go, for a simulation that knows how they end: see machine.Machine.Settled.

// Peek returns the record that a Get would find in the store now, nil if there is no object. current tells whether an
// Update would replace the version that is there. Peek changes nothing. The record is the store's.
func (l *Single) Peek(s *Store) (found *machine.Record, current bool) {
	o := s.find(l.Key)
	if o == nil {
		return nil, false
	}
	return &o.record, l.have == known && l.version == o.version // no two objects of a store ever have the same version
}

// Look is a Get of an object that is there.
func (l *Single) Look(s *Store) {
	o := s.find(l.Key)
	l.have, l.uid, l.version = known, o.uid, o.version
}

// Renew is an Update that succeeds. It tells whether that has changed the object.
func (l *Single) Renew(s *Store, r *machine.Record) (changed bool) {
	o := s.find(l.Key)
	changed = s.replace(o, r)
	l.version = o.version
	return changed
}
