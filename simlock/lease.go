package simlock

import (
	"interregnum/elector/machine"
)

// Lease is what a client's lock on a Lease object remembers between its calls: the object's life and version,
// as resourcelock.LeaseLock does in k8s.io/client-go. The zero value but for Key has called nothing yet.
type Lease struct {
	// Key names the object.
	Key string

	have         memory
	uid, version uint64
}

type memory uint8

const (
	// At first neither Get nor Create has returned.
	_ memory = iota
	// blank: a Create failed, and the typed client returned an empty object beside its error.
	blank
	known
)

// Prepare turns a call into a request. It fails, and nothing is sent, for an Update without an object or
// with an empty one, which has no name.
func (l *Lease) Prepare(verb machine.Verb, record *machine.Record, op *Op) bool {
	op.Verb, op.Key, op.UID, op.Version = verb, l.Key, 0, 0
	switch verb {
	case machine.Get:
		op.Record = machine.Record{}
	case machine.Create:
		op.Record.Set(record)
	case machine.Update:
		if l.have != known {
			return false
		}
		op.UID, op.Version = l.uid, l.version
		op.Record.Set(record)
	}
	return true
}

// Answered takes the service's answer to a call. Errors need no more than their status.
func (l *Lease) Answered(verb machine.Verb, r *Result) machine.Outcome {
	switch r.Status {
	case statusOK, statusCreated:
		l.have, l.uid, l.version = known, r.UID, r.Version
		return machine.Done
	case statusNotFound:
		l.Failed(verb)
		return machine.NotFound
	case statusConflict:
		l.Failed(verb)
		return machine.Conflict
	}
	l.Failed(verb)
	return machine.Failed
}

// Failed takes the end of a call that has no answer, or none but an error.
func (l *Lease) Failed(verb machine.Verb) {
	if verb == machine.Create {
		l.have = blank
	}
}

// Version is the version that the lock last saw: right after a write of its own, the fencing token.
func (l *Lease) Version() uint64 { return l.version }
