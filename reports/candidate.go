package reports

import "interregnum/internal/trace"

// Term is the span of a candidate's guarded work. Its context ends at Cancelled; from then on the work drains.
type Term struct {
	Span
	Cancelled int64
	// Number counts the terms of one start of the process.
	Number      int32
	incarnation int32
}

// CandidateLine is the history of one candidate: when a Run was in progress, when it believed that it leads, when its
// process was frozen, and its terms.
type CandidateLine struct {
	Ran, Believed, Paused []Span
	Terms                 []Term
	identity              string
	// working is how many of the terms have not ended.
	working int
	// everHolder tells that the record has named it.
	everHolder bool
}

// observe records in c an event of the candidate's process, belief or work: it begins or ends a span, begins a term, or ends one,
// and counts in c.working. The start of a Run also sets c.identity. It ignores other events.
func (c *CandidateLine) observe(e *trace.Event) {
	switch e.Kind {
	case trace.RunStarted:
		c.identity = e.Holder
		begin(&c.Ran, e.At)
	case trace.RunReturned, trace.Crashed:
		end(c.Ran, e.At)
	case trace.Paused:
		begin(&c.Paused, e.At)
	case trace.Resumed:
		end(c.Paused, e.At)
	case trace.BeliefBegan:
		begin(&c.Believed, e.At)
	case trace.BeliefEnded:
		end(c.Believed, e.At)
	case trace.WorkStarted:
		c.working++
		c.Terms = append(c.Terms, Term{
			Span: Span{e.At, Open}, Cancelled: Open, Number: e.Term, incarnation: e.Incarnation,
		})
	case trace.WorkCancelled, trace.WorkEnded:
		c.endTerm(e)
	}
}

// endTerm sets in c.Terms when the work of a term was cancelled and, if e says so, when it ended; then it also counts c.working
// down. It does nothing for a term that it does not find. It searches from the last term, since only the last few can be open.
func (c *CandidateLine) endTerm(e *trace.Event) {
	for i := len(c.Terms) - 1; i >= 0; i-- {
		t := &c.Terms[i]
		if t.Number != e.Term || t.incarnation != e.Incarnation {
			continue
		}
		t.Cancelled = min(t.Cancelled, e.At)
		if e.Kind == trace.WorkEnded {
			c.working--
			t.To = e.At
		}
		return
	}
}

// Led tells whether the candidate ever held the record, believed that it leads, or worked.
func (c *CandidateLine) Led() bool {
	return c.everHolder || len(c.Believed) > 0 || len(c.Terms) > 0
}
