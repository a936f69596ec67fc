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
// distributed locking, 2016) accepts no write of the old leader after one of its successor.
type fenceFold struct {
	found
	// started counts terms; terms are those of each candidate, in order of their start. A candidate that leads again is
	// the successor of its own earlier term, whose work may still write.
	started uint64
	terms   [][]startedTerm
	// highest is the highest token accepted. written and accepted are the last terms, in order of their start, of which
	// the resource without and with a check has taken a write; by is the candidate of the latter.
	highest           uint64
	written, accepted uint64
	by                int32
	resource          Resource
}

// startedTerm is a term and its place among all that started.
type startedTerm struct {
	id    trace.TermID
	order uint64
}

func (f *fenceFold) reset(h *trace.Header, _ *trace.Roster) {
	*f = fenceFold{found: found{header: h}, terms: reuse.Sized(f.terms, len(h.Candidates))}
	for i := range f.terms {
		f.terms[i] = f.terms[i][:0]
	}
}

var fenceKinds = trace.KindsOf(trace.WorkStarted, trace.ResourceWritten)

// observe numbers the terms as their work starts, and judges each write of the guarded resource.
func (f *fenceFold) observe(e *trace.Event) {
	switch e.Kind {
	case trace.WorkStarted:
		f.started++
		of := &f.terms[e.Candidate]
		*of = append(*of, startedTerm{e.TermID(), f.started})
	case trace.ResourceWritten:
		f.write(e)
	}
}

// orderOf returns the place of the event's term among all terms of the election, counted from 1. It is 0 if that term
// has not started.
func (f *fenceFold) orderOf(e *trace.Event) uint64 {
	for _, t := range slices.Backward(f.terms[e.Candidate]) {
		if t.id == e.TermID() {
			return t.order
		}
	}
	return 0
}

// write judges a write of the guarded resource, for a resource that checks nothing and for one that checks tokens. It
// is a violation if the latter accepts it after a write of a later term.
func (f *fenceFold) write(e *trace.Event) {
	order := f.orderOf(e)
	f.resource.Writes++
	if order < f.written {
		f.resource.Conflicting++
	}
	f.written = max(f.written, order)
	if e.Version < f.highest {
		f.resource.Refused++
		return
	}
	f.highest = e.Version
	if order < f.accepted {
		f.violate(e.At, e.At, e.Candidate, f.by)
		return
	}
	f.accepted, f.by = order, e.Candidate
}
