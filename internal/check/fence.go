package check

import (
	"slices"

	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// Resource counts what became of the writes of guarded work.
type Resource struct {
	// Writes is how many there were. Conflicting is how many of an old leader's, after its successor had written, a
	// resource accepts that checks nothing; Refused is how many a resource refuses that takes no token below the
	// highest that it has seen.
	Writes      int64 `json:"writes"`
	Conflicting int64 `json:"conflicting"`
	Refused     int64 `json:"refused"`
}

// fenceFold is fenced-writes: a resource that takes only tokens not below the highest it has seen (Kleppmann, How to do
// distributed locking, 2016) accepts no write of the old leader after it has accepted one of its successor.
// Where tokens do not grow, as after a row was deleted, what it refuses can be all that the successor writes.
type fenceFold struct {
	found
	roster *trace.Roster
	// terms are those of each candidate, in order of their start.
	terms [][]startedTerm
	// highest is the highest token accepted. written and accepted are the places of the last terms of which the resource
	// without and with a check has taken a write; by is the candidate of the latter.
	highest           uint64
	written, accepted place
	by                int32
	resource          Resource
}

// startedTerm is a term and its place among all.
type startedTerm struct {
	id trace.TermID
	place
}

// place says where a term stands in the order of all terms. The order is that in which their candidates took the lock, whenever
// their work starts, since a candidate can hear late that it has the lock. Terms of one claim are in the order in which their
// work started: a candidate that leads again succeeds its own earlier term, whose work can still write.
type place struct{ claim, start uint64 }

// before tells whether p's term comes before q's.
func (p place) before(q place) bool {
	return p.claim < q.claim || p.claim == q.claim && p.start < q.start
}

// reset begins the judgement of a run: no term has started, and nothing was written. It implements fold.
func (f *fenceFold) reset(h *trace.Header, r *trace.Roster) {
	*f = fenceFold{found: f.found.again(h), roster: r, terms: reuse.Sized(f.terms, len(h.Candidates))}
	for i := range f.terms {
		f.terms[i] = f.terms[i][:0]
	}
}

var fenceKinds = trace.KindsOf(trace.WorkStarted, trace.ResourceWritten)

// observe numbers the terms as their work starts, and judges each write of the guarded resource.
func (f *fenceFold) observe(e *trace.Event) {
	switch e.Kind {
	case trace.WorkStarted:
		of := &f.terms[e.Candidate]
		*of = append(*of, startedTerm{e.TermID(), place{f.roster.ClaimOf(e.Candidate), f.roster.Started + 1}})
	case trace.ResourceWritten:
		f.write(e)
	}
}

// placeOf returns the place of the event's term among all terms of the election. If that term has not started, it returns the
// place that comes before all others.
func (f *fenceFold) placeOf(e *trace.Event) place {
	for _, t := range slices.Backward(f.terms[e.Candidate]) {
		if t.id == e.TermID() {
			return t.place
		}
	}
	return place{}
}

// write judges a write of the guarded resource, and counts it in f.resource, for a resource that checks nothing and for one that
// checks tokens. It is a violation if the latter accepts it after a write of a later term.
func (f *fenceFold) write(e *trace.Event) {
	of := f.placeOf(e)
	f.resource.Writes++
	if of.before(f.written) {
		f.resource.Conflicting++
	} else {
		f.written = of
	}
	if e.Version < f.highest {
		f.resource.Refused++
		return
	}
	f.highest = e.Version
	if of.before(f.accepted) {
		f.violate(e.At, e.At, e.Candidate, f.by)
		return
	}
	f.accepted, f.by = of, e.Candidate
}
