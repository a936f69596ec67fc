package explain

import (
	"interregnum/internal/trace"
)

// claimKind is why a candidate could take the lock.
type claimKind uint8

const (
	// tookOver: the events do not show why.
	tookOver claimKind = iota
	expired
	released
	wiped
	created
	deleted
	sameName
	// passedOver: the first of two objects was there already, and the candidate created the other one.
	passedOver
	// ranOut: the key was gone. outdated: the row's time was too long ago.
	ranOut
	outdated
)

// claim is how a candidate came by the lock.
type claim struct {
	kind claimKind
	// at is when its write was applied; name what it wrote.
	at   int64
	name string
	// object is the one that it wrote it to; of two the first.
	object trace.Object
	// before is the record that it replaced.
	before record
	// Of expired: the first write that looked the same as the last one, when it was seen, and how long it then waited
	// before it took the lease for run out. lasts is in true time, 0 where the rate of its clock has changed since.
	first        origin
	seenAt       int64
	lease, lasts int64
	// older is, of outdated, by how much the row looked older than it was.
	older int64
}
