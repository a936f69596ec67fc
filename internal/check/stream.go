package check

import (
	"fmt"
	"slices"

	"interregnum/internal/trace"
)

// Stream checks that a run's events make sense together, whatever the algorithm did: nothing ends that has not begun,
// nothing begins twice, every answer is to a request that arrived when it was due, a frozen process does nothing, work
// writes with its own token, and no event is missing, late or somebody else's. Properties trust their input; this is
// what the trust rests on. It is a trace.Sink of all events, of candidates that have one request in flight at most: with
// client-go-v0.17 an attempt can be left running beside the next one, and beyond its Run.
type Stream struct {
	at         int64
	seq        uint64
	candidates []streamState
	broken     string
}

// streamState is what is going on at a candidate.
type streamState struct {
	running, stopped, believes, working, paused bool
	// term is the last one that began.
	term trace.TermID
	// draining are the terms whose work was told to end.
	draining []trace.TermID
	// tokens are the fencing tokens of its terms.
	tokens   map[trace.TermID]uint64
	requests streamRequests
}

// NewStream returns the check of a run that is about to begin.
func NewStream(h *trace.Header) *Stream {
	s := &Stream{candidates: make([]streamState, len(h.Candidates))}
	for i := range s.candidates {
		s.candidates[i].tokens = make(map[trace.TermID]uint64)
	}
	return s
}

// Broken returns a message about the event that first contradicted those before it, "" for none.
func (s *Stream) Broken() string { return s.broken }

// Observe checks an event against those before it, and keeps the first contradiction for Broken. After a contradiction it does
// nothing.
func (s *Stream) Observe(e *trace.Event) {
	if s.broken != "" {
		return
	}
	ordered := e.Seq == s.seq+1 && e.At >= s.at
	s.seq, s.at = e.Seq, e.At
	switch {
	case !ordered:
		s.broken = fmt.Sprintf("event %d, %v: out of order", e.Seq, e.Kind)
	case e.Candidate != trace.Nobody && !s.candidates[e.Candidate].follows(e):
		s.broken = fmt.Sprintf("event %d: candidate %d, %v, does not follow", e.Seq, e.Candidate, e.Kind)
	}
}

// follows updates the candidate's state by an event, and returns true if that event could come next.
func (c *streamState) follows(e *trace.Event) bool {
	if c.paused && acts(e.Kind) {
		return false
	}
	switch e.Kind {
	case trace.RequestSent:
		return c.running && c.requests.sent(e)
	case trace.RequestLost, trace.RequestApplied, trace.Written, trace.RequestRefused,
		trace.ResponseLost, trace.ResponseHandled, trace.ResponseLate, trace.GaveUp, trace.RequestQueued:
		return c.requests.message(e)
	case trace.RunStarted:
		return c.started(e)
	case trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded:
		return c.work(e)
	case trace.ResourceWritten:
		token, worked := c.tokens[e.TermID()]
		return worked && token == e.Version
	case trace.RunReturned:
		return ends(&c.running) && ends(&c.stopped) && !c.believes && !c.working && c.requests.forsake()
	case trace.Crashed:
		c.running, c.stopped = false, false
		return c.requests.forsake()
	case trace.BeliefBegan:
		return c.running && begins(&c.believes)
	case trace.BeliefEnded:
		return ends(&c.believes)
	case trace.Stopped:
		return c.running && begins(&c.stopped)
	case trace.Paused:
		return begins(&c.paused)
	case trace.Resumed:
		return ends(&c.paused)
	case trace.CancelAsked:
		return c.running || e.Cause == trace.Terminated
	case trace.LocalError, trace.RequestHeld:
		return c.running
	}
	return true
}

// acts tells whether only a process that is not frozen can cause an event of that kind.
func acts(k trace.Kind) bool {
	switch k {
	case trace.RunStarted, trace.RunReturned, trace.RequestSent, trace.ResponseHandled, trace.GaveUp, trace.LocalError,
		trace.RequestHeld, trace.BeliefBegan, trace.WorkStarted, trace.Stopped, trace.ResourceWritten:
		return true
	}
	return false
}

// begins sets a state to true, and tells whether it was false before.
func begins(state *bool) bool {
	was := *state
	*state = true
	return !was
}

// ends sets a state to false, and tells whether it was true before.
func ends(state *bool) bool {
	was := *state
	*state = false
	return was
}

// started updates the state by the start of a Run, and returns true if that could come next: no Run is going on, and nothing
// is left of the Run before, except work that drains.
func (c *streamState) started(e *trace.Event) bool {
	left := c.believes || c.working || c.stopped
	if e.Incarnation != c.term.Incarnation {
		c.term = trace.TermID{Candidate: e.Candidate, Incarnation: e.Incarnation}
	}
	return begins(&c.running) && !left
}

// work updates the state by an event that starts, cancels or ends the work of a term, and returns true if that could come
// next.
func (c *streamState) work(e *trace.Event) bool {
	id := e.TermID()
	switch e.Kind {
	case trace.WorkStarted:
		c.term.Number++
		c.tokens[id] = e.Version
		return c.running && begins(&c.working) && id == c.term
	case trace.WorkCancelled:
		c.draining = append(c.draining, id)
		return ends(&c.working) && id == c.term
	}
	i := slices.Index(c.draining, id)
	if i >= 0 {
		c.draining = slices.Delete(c.draining, i, i+1)
	}
	return i >= 0
}
