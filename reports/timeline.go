package reports

import (
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Timeline gathers, from a run's events, what a picture of it shows. It is a trace.Sink; use NewTimeline.
type Timeline struct {
	// Color has Text paint for a terminal.
	Color bool

	header     *trace.Header
	candidates []candidateLine
	// records are of each object that a lock is on.
	records []recordLine
	faults  faultLine
}

// span is a stretch of true time, [from, to); to is open while it lasts.
type span struct{ from, to int64 }

// open is the end of what has none yet; the horizon cuts it off.
const open = int64(1<<63 - 1)

// term is a stretch of guarded work: up to cancelled with a living context, then draining.
type term struct {
	span
	cancelled           int64
	incarnation, number int32
}

// candidateLine is what happened to one candidate.
type candidateLine struct {
	identity                string
	ran, believed, paused   []span
	terms                   []term
	running, holdsTheRecord bool
}

// NewTimeline returns the timeline of a run that is about to begin. The faults are the scenario's.
func NewTimeline(h *trace.Header, faults []scenarios.Fault) *Timeline {
	t := &Timeline{header: h, candidates: make([]candidateLine, len(h.Candidates))}
	t.records = newRecords(h)
	t.faults.faults = faults
	return t
}

// Observe takes in an event.
func (t *Timeline) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Written, trace.Deleted, trace.Expired:
		if e.Kind == trace.Written && t.header.Candidates[e.Candidate].Coordinator {
			t.appointed(e)
			return
		}
		t.recordOf(e).observe(e)
		if e.Kind == trace.Written {
			t.candidates[e.Candidate].holdsTheRecord = true
		}
	case trace.Edited:
		t.appointed(e)
	case trace.FaultBegan, trace.FaultEnded, trace.FaultVoid:
		t.faults.observe(e)
	case trace.RunStarted, trace.RunReturned, trace.Crashed, trace.Paused, trace.Resumed,
		trace.BeliefBegan, trace.BeliefEnded, trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded:
		t.candidates[e.Candidate].observe(e)
		if e.Kind == trace.Crashed && e.Cause != trace.NoCause {
			t.faults.ended(e)
		}
	}
}

// appointed takes in a write of the record by somebody else than the holder that it names: the coordinator, or an edit.
// It is shown as if the holder had written it.
func (t *Timeline) appointed(e *trace.Event) {
	of := *e
	of.Object, of.Candidate = trace.Lease, trace.Nobody
	for i := range t.candidates {
		if c := &t.candidates[i]; c.identity == e.Holder && t.header.Candidates[i].Election == t.electionOf(e) {
			of.Candidate, c.holdsTheRecord = int32(i), true
			break
		}
	}
	t.recordOf(e).observe(&of)
}

// observe takes in an event of the candidate's process, belief or work.
func (c *candidateLine) observe(e *trace.Event) {
	switch e.Kind {
	case trace.RunStarted:
		c.identity, c.running = e.Holder, true
		begin(&c.ran, e.At)
	case trace.RunReturned, trace.Crashed:
		c.running = false
		end(c.ran, e.At)
	case trace.Paused:
		begin(&c.paused, e.At)
	case trace.Resumed:
		end(c.paused, e.At)
	case trace.BeliefBegan:
		begin(&c.believed, e.At)
	case trace.BeliefEnded:
		end(c.believed, e.At)
	case trace.WorkStarted:
		c.terms = append(c.terms, term{
			span: span{e.At, open}, cancelled: open, incarnation: e.Incarnation, number: e.Term,
		})
	case trace.WorkCancelled, trace.WorkEnded:
		c.endTerm(e)
	}
}

// endTerm takes in that a term is cancelled or ends. It looks for the term from the end: only the last few can still be
// open.
func (c *candidateLine) endTerm(e *trace.Event) {
	for i := len(c.terms) - 1; i >= 0; i-- {
		t := &c.terms[i]
		if t.number != e.Term || t.incarnation != e.Incarnation {
			continue
		}
		t.cancelled = min(t.cancelled, e.At)
		if e.Kind == trace.WorkEnded {
			t.to = e.At
		}
		return
	}
}

// led tells whether the candidate ever held the record, believed that it leads, or worked.
func (c *candidateLine) led() bool {
	return c.holdsTheRecord || len(c.believed) > 0 || len(c.terms) > 0
}

// begin adds a span that begins at the instant at, unless the last one is still open.
func begin(spans *[]span, at int64) {
	if n := len(*spans); n == 0 || (*spans)[n-1].to != open {
		*spans = append(*spans, span{at, open})
	}
}

// end ends the last span at the instant at, if it is still open.
func end(spans []span, at int64) {
	if n := len(spans); n > 0 && spans[n-1].to == open {
		spans[n-1].to = at
	}
}
