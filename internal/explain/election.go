package explain

import "interregnum/internal/trace"

// electionFold follows one of several elections, as if there were no other.
type electionFold struct {
	name string
	run  *trace.Projection
	fold *Fold
}

// observeElections passes an event to the fold of its election, or to all of them where it is of no single one.
func (f *Fold) observeElections(e *trace.Event) {
	own := f.elections
	if i := own[0].run.Of(e); i >= 0 {
		own = own[i : i+1]
	}
	for i := range own {
		own[i].fold.Observe(own[i].run.Event(e))
	}
}

// explanations returns the explanations of one election, each with the election's name.
func (f *electionFold) explanations(horizonNs int64) []Explanation {
	all := f.fold.Explanations(horizonNs)
	for i := range all {
		all[i].Election = f.name
	}
	return all
}
