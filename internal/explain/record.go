package explain

import (
	"time"

	"interregnum/internal/trace"
)

// never is the time of what has not happened.
const never int64 = -1

// record is the lock's record as the last write left it.
type record struct {
	exists  bool
	version uint64
	holder  string
	at      int64
	// writer is the candidate that wrote the record, and claimant the one whose lease it is, or was before it was
	// released. Both are trace.Nobody if somebody edited the holder.
	writer, claimant int32
	// wiped is the candidate whose lease a release by another one blanked, or -1.
	wiped       int32
	seconds     int64
	transitions int64
	// stamp is its renewTime: a reading of the writer's wall clock.
	stamp int64
	// bySecond and exactly are the first of the writes that look the same as this one: bySecond to an observer that
	// compares whole seconds, exactly to one that does not.
	bySecond, exactly origin
	deletedAt         int64
	// editedAt is when somebody edited the record as the last write left it, 0 if nobody has.
	editedAt int64
	// expiredAt is when the key ran out, 0 if it has not. stampedAt is when, in true time, the row's stamp was taken.
	expiredAt, stampedAt int64
}

// origin is when a write was applied, and by which candidate.
type origin struct {
	at int64
	by int32
}

// look is what an observer compares of a record.
type look struct {
	holder               string
	seconds, transitions int64
	stamp                int64
	// edited is when somebody edited the record, 0 if nobody has: an edit always changes something that observers compare.
	edited int64
}

// look returns what an observer compares of a record; with bySecond, the observer compares its time in whole seconds.
func (r *record) look(bySecond bool) look {
	l := look{holder: r.holder, seconds: r.seconds, transitions: r.transitions, stamp: r.stamp, edited: r.editedAt}
	if bySecond {
		l.stamp = second(l.stamp)
	}
	return l
}

// origin returns when, and by whom, the first of those writes was applied that look the same as this record to an observer.
// With bySecond, the observer compares times in whole seconds.
func (r *record) origin(bySecond bool) origin {
	if bySecond {
		return r.bySecond
	}
	return r.exactly
}

// after returns the record that the write e leaves in place of r. stamp is the renewTime that it writes: a reading of a wall
// clock in nanoseconds.
func (r *record) after(e *trace.Event, stamp int64) record {
	self := origin{e.At, e.Candidate}
	next := record{
		exists: true, version: e.Version, holder: e.Holder, at: e.At, writer: e.Candidate, claimant: e.Candidate,
		wiped: -1, seconds: e.Amount, transitions: e.Transitions, stamp: stamp, bySecond: self, exactly: self,
	}
	if !r.exists {
		return next
	}
	if next.look(true) == r.look(true) {
		next.bySecond = r.bySecond
	}
	if next.look(false) == r.look(false) {
		next.exactly = r.exactly
	}
	if next.holder == "" && r.holder != "" && r.claimant != e.Candidate {
		next.wiped = r.claimant
	}
	return next
}

// edited tells whether the holder that the record names was put there by somebody's edit.
func (r *record) edited() bool { return r.exists && r.writer == trace.Nobody }

// afterEdit returns the record that the edit e leaves in place of r. If the edit changes the holder, or makes the record, the
// record is nobody's: its writer and claimant are trace.Nobody. Otherwise both stay.
func (r *record) afterEdit(e *trace.Event) record {
	next := *r
	if !r.exists || r.holder != e.Holder {
		next.exists, next.holder, next.at = true, e.Holder, e.At
		next.writer, next.claimant, next.wiped = trace.Nobody, trace.Nobody, -1
	}
	self := origin{e.At, trace.Nobody}
	next.version, next.seconds, next.editedAt, next.bySecond, next.exactly = e.Version, e.Amount, e.At, self, self
	return next
}

// second returns a wall clock's reading in whole seconds, rounded down.
func second(wall int64) int64 {
	s := wall / int64(time.Second)
	if wall%int64(time.Second) < 0 {
		s--
	}
	return s
}
