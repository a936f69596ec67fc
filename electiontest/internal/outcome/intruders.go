package outcome

import (
	"interregnum/internal/check"
	"interregnum/internal/trace"
)

// mostIntrusions is the most intrusions that are kept of one run. An intrusion is guarded work that begins while the lock is
// held by another candidate, whose process runs.
const mostIntrusions = 1000

// intrude makes single-work violated if the run has intrusions: guarded work that began while the lock was held by another
// candidate, whose process ran. If work is guarded piece by piece no overlap shows that, since the pieces of two candidates can
// be in turns for ever. If single-work is violated already, intrude changes nothing.
func (o *Outcome) intrude() {
	work := check.Named(o.Result.Properties, check.SingleWork)
	if work == nil || work.Verdict == check.Violated {
		return
	}
	if found := o.intrusions(); len(found) > 0 {
		work.Verdict, work.Violations = check.Violated, found
	}
}

// intrusions returns the first intrusions, at most mostIntrusions, in order of time: each as a violation of no length, with the
// candidate that works and the one that holds the lock. A holder does not count if it holds the lock only since that instant, or if
// its process does not run. intrusions sets o.intrusion to the first one, and returns nil if there is none.
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
			o.intrusion = &intrusion{who: e.Candidate, at: e.At, other: *other}
		}
		found = append(found, check.Violation{
			FromNs: e.At, ToNs: e.At, Candidates: []string{c.ID, o.Header.Candidates[other.candidate].ID}, Election: c.Election,
		})
	}
	return found
}

// holder is the candidate that an object of a lock names, and since when, in ns since the run began; written is false if the
// object names nobody.
type holder struct {
	candidate int32
	since     int64
	written   bool
}

// locks follow, event by event, whom the objects of each election's lock name, and which processes run.
type locks struct {
	holders map[string]*[trace.Objects]holder
	alive   []bool
}

// observe updates l by an event: a write, deletion or edit of a lock's object, or the beginning or end of a process. An edit by
// hand counts as if the object named nobody. A further write by the same candidate does not change since when it is the holder.
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

// of returns the holders of the objects of an election's lock, which the caller may change. It adds an entry for an election
// that has none.
func (l *locks) of(election string) *[trace.Objects]holder {
	if l.holders[election] == nil {
		l.holders[election] = new([trace.Objects]holder)
	}
	return l.holders[election]
}

// held returns the candidate that the objects of an election's lock name, and since when the last of them does. It returns nil
// if none of them names anybody, or if they name different candidates.
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
