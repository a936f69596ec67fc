package simlock

import (
	"time"

	"interregnum/elector/machine"
)

// RowStore is a row (key, signature, updated_time, counter) of a database, and the statements of elector/sqllock on it:
// check unexpired (a get), insert (create), replace if expired, refresh own unexpired, release own. Each statement
// carries the caller's time, or has the database use its own. The zero value is a table without the row.
type RowStore struct {
	// Precision is the resolution of the column updated_time; 0 means a microsecond. The column cuts the rest off. The
	// time that a statement compares with it has microseconds nevertheless.
	Precision time.Duration

	entries int64
	exists  bool
	holder  string
	// mark is the signature, 0 for the empty one, and lasts how long it says that the row lasts, in microseconds. updated is in
	// microseconds since 1970.
	mark           uint64
	lasts, updated int64
	counter        uint64
}

// Apply executes a statement at once and as a whole, and stores the answer in r. The statement goes by its own time,
// Op.Record.Renew, or by the database's time now if that is 0. A time that is not after the beginning of 1970 is answered 500.
// After a success Result.Version is the counter, which is the fencing token.
func (t *RowStore) Apply(now machine.Wall, op *Op, r *Result) {
	own := op.Record.Renew != 0
	if own {
		now = op.Record.Renew
	}
	at := int64(now) / int64(time.Microsecond)
	before := *t
	status := statusInternalError // a time before 1970 cannot be a counter
	if at > 0 {
		status = t.execute(op, at, own)
	}
	if status != statusOK && status != statusCreated {
		*r = Result{Status: status}
		return
	}
	r.answer(status, op, t.holder, t.counter, t.entries)
	r.Changed = *t != before
}

// execute carries out a statement and returns its status: 201 for a Create and 200 for another statement that found its row. A
// Get is answered 404 if the row is missing, was released or has expired, and 500 if its time is farther ahead than the row lasts. Any
// other statement that finds no row that it may change is answered 409; Update and Watch are answered 405. at is the time that the
// statement goes by, in microseconds since 1970; own tells whether the statement itself carries it.
func (t *RowStore) execute(op *Op, at int64, own bool) int {
	expired := t.updated < at-t.lasts
	mine := t.exists && t.mark == op.UID
	switch {
	case op.Verb == machine.Get && (!t.exists || t.mark == 0 || expired):
		return statusNotFound
	case op.Verb == machine.Get && t.updated > at+t.lasts:
		return statusInternalError // one of two clocks is wrong
	case op.Verb == machine.Get:
	case op.Verb == machine.Create && !t.exists:
		// The counter starts at the time, so that it goes on growing if somebody deletes the row.
		t.exists, t.counter = true, uint64(at)
		t.take(op, at)
		return statusCreated
	case op.Verb == machine.Replace && t.exists && (t.mark == 0 || expired):
		t.counter++
		t.take(op, at)
	case op.Verb == machine.Refresh && mine && !expired && (op.Version == 0 || op.Version == t.counter) &&
		(!own || t.updated <= at):
		t.updated = t.kept(at)
	case op.Verb == machine.Resign && mine:
		t.holder, t.mark = "", 0
	case op.Verb == machine.Update || op.Verb == machine.Watch:
		return statusNotAllowed
	default:
		return statusConflict
	}
	return statusOK
}

// take counts one more entry and makes the sender of op the row's holder as of the time at; the counter stays as it is.
func (t *RowStore) take(op *Op, at int64) {
	t.entries++
	t.holder, t.mark, t.lasts, t.updated = op.Record.Holder, op.UID, op.TTL.Microseconds(), t.kept(at)
}

// kept cuts a time, in microseconds since 1970, down to the column's precision.
func (t *RowStore) kept(at int64) int64 {
	if unit := t.Precision.Microseconds(); unit > 1 {
		return at - at%unit
	}
	return at
}

// Delete removes the row, as if somebody had done it by hand, and tells whether there was one. The counter stays in t but starts
// anew with the next Create.
func (t *RowStore) Delete() bool {
	was := t.exists
	t.exists, t.holder, t.mark = false, "", 0
	return was
}

// Holder returns the holder that the row names, expired or not; "" for nobody.
func (t *RowStore) Holder() string { return t.holder }
