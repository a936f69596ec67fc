package scenarios

import (
	"interregnum/internal/trace"
)

// The sinks of every run are selective, so that they cost no call for an event that they do not want.
var _, _ trace.Selective = (*history)(nil), (*voidFold)(nil)

// history collects a run's terms, writes and requests kept back from its events.
type history struct {
	header *trace.Header
	// objects tells that locks are on other objects than the Lease, so that writes name their object.
	objects bool
	terms   []Term
	writes  []Write
	held    []HeldRequest
	// open maps a term to its index in terms.
	open map[trace.TermID]int
}

// Observe appends the write, the new term or the request kept back (see keptBack) that e reports, or records in its term when the
// work was cancelled or ended, or when OnStoppedLeading was called. It ignores any other event.
func (h *history) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Written:
		object := ""
		if h.objects {
			object = e.Object.String()
		}
		h.writes = append(h.writes, Write{
			Object:      object,
			Election:    h.header.Candidates[e.Candidate].Election,
			AtNs:        e.At,
			Candidate:   h.header.Candidates[e.Candidate].ID,
			Verb:        written(e.Verb).String(),
			Holder:      e.Holder,
			Version:     e.Version,
			Transitions: e.Transitions,
		})
	case trace.WorkStarted:
		if h.open == nil {
			h.open = map[trace.TermID]int{}
		}
		h.open[e.TermID()] = len(h.terms)
		h.terms = append(h.terms, Term{
			Candidate:   h.header.Candidates[e.Candidate].ID,
			Incarnation: e.Incarnation,
			Election:    h.header.Candidates[e.Candidate].Election,
			StartedNs:   e.At,
		})
	case trace.WorkCancelled, trace.WorkEnded, trace.Stopped:
		h.end(e)
	case trace.RequestHeld, trace.LocalError:
		h.keptBack(e)
	}
}

// keptBack appends the request of e, if its client keeps it back for long or does not send it.
func (h *history) keptBack(e *trace.Event) {
	about := &h.header.Candidates[e.Candidate]
	if !about.KeepsBack(e) {
		return
	}
	cause := HeldByLimiter
	switch {
	case e.Kind == trace.LocalError:
		cause = HeldRefused
	case e.Status != 0:
		cause = HeldByRetryAfter
	}
	h.held = append(h.held, HeldRequest{
		AtNs: e.At, Candidate: about.ID, Election: about.Election, Verb: e.Verb.String(), Cause: cause, ForNs: e.Amount,
	})
}

// written returns the verb under which a write is reported: create, or update for all others.
func written(v trace.Verb) trace.Verb {
	if v == trace.Create {
		return v
	}
	return trace.Update
}

// historyKinds are those of events that belong to a term, a write or a request kept back.
var historyKinds = trace.KindsOf(trace.Written, trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded, trace.Stopped,
	trace.RequestHeld, trace.LocalError)

// Wants returns the kinds of event from which terms, writes and requests kept back are made. It implements trace.Selective.
func (h *history) Wants() trace.KindSet { return historyKinds }

// end records in the term of e when its work was cancelled or ended, or when OnStoppedLeading was called, as the kind of e says.
// It does nothing if that term has no start in the history.
func (h *history) end(e *trace.Event) {
	i, ok := h.open[e.TermID()]
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

// voidFold collects the faults that had no effect.
type voidFold struct {
	faults []Fault
	void   []VoidFault
}

// Observe appends the fault of e to v.void if e says that the fault had no effect.
func (v *voidFold) Observe(e *trace.Event) {
	if e.Kind == trace.FaultVoid {
		f := int(e.Fault)
		v.void = append(v.void, VoidFault{AtNs: e.At, Fault: f, Kind: string(v.faults[f].Kind)})
	}
}

// Wants returns FaultVoid, the only kind of event that the fold takes. It implements trace.Selective.
func (v *voidFold) Wants() trace.KindSet { return trace.KindsOf(trace.FaultVoid) }
