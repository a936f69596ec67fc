package witness

import (
	"slices"
	"time"

	"interregnum/internal/trace"
)

// Span is a time by the server's clock, from From to before Until.
type Span struct{ From, Until time.Time }

// Term is a time in which a candidate worked. Told is when its work's context ended, End when the work itself was over; both are the
// end of the run at the latest.
type Term struct {
	// Process is its pod, Identity the name that it wrote into the record.
	Process, Identity string
	From, Told, End   time.Time
}

// Truth is what really happened in a run.
type Truth struct {
	Terms []Term
	// Beliefs are the times in which a candidate's IsLeader was true, by identity.
	Beliefs map[string][]Span
	// Start and End are those of the run.
	Start, End time.Time
}

// Truth returns what really happened.
func (r *Run) Truth() *Truth {
	t := &Truth{Beliefs: map[string][]Span{}, Start: start, End: start.Add(r.Plan.Horizon)}
	names, open := map[int32]string{}, map[trace.TermID]int{}
	for i := range r.Events {
		e := &r.Events[i]
		at := start.Add(time.Duration(e.At))
		switch e.Kind {
		case trace.RunStarted:
			names[e.Candidate] = identity(e.Holder)
		case trace.WorkStarted:
			open[e.TermID()] = len(t.Terms)
			t.Terms = append(t.Terms, Term{pod(r.Plan.Candidates[e.Candidate].ID), names[e.Candidate], at, t.End, t.End})
		case trace.WorkCancelled:
			t.Terms[open[e.TermID()]].Told = at
		case trace.WorkEnded:
			t.Terms[open[e.TermID()]].End = at
		case trace.BeliefBegan:
			name := names[e.Candidate]
			t.Beliefs[name] = append(t.Beliefs[name], Span{at, t.End})
		case trace.BeliefEnded:
			all := t.Beliefs[names[e.Candidate]]
			all[len(all)-1].Until = at
		}
	}
	return t
}

// Overlap is a time in which two terms of different processes went on at once.
type Overlap struct {
	A, B string
	Span
}

// Overlaps returns the times in which two identities worked at once. drained tells whether work that was told to end counts until it
// has ended.
func (t *Truth) Overlaps(drained bool) (all []Overlap) {
	for i := range t.Terms {
		for k := range t.Terms[:i] {
			a, b := &t.Terms[k], &t.Terms[i]
			untilA, untilB := a.Told, b.Told
			if drained {
				untilA, untilB = a.End, b.End
			}
			from, until := later(a.From, b.From), earlier(untilA, untilB)
			if a.Identity != b.Identity && from.Before(until) {
				all = append(all, Overlap{a.Identity, b.Identity, Span{from, until}})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Overlap) int { return a.From.Compare(b.From) })
	return all
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
