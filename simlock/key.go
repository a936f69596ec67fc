package simlock

import (
	"interregnum/elector/machine"
)

// KeyStore is a key whose entry vanishes TTL after it was made or last refreshed, by the service's monotonic clock: a key of
// etcd under a lease, or one of Redis with PX. Each call of elector/etcdlock is one request here. The zero value is a key that
// has never had an entry. The times that it is given must not go back.
type KeyStore struct {
	// changes counts entries made and ended. An entry's token is this count as of its making, so that tokens grow
	// across deletes.
	changes uint64
	entries int64

	exists  bool
	holder  string
	mark    uint64
	token   uint64
	expires machine.Mono
}

// Apply removes an entry that has expired by the time at, then executes a request at once and as a whole, and stores the answer
// in r. Result.Version is the fencing token of the entry that the answer is about, Result.UID the count of the key's changes. A
// Watch is answered 200, with Changed if the key has changed since Op.Version.
func (k *KeyStore) Apply(at machine.Mono, op *Op, r *Result) {
	k.Expire(at)
	k.apply(at, op, r)
	r.UID = k.changes
}

// apply executes a request and stores the answer in r. Apply has removed an expired entry before. A Get without an entry is
// answered 404. A Create or Replace is answered 201, or 409 if there is an entry. A Refresh or Resign is answered 200, or 409
// if the entry is not the sender's. A Watch is answered 200, any other verb 405.
func (k *KeyStore) apply(at machine.Mono, op *Op, r *Result) {
	mine := k.exists && k.mark == op.UID && (op.Version == 0 || op.Version == k.token)
	switch op.Verb {
	case machine.Get:
		if !k.exists {
			*r = Result{Status: statusNotFound}
			return
		}
		r.answer(statusOK, op, k.holder, k.token, k.entries)
	case machine.Create, machine.Replace:
		if k.exists {
			*r = Result{Status: statusConflict}
			return
		}
		k.changes++
		k.entries++
		k.exists, k.holder, k.mark, k.token = true, op.Record.Holder, op.UID, k.changes
		k.expires = at.Add(op.TTL)
		r.answer(statusCreated, op, k.holder, k.token, k.entries)
		r.Changed = true
	case machine.Refresh:
		if !mine {
			*r = Result{Status: statusConflict}
			return
		}
		r.answer(statusOK, op, k.holder, k.token, k.entries)
		if until := at.Add(op.TTL); until > k.expires {
			k.expires, r.Changed = until, true
		}
	case machine.Resign:
		if !mine {
			*r = Result{Status: statusConflict}
			return
		}
		k.end()
		r.answer(statusOK, op, "", k.token, k.entries)
		r.Changed = true
	case machine.Watch:
		*r = Result{Status: statusOK, Changed: k.changes != op.Version}
	default:
		*r = Result{Status: statusNotAllowed}
	}
}

// Expires returns the time at which the entry vanishes, by the service's monotonic clock. The bool is false if there is no entry.
func (k *KeyStore) Expires() (machine.Mono, bool) { return k.expires, k.exists }

// Expire removes the entry if its time is over at the given time (that instant included), and tells whether it did so.
func (k *KeyStore) Expire(at machine.Mono) bool { return k.exists && at >= k.expires && k.Delete() }

// Delete removes the entry, as if somebody had done it by hand, and tells whether there was one.
func (k *KeyStore) Delete() bool {
	was := k.exists
	if was {
		k.end()
	}
	return was
}

// end removes the entry and counts that as a change of the key.
func (k *KeyStore) end() {
	k.changes++
	k.exists = false
}

// Holder returns the holder that the entry names, "" if there is no entry.
func (k *KeyStore) Holder() string {
	if !k.exists {
		return ""
	}
	return k.holder
}
