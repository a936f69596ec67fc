package check

import (
	"slices"

	"interregnum/internal/trace"
)

// message takes in an event of a request that was sent, and tells whether it could come next.
func (c *streamState) message(e *trace.Event) bool {
	switch e.Kind {
	case trace.RequestSent:
		return c.sent(e)
	case trace.GaveUp:
		return c.answered(e)
	}
	i := slices.IndexFunc(c.requests, func(r streamRequest) bool { return r.id == e.Request })
	if i < 0 {
		return false
	}
	r := &c.requests[i]
	switch e.Kind {
	case trace.RequestApplied, trace.Written:
		return r.arrives(e)
	case trace.RequestRefused:
		// One that says that it was applied has arrived already.
		fine := r.arrived || r.arrives(e)
		r.status = e.Status
		return fine
	}
	arrived, status := r.arrived, r.status
	c.requests = slices.Delete(c.requests, i, i+1)
	switch e.Kind {
	case trace.RequestLost:
		return !arrived
	case trace.ResponseHandled:
		return arrived && status == e.Status && c.answered(e)
	case trace.ResponseLate:
		return arrived && c.waiting != e.Request && c.watching != e.Request
	}
	return arrived
}

// sent takes in the sending of a request, and tells whether it could come next: within a Run, while no other of its
// sort is waited for, and with a higher number than all before.
func (c *streamState) sent(e *trace.Event) bool {
	wait := c.waits(e)
	fine := c.running && *wait == 0 && e.Request > c.lastRequest
	*wait, c.lastRequest = e.Request, e.Request
	c.requests = append(c.requests, streamRequest{id: e.Request, dueAt: e.At + e.Amount})
	return fine
}

// answered ends the wait for a request, and tells whether that request was waited for.
func (c *streamState) answered(e *trace.Event) bool {
	wait := c.waits(e)
	fine := *wait == e.Request
	*wait = 0
	return fine
}

// waits returns where the number of the request that is waited for is kept. A watch has a place of its own.
func (c *streamState) waits(e *trace.Event) *uint64 {
	if e.Verb == trace.Watch {
		return &c.watching
	}
	return &c.waiting
}

// arrives takes in the arrival of a request at the service, and tells whether it is the first and comes when it was due.
func (r *streamRequest) arrives(e *trace.Event) bool {
	fine := !r.arrived && e.At == r.dueAt
	r.arrived, r.status = true, e.Status
	return fine
}
