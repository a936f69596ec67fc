package outcome

import (
	"interregnum/internal/check"
	"interregnum/internal/trace"
)

// mostIntrusions is how many intrusions are kept of one run.
const mostIntrusions = 1000

// intrude makes single-work violated if a candidate begins guarded work while the lock is another's, whose process runs. Where
// work is guarded piece by piece no overlap shows that: the work of the two may be in turns for ever. A run in which works
// overlap stays as it is.
func (o *Outcome) intrude() {
	work := check.Named(o.Result.Properties, check.SingleWork)
	if work == nil || work.Verdict == check.Violated {
		return
	}
	if found := o.intrusions(); len(found) > 0 {
		work.Verdict, work.Violations = check.Violated, found
	}
}

// intrusions returns each beginning of work while the lock is another's, whose process runs: as a violation without a length, by
// the one that works and the one that holds the lock. It keeps the first as o.turn.
func (o *Outcome) intrusions() (found []check.Violation) {
	locks := locks{holders: map[string]*[trace.Objects]holder{}, alive: make([]bool, len(o.Header.Candidates))}
	for i := range o.Events {
		e := &o.Events[i]
		if e.Kind != trace.WorkStarted {
			locks.observe(o.Header, e)
			continue
		}
		c := &o.Header.Candidates[e.Candidate]
		other := locks.held(c.Election)
		if other == nil || other.candidate == e.Candidate || other.since >= e.At || !locks.alive[other.candidate] || len(found) == mostIntrusions {
			continue
		}
		if found == nil {
			o.turn = &turn{who: e.Candidate, at: e.At, other: *other}
		}
		found = append(found, check.Violation{
			FromNs: e.At, ToNs: e.At, Candidates: []string{c.ID, o.Header.Candidates[other.candidate].ID}, Election: c.Election,
		})
	}
	return found
}

// holder is a candidate that has written its name into a lock's object, and when; written is false if the object says nothing of anybody.
type holder struct {
	candidate int32
	since     int64
	written   bool
}

// locks follow who has written its name into the objects of each election's lock, and whose process runs.
type locks struct {
	holders map[string]*[trace.Objects]holder
	alive   []bool
}

// observe takes note of an event: of who writes the objects, and of processes that begin and end.
func (l *locks) observe(h *trace.Header, e *trace.Event) {
	switch e.Kind {
	case trace.RunStarted:
		l.alive[e.Candidate] = true
	case trace.RunReturned, trace.Crashed:
		l.alive[e.Candidate] = false
	case trace.Deleted, trace.Edited:
		election := ""
		if len(h.Elections) > 0 {
			election = h.Elections[e.Election]
		}
		l.of(election)[e.Object] = holder{}
	case trace.Written:
		at := &l.of(h.Candidates[e.Candidate].Election)[e.Object]
		switch {
		case e.Holder == "":
			*at = holder{}
		case !at.written || at.candidate != e.Candidate:
			*at = holder{e.Candidate, e.At, true}
		}
	}
}

// of returns who holds each object of an election's lock, to be read and changed.
func (l *locks) of(election string) *[trace.Objects]holder {
	if l.holders[election] == nil {
		l.holders[election] = new([trace.Objects]holder)
	}
	return l.holders[election]
}

// held returns the candidate that the objects of an election's lock name. It is nil if none of them names anybody, or if they
// name different candidates.
func (l *locks) held(election string) (one *holder) {
	all := l.of(election)
	for i := range all {
		switch at := &all[i]; {
		case !at.written:
		case one == nil || one.candidate == at.candidate && at.since > one.since:
			one = at
		case one.candidate != at.candidate:
			return nil
		}
	}
	return one
}
