package witness

import (
	"time"

	"interregnum/internal/trace"
)

// Span is a range of time by the server's clock: From is included, Until is not.
type Span struct{ From, Until time.Time }

// Term is a stretch of a candidate's work, from From on. Told is when its work's context ended, End when the work itself was over;
// both are the end of the run at the latest.
type Term struct {
	// Process is its pod, Identity the name that it wrote into the record.
	Process, Identity string
	From, Told, End   time.Time
	// Candidate is whose work it is, Incarnation of which process.
	Candidate, Incarnation int
	// Acquired is the request by which it acquired the lock.
	Acquired uint64
}

// Truth is what really happened in a run.
type Truth struct {
	Terms []Term
	// Beliefs are the times in which a candidate's IsLeader was true, by identity.
	Beliefs map[string][]Span
	// Start and End are those of the run.
	Start, End time.Time
}

// Truth returns what really happened in the run, by its events.
func (r *Run) Truth() *Truth {
	t := &Truth{Beliefs: map[string][]Span{}, Start: start, End: start.Add(r.Plan.Horizon)}
	names, open, last := map[int32]string{}, map[trace.TermID]int{}, map[int32]uint64{}
	for i := range r.Events {
		e := &r.Events[i]
		at := start.Add(time.Duration(e.At))
		switch e.Kind {
		case trace.RunStarted:
			names[e.Candidate] = identity(e.Holder)
		case trace.ResponseHandled:
			last[e.Candidate] = e.Request
		case trace.WorkStarted:
			open[e.TermID()] = len(t.Terms)
			t.Terms = append(t.Terms, Term{pod(r.Plan.Candidates[e.Candidate].ID), names[e.Candidate], at, t.End, t.End, int(e.Candidate), int(e.Incarnation), last[e.Candidate]})
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

// beliefs returns the times in which the candidate of a term believed that it leads and that include the beginning of its work.
func (t *Truth) beliefs(u *Term) (all []Span) {
	for _, b := range t.Beliefs[u.Identity] {
		if !b.From.After(u.From) && b.Until.After(u.From) {
			all = append(all, b)
		}
	}
	return all
}

// overlap tells whether the a-th and the b-th term went on at once. It is false if both are of one identity.
func (t *Truth) overlap(a, b int) bool {
	x, y := &t.Terms[a], &t.Terms[b]
	return x.Identity != y.Identity && x.overlaps(y)
}

// overlaps tells whether two terms went on at once.
func (u *Term) overlaps(v *Term) bool {
	return later(u.From, v.From).Before(earlier(u.End, v.End))
}

// meetings returns how many pairs of terms went on at once, one of the identity of the a-th term and one of that of the b-th.
func (t *Truth) meetings(a, b int) (n int) {
	x, y := t.Terms[a].Identity, t.Terms[b].Identity
	for k := range t.Terms {
		for i := range t.Terms {
			if t.Terms[i].Identity == x && t.Terms[k].Identity == y && t.overlap(i, k) {
				n++
			}
		}
	}
	return n
}

// Overlaps returns how many pairs of terms of different identities went on at once.
func (t *Truth) Overlaps() (n int) {
	for b := range t.Terms {
		for a := range t.Terms[:b] {
			if t.overlap(a, b) {
				n++
			}
		}
	}
	return n
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
