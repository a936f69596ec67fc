// Package explain says in words why the guarded work of two candidates overlapped: why the second could start, why the first
// still worked, and which sum was exceeded. It computes all of it from a run's events, and says nothing that they do not show.
//
// Words of this package: the first of the two candidates works already when the second starts. A claim is how a candidate came
// by the lock, and a hold is what its term rests on: its last renewal, and what happened since. A teller puts one overlap into
// words.
package explain

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
)

// Fold follows all events of a run and explains each overlap of work. It is a trace.Sink; use NewFold.
type Fold struct {
	trace.ByElection[*electionFold]
}

// NewFold returns a Fold for a run that is about to begin.
func NewFold(h *trace.Header) *Fold {
	return &Fold{trace.NewByElection(h, newElectionFold)}
}

// Explanations returns an explanation of each overlap, in the order in which the overlaps began. The run must have reached its
// horizon, which is in nanoseconds of true time. It is called once.
func (f *Fold) Explanations(horizonNs int64) []Explanation {
	var all []Explanation
	for _, own := range f.Observers {
		own.finish(horizonNs)
		all = append(all, own.done...)
	}
	slices.SortStableFunc(all, func(a, b Explanation) int {
		return cmp.Or(cmp.Compare(a.FromNs, b.FromNs), cmp.Compare(a.ToNs, b.ToNs))
	})
	return all
}
