package check

import (
	"slices"

	"interregnum/internal/trace"
)

// message takes in an event of a request that was sent.
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

func (c *streamState) sent(e *trace.Event) bool {
	wait := c.waits(e)
	fine := c.running && *wait == 0 && e.Request > c.lastRequest
	*wait, c.lastRequest = e.Request, e.Request
	c.requests = append(c.requests, streamRequest{id: e.Request, dueAt: e.At + e.Amount})
	return fine
}

// answered is the end of the wait for a request.
func (c *streamState) answered(e *trace.Event) bool {
	wait := c.waits(e)
	fine := *wait == e.Request
	*wait = 0
	return fine
}

// waits is what is waited for with a request like that.
func (c *streamState) waits(e *trace.Event) *uint64 {
	if e.Verb == trace.Watch {
		return &c.watching
	}
	return &c.waiting
}

func (r *streamRequest) arrives(e *trace.Event) bool {
	fine := !r.arrived && e.At == r.dueAt
	r.arrived, r.status = true, e.Status
	return fine
}
