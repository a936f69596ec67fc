package outcome

import (
	"interregnum/internal/explain"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// explain adds to each violation of single-work in o.Result an explanation of how that overlap came about.
func (o *Outcome) explain() {
	releases := o.releases()
	stops := newDeadlines(o.Header)
	fold := explain.NewFold(o.Header)
	for i := range o.Events {
		e := &o.Events[i]
		for _, stop := range stops.observe(e, releases[i]) {
			fold.Observe(&stop)
		}
		if releases[i] {
			fold.Observe(&trace.Event{
				Kind: trace.MetricSet, Cause: trace.MetricOff, At: e.At, Candidate: e.Candidate, Incarnation: e.Incarnation,
			})
		}
		fold.Observe(e)
	}
	scenarios.Attach(o.Result.Properties, fold.Explanations(int64(o.Header.Horizon)))
}

// releases returns the indices in o.Events of the requests with which candidates begin to release the lock, at most one between two
// claims of a candidate. A simulated candidate tells by its metric when it has given up renewing; code under test shows it only by what it sends.
// One sign is an update that names no holder: the index is that of the get right before it, or its own if there is none. The
// other sign is a get at the very instant at which the time for another request has run out: after a failed try there would be a
// pause.
func (o *Outcome) releases() map[int]bool {
	type run struct {
		last     int // the get right before, -1 for none
		ranOut   int64
		released bool
	}
	runs, found := make([]run, len(o.Header.Candidates)), map[int]bool{}
	for i := range o.Events {
		e := &o.Events[i]
		if e.Candidate == trace.Nobody {
			continue
		}
		switch r := &runs[e.Candidate]; {
		case e.Kind == trace.RunStarted:
			*r = run{last: -1, ranOut: -1}
		case e.Kind == trace.GaveUp && e.Cause == trace.ContextEnded:
			r.ranOut = e.At
		case e.Kind != trace.RequestSent:
		case e.Verb == trace.Get:
			r.last = i
			if r.ranOut == e.At && !r.released {
				r.released, found[i] = true, true
			}
		default:
			if e.Holder != "" { // another term, perhaps
				r.released = false
			}
			if e.Verb == trace.Update && e.Holder == "" && !r.released {
				r.released = true
				if r.last < 0 {
					r.last = i
				}
				found[r.last] = true
			}
			r.last = -1
		}
	}
	return found
}
