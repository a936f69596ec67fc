package simlock

import (
	"time"

	"interregnum/elector/machine"
)

// Expiring is what a client's lock on a Key or a Row remembers between its calls, as elector/etcdlock and elector/sqllock do.
// Make one with NewExpiring for each process: another process under the same name is another holder.
type Expiring struct {
	object   Object
	key      string
	identity string
	ttl      time.Duration
	// marks counts the marks that the locks of a store have used. mark is this lock's: it is in each entry that the
	// lock makes, until the lock disowns them.
	marks *uint64
	mark  uint64
	// token is the own entry's fencing token, 0 until an answer tells it.
	token uint64
	// seen is the count of the key's changes in the last answer.
	seen uint64
}

// NewExpiring returns a lock on the key, of kind o, that has called nothing yet. identity is the holder in its entries, and ttl
// is how long they last. All locks of a store share the counter marks; NewExpiring takes the next mark from it.
func NewExpiring(o Object, key, identity string, ttl time.Duration, marks *uint64) *Expiring {
	l := &Expiring{object: o, key: key, identity: identity, ttl: ttl, marks: marks}
	l.disown()
	return l
}

// disown takes a new mark, so that the entries which the lock has made so far count as another holder's.
func (l *Expiring) disown() {
	*l.marks++
	l.mark, l.token = *l.marks, 0
}

// Prepare turns a call into a request, which it stores in op. The record's Renew is the caller's time, or 0 to have the service
// use its own. It returns true if the request is to be sent, and false only for a Watch of a lock that cannot be watched. A
// Create or Replace forgets the token; after a Resign the lock no longer owns its entry.
func (l *Expiring) Prepare(verb machine.Verb, record *machine.Record, op *Op) bool {
	*op = Op{Verb: verb, Object: l.object, Key: l.key, UID: l.mark, TTL: l.ttl}
	op.Record.Renew = record.Renew
	switch verb {
	case machine.Create, machine.Replace:
		l.token = 0
		op.Record.Holder = l.identity
	case machine.Refresh:
		op.Version = l.token
		op.Record.Holder = l.identity
	case machine.Resign:
		// This release may still be under way at a later call, which must not refresh what was made before.
		l.disown()
	case machine.Watch:
		op.Version = l.seen
		return l.object == Key
	}
	return true
}

// Answered returns the outcome of a call from the service's answer. It stores the answer's count of changes in the
// lock, and after a Create, Replace or Refresh that succeeded also the token. Of the answer to a Watch that succeeded,
// and of errors other than 404 and 409, it stores nothing.
func (l *Expiring) Answered(verb machine.Verb, r *Result) machine.Outcome {
	switch r.Status {
	case statusOK, statusCreated:
	case statusNotFound:
		l.seen = r.UID
		return machine.NotFound
	case statusConflict:
		l.seen = r.UID
		return machine.Conflict
	default:
		return machine.Failed
	}
	switch verb {
	case machine.Create, machine.Replace, machine.Refresh:
		l.token = r.Version
	case machine.Watch:
		return machine.Done
	}
	l.seen = r.UID
	return machine.Done
}

// Failed is called when a call has ended without an answer. It does nothing.
func (l *Expiring) Failed(machine.Verb) {}

// Next is never called: each call is one request.
func (l *Expiring) Next(*Op) {}

// Found returns the record that a successful Get has found. raw is always nil: such a record has no raw form.
func (l *Expiring) Found(r *Result) (record *machine.Record, raw []byte) { return &r.Record, nil }

// Version returns the fencing token of the lock's own entry, 0 if it is not known.
func (l *Expiring) Version() uint64 { return l.token }

// Replaced returns the token of the entry that a write on a Key or Row has changed or ended. It is 0 if there was no entry, or if
// the write was refused. A refresh counts as a write even if it changes nothing.
func (r *Result) Replaced(verb machine.Verb) uint64 {
	switch {
	case !r.OK():
		return 0
	case verb == machine.Refresh, verb == machine.Resign:
		return r.Version
	case verb == machine.Replace && r.Status == statusOK:
		return r.Version - 1
	}
	return 0
}

// answer overwrites r with a status and an entry of that holder and token, which lasts op.TTL. n is the entry's number among all
// entries of its lock, from 1.
func (r *Result) answer(status int, op *Op, holder string, token uint64, n int64) {
	*r = Result{Status: status, Version: token}
	r.Record.Holder, r.Record.Transitions = holder, max(n-1, 0)
	r.Record.DurationSeconds = int64(op.TTL / time.Second)
}

// Life always returns 0. Other locks return a number that tells an object from one made later under the same name: see
// machine.Response.Object. An entry needs none, because a later entry has another revision or mark.
func (l *Expiring) Life() uint64 { return 0 }
