package check

import (
	"slices"

	"interregnum/internal/trace"
)

// coverageRequest is a request on its way, or one whose sender waits for the answer.
type coverageRequest struct {
	id     uint64
	sentAt int64
	// renewal is a leader's update that names it, release one that names nobody; optimistic is a renewal that no read
	// came before.
	renewal, release, optimistic bool
	// travelling: it or its answer is on the way. waiting: so is its sender. arrived: the service has answered it.
	// written: it has changed the object.
	travelling, waiting, arrived, written bool
}

const conflict = 409

// message follows a request by its events, from when it was sent until it is neither on its way nor waited for, and
// notes the witnesses that it shows.
func (c *Coverage) message(s *coverageState, e *trace.Event) {
	if e.Kind == trace.RequestSent {
		s.send(e)
		return
	}
	i := slices.IndexFunc(s.requests, func(r coverageRequest) bool { return r.id == e.Request })
	if i < 0 {
		return
	}
	r := &s.requests[i]
	switch e.Kind {
	case trace.Written:
		r.arrived, r.written = true, true
		c.written(s, r, e)
	case trace.RequestApplied:
		r.arrived = true
	case trace.RequestRefused:
		r.arrived = true
		c.see(AppliedButRefused, r.written)
	case trace.RequestLost:
		r.travelling = false
	case trace.ResponseLost:
		r.travelling = false
		c.see(AnswerLostAfterApply, r.written)
	case trace.ResponseLate:
		r.travelling = false
		c.see(LateAnswer, true)
	case trace.ResponseHandled:
		r.travelling, r.waiting = false, false
		c.see(ConflictOnFastPath, r.optimistic && e.Status == conflict)
	case trace.GaveUp:
		r.waiting = false
	}
	if !r.travelling && !r.waiting {
		s.requests = slices.Delete(s.requests, i, i+1)
	}
}

// see notes a witness as shown by the run, if shown is true.
func (c *Coverage) see(witness string, shown bool) {
	if shown {
		c.seen[witness] = true
	}
}

// send adds a request that was sent to those that are followed, and notes whether it is a renewal or a release.
func (s *coverageState) send(e *trace.Event) {
	r := coverageRequest{id: e.Request, sentAt: e.At, travelling: true, waiting: true}
	switch e.Verb {
	case trace.Refresh:
		r.renewal, r.optimistic = s.working, s.working
	case trace.Release:
		r.release = true
	case trace.Update:
		r.release = e.Holder == ""
		r.renewal = !r.release && s.working
		r.optimistic = r.renewal && s.last != trace.Get
	}
	s.last = e.Verb
	s.requests = append(s.requests, r)
}

// forsake is called where a Run or the process begins or ends: nobody waits for the requests sent before, and those
// that are not on their way are dropped.
func (s *coverageState) forsake() {
	for i := range s.requests {
		s.requests[i].waiting = false
	}
	s.requests = slices.DeleteFunc(s.requests, func(r coverageRequest) bool { return !r.travelling })
}
