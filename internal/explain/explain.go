// Package explain says in words why the guarded work of two candidates overlapped: why the second could start, why the
// first still worked, and which sum was exceeded. It computes all of it from a run's events, and says nothing that they
// do not show.
package explain

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
)

// Fold follows a run by its events, all of them, and explains each overlap of work. It is a trace.Sink; use NewFold.
type Fold struct {
	trace.ByElection[*electionFold]
	header *trace.Header
}

// NewFold returns the explanations of a run that is about to begin.
func NewFold(h *trace.Header) *Fold {
	return &Fold{header: h, ByElection: trace.NewByElection(h, newElectionFold)}
}

// Explanations returns what there was to explain, by when it began, once the run has reached its horizon.
func (f *Fold) Explanations(horizonNs int64) []Explanation {
	var all []Explanation
	for i, own := range f.Observers {
		own.finish(horizonNs)
		for _, x := range own.done {
			if f.header.Elections != nil {
				x.Election = f.header.Elections[i]
			}
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(a, b Explanation) int {
		return cmp.Or(cmp.Compare(a.FromNs, b.FromNs), cmp.Compare(a.ToNs, b.ToNs))
	})
	return all
}

// Explanation is the causal chain that led to one overlap of two candidates' work. Times are in nanoseconds of true time
// since the start of the run.
type Explanation struct {
	FromNs int64 `json:"fromNs"`
	ToNs   int64 `json:"toNs"`
	// First worked already when Second started.
	First  string `json:"first"`
	Second string `json:"second"`
	// Election is of which election the work is, "" where there is but one.
	Election string `json:"election,omitempty"`
	// Summary is the chain in a sentence.
	Summary string `json:"summary"`
	// Steps are the events that made it so, in order.
	Steps []Step `json:"steps"`
	// Sum is nil where it was no sum of times that decided when the first one's work ended.
	Sum *Sum `json:"sum,omitempty"`
}

// Step is one event of the chain.
type Step struct {
	AtNs int64 `json:"atNs"`
	// Candidate is "" where the event is nobody's.
	Candidate string `json:"candidate,omitempty"`
	// Event is the kind of the event, as in trace files.
	Event string `json:"event"`
	Text  string `json:"text"`
}

// Sum is what was exceeded: the first one's work ends at EndNs, the sum of End; it is safe where that is no later than
// StartNs, the sum of Start, from which on the second one may start.
type Sum struct {
	End     []Summand `json:"end"`
	EndNs   int64     `json:"endNs"`
	Start   []Summand `json:"start"`
	StartNs int64     `json:"startNs"`
	Text    string    `json:"text"`
}

// Summand is part of a Sum. The first of a sum is an instant, the others are lengths.
type Summand struct {
	Name string `json:"name"`
	Ns   int64  `json:"ns"`
}
