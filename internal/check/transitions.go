package check

import (
	"fmt"

	"interregnum/internal/trace"
)

// Transitions checks that the record counts its changes of holder: a write that names another holder counts one more, a
// release none, and neither does a leader that renews. Two cases are left open. A candidate that takes a lock again whose
// record still names it can count one more, or not. A record that is created anew can begin at 0. Transitions is a
// trace.Selective. Each object is looked at by itself; what a lock on two objects writes to the second it has counted on the
// first, which this does not know.
type Transitions struct {
	trace.ByElection[*electionTransitions]
	broken string
}

// NewTransitions returns the check of a run that is about to begin.
func NewTransitions(h *trace.Header) *Transitions {
	t := &Transitions{}
	t.ByElection = trace.NewByElection(h, func(_ *trace.Header, r *trace.Roster) *electionTransitions {
		return &electionTransitions{roster: r, broken: &t.broken}
	})
	return t
}

// Broken returns a message about where the count first went wrong, "" if it never did.
func (t *Transitions) Broken() string { return t.broken }

// electionTransitions checks the records of one election.
type electionTransitions struct {
	roster *trace.Roster
	broken *string
}

// transitionKinds are those of events that say anything about the record or who leads.
var transitionKinds = trace.KindsOf(trace.Written, trace.Deleted, trace.Edited, trace.WorkStarted, trace.WorkCancelled,
	trace.WorkEnded, trace.Crashed)

// Wants returns the kinds of event that change a record or say who leads. It implements trace.Selective.
func (t *electionTransitions) Wants() trace.KindSet { return transitionKinds }

// Observe checks the number of transitions in a write, and stores a message in broken the first time that it is wrong. It ignores
// events other than Written.
func (t *electionTransitions) Observe(e *trace.Event) {
	if e.Kind != trace.Written || *t.broken != "" {
		return
	}
	if before := &t.roster.Records[e.Object]; !counted(before, e, t.roster.Leads(e.Candidate)) {
		*t.broken = fmt.Sprintf("event %d: holder %q with %d transitions after holder %q with %d",
			e.Seq, e.Holder, e.Transitions, before.Holder, before.Transitions)
	}
}

// counted tells whether the write e counts the transitions as it should after the record before; Transitions says how. The
// first record of an object must begin at 0. leads is true if the writer leads already.
func counted(before *trace.Record, e *trace.Event, leads bool) bool {
	grown := e.Transitions - before.Transitions
	switch {
	case !before.Known:
		return e.Transitions == 0
	case !before.Exists:
		// A leader whose lock somebody has deleted makes it anew, and its term goes on.
		return e.Transitions == 0 || grown == 1 || grown == 0 && e.Holder == before.Holder && leads
	case e.Holder == "", e.Holder == before.Holder && leads:
		return grown == 0
	case e.Holder == before.Holder:
		return grown == 0 || grown == 1
	}
	return grown == 1
}
