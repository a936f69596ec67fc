package reports

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Timeline collects, from a run's events, what pictures of the run show. It is a trace.Sink. NewTimeline makes one.
type Timeline struct {
	// Color makes text.Timeline use the colours of a terminal.
	Color bool

	Header     *trace.Header
	Candidates []CandidateLine
	// Records has an entry for each object that a lock is on, in each election.
	Records []RecordLine
	// Faults are the faults that happened.
	Faults []Occurrence
	// Planned are the faults of the scenario.
	Planned []scenarios.Fault

	elections trace.CandidateElections
}

// NewTimeline returns an empty timeline for a run of a scenario with these faults.
func NewTimeline(h *trace.Header, faults []scenarios.Fault) *Timeline {
	return &Timeline{
		Header: h, Candidates: make([]CandidateLine, len(h.Candidates)), Records: newRecords(h), Planned: faults,
		elections: h.CandidateElections(),
	}
}

// Observe records the event e in the line of its candidate, in the line of its record and in t.Faults, as far as e concerns them.
// It ignores kinds of events that no picture shows. Events must come in order.
func (t *Timeline) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Written, trace.Deleted, trace.Expired:
		if e.Kind == trace.Written && t.Header.Candidates[e.Candidate].Coordinator {
			t.appointed(e)
			return
		}
		t.Records[t.RecordIndex(e)].observe(e)
		if e.Kind == trace.Written {
			t.Candidates[e.Candidate].everHolder = true
		}
	case trace.Edited:
		t.appointed(e)
	case trace.FaultBegan, trace.FaultEnded, trace.FaultVoid:
		t.fault(e)
	case trace.RequestHeld, trace.LocalError:
		t.keptBack(e)
	case trace.RunStarted, trace.RunReturned, trace.Crashed, trace.Paused, trace.Resumed,
		trace.BeliefBegan, trace.BeliefEnded, trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded:
		t.Candidates[e.Candidate].observe(e)
		if e.Kind == trace.Crashed && e.Cause != trace.NoCause {
			t.Faults = append(t.Faults, processEnd(e))
		}
	}
}

// fault adds the fault that e begins to t.Faults, or sets the end of the fault that e ends. If e says that a fault has no effect,
// it removes the fault.
func (t *Timeline) fault(e *trace.Event) {
	of := func(o Occurrence) bool { return o.fault == e.Fault }
	switch e.Kind {
	case trace.FaultBegan:
		t.Faults = append(t.Faults, occurrence(t.Planned, e))
	case trace.FaultEnded:
		if i := slices.IndexFunc(t.Faults, of); i >= 0 {
			t.Faults[i].To = e.At
		}
	case trace.FaultVoid:
		t.Faults = slices.DeleteFunc(t.Faults, of)
	}
}

// keptBack adds to t.Faults that the candidate's client keeps a request back for long, or has refused to send it. If the client has
// done that within the last RenewDeadline too, for the same reason, that occurrence becomes longer instead. Short waits it ignores.
func (t *Timeline) keptBack(e *trace.Event) {
	about := &t.Header.Candidates[e.Candidate]
	o := Occurrence{Span: Span{e.At, e.At + e.Amount}, fault: noFault, On: []int32{e.Candidate}}
	switch {
	case !about.KeepsBack(e):
		return
	case e.Kind == trace.LocalError:
		o.Label = "refused by its limiter"
	case e.Status != 0:
		o.Label = "waits for a Retry-After"
	default:
		o.Label = "waits in its limiter"
	}
	for i := range t.Faults {
		before := &t.Faults[i]
		if before.Label == o.Label && before.On[0] == e.Candidate && o.From-before.To <= int64(about.RenewDeadline) {
			before.To = o.To
			return
		}
	}
	t.Faults = append(t.Faults, o)
}

// appointed records a write of the record by the coordinator or by an edit. The timeline shows it as if the holder that the write
// names had made it; if no candidate of the election has that name, as a write by nobody.
func (t *Timeline) appointed(e *trace.Event) {
	of, election := *e, t.elections.Of(e)
	of.Object, of.Candidate = trace.Lease, trace.Nobody
	for i := range t.Candidates {
		if c := &t.Candidates[i]; c.identity == e.Holder && t.elections[i] == election {
			of.Candidate, c.everHolder = int32(i), true
			break
		}
	}
	t.Records[t.RecordIndex(e)].observe(&of)
}

// RecordIndex returns the index in Records of the record that an event is about; 0 if the header has no such object.
func (t *Timeline) RecordIndex(e *trace.Event) int {
	election := t.elections.Of(e)
	i := slices.IndexFunc(t.Records, func(r RecordLine) bool { return r.object == e.Object && r.election == election })
	return max(i, 0)
}

// Several tells whether locks are on other objects than the Lease, so that texts have to say which object they mean.
func (t *Timeline) Several() bool { return len(t.Header.Objects()) > 0 }

// Working returns how many candidates are working in the election that an event is about.
func (t *Timeline) Working(e *trace.Event) (n int) {
	election := t.elections.Of(e)
	for i := range t.Candidates {
		if t.Candidates[i].working > 0 && t.elections[i] == election {
			n++
		}
	}
	return n
}

// Choose returns the indices of the candidates to show, at most limit. If there are more, candidates that were part of a
// violation in r come first, then those that ever led, then the rest, each in the order of the scenario.
func (t *Timeline) Choose(r *scenarios.Result, limit int) []int32 {
	shown := make([]int32, len(t.Candidates))
	for i := range shown {
		shown[i] = int32(i)
	}
	if len(shown) <= limit {
		return shown
	}
	involved := map[string]bool{}
	for _, property := range r.Properties {
		for _, v := range property.Violations {
			for _, id := range v.Names() {
				involved[id] = true
			}
		}
	}
	rank := func(i int32) int {
		switch {
		case involved[t.Header.Candidates[i].Name()]:
			return 0
		case t.Candidates[i].Led():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(shown, func(a, b int32) int { return cmp.Compare(rank(a), rank(b)) })
	return shown[:limit]
}
