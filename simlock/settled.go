package simlock

import "interregnum/elector/machine"

// This file has calls of a lock in one go, for a simulation that knows how they end: see machine.Machine.Settled.

// Sight is an object that a lock has found in the store, or the lack of one. It is valid until the next write to the store.
type Sight struct{ object *object }

// Peek returns the object that a Get would find in the store now. It changes nothing.
func (l *Single) Peek(s *Store) Sight {
	if s.last != nil && s.last.uid == l.uid { // no other object ever has that UID
		return Sight{s.last}
	}
	return Sight{s.find(l.Key)}
}

// Record returns the object's record, nil if there is no object. The record is the store's own, not a copy.
func (i Sight) Record() *machine.Record {
	if i.object == nil {
		return nil
	}
	return &i.object.record
}

// Current tells whether an Update by the lock would be accepted now: the lock's version is the object's. i must have an object.
// No two objects of a store ever have the same version.
func (l *Single) Current(i Sight) bool { return l.have == known && l.version == i.object.version }

// Look does what a Get that finds the object does: the lock then knows the object's life and version. It returns the life, as
// Life would.
func (l *Single) Look(i Sight) (life uint64) {
	l.have, l.uid, l.version = known, i.object.uid, i.object.version
	return l.uid
}

// Renew does what an Update of the object that succeeds does: it writes r, and the lock then knows the object's new version. The
// lock must be Current. It tells whether the write has changed the object.
func (l *Single) Renew(s *Store, i Sight, r *machine.Record) (changed bool) {
	changed = s.replace(i.object, r)
	l.version = i.object.version
	return changed
}
