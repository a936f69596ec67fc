package explain

import "interregnum/internal/trace"

// electionFold follows one of several elections, as if there were no other.
type electionFold struct {
	name string
	run  *trace.Projection
	fold *Fold
}

func (f *electionFold) observe(e *trace.Event) {
	if own := f.run.Event(e); own != nil {
		f.fold.Observe(own)
	}
}

func (f *electionFold) explanations(horizonNs int64) []Explanation {
	all := f.fold.Explanations(horizonNs)
	for i := range all {
		all[i].Election = f.name
	}
	return all
}
