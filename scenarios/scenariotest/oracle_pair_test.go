package scenariotest

import (
	"interregnum/internal/trace"
)

// order knows which request of a lock on two objects follows which answer, and what the fencing token is, as docs/locks.md
// has it.
type order struct {
	header *trace.Header
	// next is what each candidate may ask of the second object now.
	next map[int32]follow
	// updates are requests that read the second object for an update.
	updates map[[2]uint64]bool
	// wrote is the version of the second object that each has written last.
	wrote  map[int32]uint64
	broken bool
}

// follow is a request that follows an answer at the same instant.
type follow struct {
	at     int64
	verb   trace.Verb
	update bool
}

func newOrder(h *trace.Header) *order {
	return &order{header: h, next: map[int32]follow{}, updates: map[[2]uint64]bool{}, wrote: map[int32]uint64{}}
}

// Observe takes in an event.
func (o *order) Observe(e *trace.Event) {
	if e.Candidate < 0 {
		return
	}
	on := o.header.Candidates[e.Candidate].Objects
	if len(on) != 2 {
		return
	}
	second, id := e.Object == on[1], [2]uint64{uint64(e.Candidate), e.Request}
	switch {
	case e.Kind == trace.RequestSent && second:
		f, known := o.next[e.Candidate]
		if !known || f.at != e.At || f.verb != e.Verb {
			o.broken = true
		}
		delete(o.next, e.Candidate)
		o.updates[id] = f.update
	case (e.Kind == trace.Written || e.Kind == trace.RequestApplied) && second && e.Verb != trace.Get && e.Status/100 == 2:
		o.wrote[e.Candidate] = e.Version
	case e.Kind == trace.WorkStarted:
		o.broken = o.broken || e.Version != o.wrote[e.Candidate]
	case e.Kind == trace.ResponseHandled:
		if verb, follows := o.after(e, second, o.updates[id]); follows {
			o.next[e.Candidate] = follow{e.At, verb, e.Verb == trace.Update && !second}
		}
	}
}

// after is what an answer is followed by.
func (o *order) after(e *trace.Event, second, update bool) (verb trace.Verb, follows bool) {
	ok := e.Status/100 == 2
	switch {
	case second && e.Verb == trace.Get && update && ok:
		return trace.Update, true
	case second && e.Verb == trace.Get && update && e.Status == 404:
		return trace.Create, true
	case second:
	case e.Verb == trace.Get && ok:
		return trace.Get, true
	case e.Verb == trace.Create && (ok || e.Status == 409):
		return trace.Create, true
	case e.Verb == trace.Update && ok:
		return trace.Get, true
	}
	return 0, false
}
