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
	// pastRenewTime: by the candidate's own wall clock its LeaseDuration had passed since the record's renewTime.
	pastRenewTime
	// edited: somebody had edited the record, so that it named the candidate or nobody.
	edited
	// overwrote: the candidate's patch, which names no version, changed a record that the candidate had not read.
	overwrote
)

// claim is how a candidate came by the lock.
type claim struct {
	kind claimKind
	// at is when its write was applied, and name is the holder that it wrote.
	at   int64
	name string
	// object is the object that it wrote; of two, the first.
	object trace.Object
	// before is the record that it replaced.
	before record
	// These count for expired. first is the first write that looked the same as the last one, and seenAt is when the
	// candidate saw it. lease is how long the candidate then waited before it took the lease for run out. lasts is the
	// same in true time, 0 if the rate of its clock has changed since.
	first        origin
	seenAt       int64
	lease, lasts int64
	// older counts for outdated: it is by how much the row looked older than it was.
	older int64
}
