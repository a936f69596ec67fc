package scenarios

import (
	"interregnum/internal/trace"
)

// history gathers a run's terms and writes from its events.
type history struct {
	header *trace.Header
	terms  []Term
	writes []Write
	open   map[termKey]int
}

type termKey struct{ candidate, incarnation, term int32 }

// Observe takes in an event.
func (h *history) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Written:
		h.writes = append(h.writes, Write{
			AtNs:        e.At,
			Candidate:   h.header.Candidates[e.Candidate].ID,
			Verb:        e.Verb.String(),
			Holder:      e.Holder,
			Version:     e.Version,
			Transitions: e.Transitions,
		})
	case trace.WorkStarted:
		if h.open == nil {
			h.open = map[termKey]int{}
		}
		h.open[keyOf(e)] = len(h.terms)
		h.terms = append(h.terms, Term{
			Candidate:   h.header.Candidates[e.Candidate].ID,
			Incarnation: e.Incarnation,
			StartedNs:   e.At,
		})
	case trace.WorkCancelled, trace.WorkEnded, trace.Stopped:
		h.end(e)
	}
}

func (h *history) end(e *trace.Event) {
	i, ok := h.open[keyOf(e)]
	if !ok {
		return
	}
	at := e.At
	switch e.Kind {
	case trace.WorkCancelled:
		h.terms[i].CancelledNs = &at
	case trace.WorkEnded:
		h.terms[i].EndedNs = &at
	case trace.Stopped:
		h.terms[i].StoppedNs = &at
	}
}

func keyOf(e *trace.Event) termKey { return termKey{e.Candidate, e.Incarnation, e.Term} }

// voidFold gathers the faults that found nobody.
type voidFold struct {
	faults []Fault
	void   []VoidFault
}

// Observe takes in an event.
func (v *voidFold) Observe(e *trace.Event) {
	if e.Kind == trace.FaultVoid {
		f := int(e.Fault)
		v.void = append(v.void, VoidFault{AtNs: e.At, Fault: f, Kind: string(v.faults[f].Kind)})
	}
}
