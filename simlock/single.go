package simlock

import (
	"interregnum/elector/machine"
)

// Single is what a client's lock on one object remembers between its calls: the object's life and version, as LeaseLock,
// ConfigMapLock and EndpointsLock do in resourcelock of k8s.io/client-go. A Single with only the exported fields set has called
// nothing yet.
type Single struct {
	// Object and Key name the object.
	Object Object
	Key    string
	// Forgets says which failures leave the lock without an object.
	Forgets Forgetting

	have         memory
	uid, version uint64
}

// Forgetting says which failed calls leave a lock with the empty object that the typed client returns beside an error.
// An Update of an empty object has no name and is not sent.
type Forgetting uint8

// ForgetsByCreate is LeaseLock of client-go v0.37. ForgetsByRead is the three locks of v0.20 and v0.24, which keep
// their object when an Update fails. ForgetsByAny is the locks of v0.17.
const (
	ForgetsByCreate Forgetting = iota
	ForgetsByRead
	ForgetsByAny
)

// memory says whether a lock knows an object.
type memory uint8

const (
	// The zero value means that neither Get nor Create has returned yet.
	_ memory = iota
	// blank: the lock has an empty object.
	blank
	known
)

// Prepare turns a call into a request, which it stores in op. It returns true if the request is to be sent. It returns false for
// an Update if the lock has no object yet, or an empty one, which has no name.
func (l *Single) Prepare(verb machine.Verb, record *machine.Record, op *Op) bool {
	op.Verb, op.Object, op.Key, op.UID, op.Version = verb, l.Object, l.Key, 0, 0
	switch verb {
	case machine.Get:
		op.Record = machine.Record{}
	case machine.Create, machine.Patch:
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

// Answered returns the outcome of a call from the service's answer: Done for 200 and 201, NotFound for 404, Conflict for 409,
// Failed for any other. After a success it stores the object's life and version in the lock. After a failed Create, and after
// other failures if Forgets says so, the lock is left with an empty object.
func (l *Single) Answered(verb machine.Verb, r *Result) machine.Outcome {
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

// Failed tells the lock that a call of that verb has ended with an error or without an answer. After a failed Create, and after
// other failures if Forgets says so, the lock is left with an empty object.
func (l *Single) Failed(verb machine.Verb) {
	if verb == machine.Create || l.Forgets == ForgetsByAny || verb == machine.Get && l.Forgets == ForgetsByRead {
		l.have = blank
	}
}

// Next is never called: each call is one request.
func (l *Single) Next(*Op) {}

// Found returns the record that a successful Get has found. raw is always nil: such a record has no raw form.
func (l *Single) Found(r *Result) (record *machine.Record, raw []byte) { return &r.Record, nil }

// Life returns the UID of the object that the lock knows, 0 if it knows none. It differs for objects that had the
// same name one after the other: see machine.Response.Object.
func (l *Single) Life() uint64 {
	if l.have != known {
		return 0
	}
	return l.uid
}

// Version returns the version of its object that the lock last saw: right after a write of its own, that is the fencing token.
// It is 0 before the first answer.
func (l *Single) Version() uint64 { return l.version }
