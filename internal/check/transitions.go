package check

import (
	"fmt"

	"interregnum/internal/trace"
)

// Transitions checks that the record counts its changes of holder: a write that names another holder counts one more, a
// release none, and neither does a leader that renews. Who takes a lock again that still has its name may count that,
// and a record that is created anew may begin at 0. It is a trace.Selective. Each object is looked at by itself; what a
// lock on two objects writes to the second it has counted on the first, which this does not know.
type Transitions struct {
	// objects are by election and kind, of the candidates' elections in header.
	header  *trace.Header
	objects map[transitionsKey]*transitionsState
	// working are the candidates whose work runs and has not been told to end.
	working map[int32]bool
	broken  string
}

type transitionsKey struct {
	election string
	object   trace.Object
}

type transitionsState struct {
	exists, known bool
	holder        string
	count         int64
}

var _ trace.Selective = (*Transitions)(nil)

// NewTransitions returns the check of a run that is about to begin.
func NewTransitions(h *trace.Header) *Transitions {
	return &Transitions{
		header: h, objects: make(map[transitionsKey]*transitionsState), working: make(map[int32]bool),
	}
}

// of returns the state of an election's object of that kind. It is made where there is none yet.
func (t *Transitions) of(election string, o trace.Object) *transitionsState {
	key := transitionsKey{election, o}
	s := t.objects[key]
	if s == nil {
		s = &transitionsState{}
		t.objects[key] = s
	}
	return s
}

// nobodys returns the state of the object that an event of no candidate is about.
func (t *Transitions) nobodys(e *trace.Event) *transitionsState {
	election := ""
	if t.header.Elections != nil {
		election = t.header.Elections[e.Election]
	}
	return t.of(election, e.Object)
}

// Broken says where the count first went wrong, "" where it never did.
func (t *Transitions) Broken() string { return t.broken }

// Wants tells whether events of that kind say anything about the record or who leads.
func (t *Transitions) Wants(k trace.Kind) bool {
	switch k {
	case trace.Written, trace.Deleted, trace.Edited, trace.WorkStarted, trace.WorkCancelled:
		return true
	}
	return false
}

// Observe takes in an event.
func (t *Transitions) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.WorkStarted, trace.WorkCancelled:
		t.working[e.Candidate] = e.Kind == trace.WorkStarted
	case trace.Deleted:
		t.nobodys(e).exists = false
	case trace.Edited:
		o := t.nobodys(e) // an edit leaves the count as it is
		o.exists, o.known, o.holder = true, true, e.Holder
	case trace.Written:
		o := t.of(t.header.Candidates[e.Candidate].Election, e.Object)
		if !o.counted(e, t.working[e.Candidate]) && t.broken == "" {
			t.broken = fmt.Sprintf("event %d: holder %q with %d transitions after holder %q with %d",
				e.Seq, e.Holder, e.Transitions, o.holder, o.count)
		}
		o.exists, o.known, o.holder, o.count = true, true, e.Holder, e.Transitions
	}
}

// counted tells whether a write counts the transitions as it should after the record before it. Working tells that the writer leads already.
func (o *transitionsState) counted(e *trace.Event, working bool) bool {
	grown := e.Transitions - o.count
	switch {
	case !o.known:
		return e.Transitions == 0
	case !o.exists:
		// A leader whose lock somebody has deleted makes it anew, and its term goes on.
		return e.Transitions == 0 || grown == 1 || grown == 0 && e.Holder == o.holder && working
	case e.Holder == "", e.Holder == o.holder && working:
		return grown == 0
	case e.Holder == o.holder:
		return grown == 0 || grown == 1
	}
	return grown == 1
}
