package check

import (
	"slices"

	"interregnum/internal/trace"
)

// streamRequests are the requests of one candidate that are waited for or on their way.
type streamRequests struct {
	// waiting is the request that is waited for, 0 for none; last the last one sent.
	waiting, last uint64
	// watching is the watch that is waited for beside that.
	watching uint64
	onTheWay []streamRequest
}

// streamRequest is a request on its way, or its answer.
type streamRequest struct {
	id      uint64
	dueAt   int64
	arrived bool
	status  int16
}

// forsake ends the waits for all answers, as the end of a Run or process does. It always returns true, for use in a condition.
func (q *streamRequests) forsake() bool {
	q.waiting, q.watching = 0, 0
	return true
}

// message updates the request that the event is about, and returns true if the event could come next.
func (q *streamRequests) message(e *trace.Event) bool {
	if e.Kind == trace.GaveUp {
		return q.answered(e)
	}
	i := slices.IndexFunc(q.onTheWay, func(r streamRequest) bool { return r.id == e.Request })
	if i < 0 {
		return false
	}
	r := &q.onTheWay[i]
	switch e.Kind {
	case trace.RequestQueued:
		fine := !r.arrived && e.At == r.dueAt
		r.dueAt += e.Amount
		return fine
	case trace.RequestApplied, trace.Written:
		return r.arrives(e)
	case trace.RequestRefused:
		// One that says that it was applied has arrived already.
		fine := r.arrived || r.arrives(e)
		r.status = e.Status
		return fine
	}
	arrived, status := r.arrived, r.status
	q.onTheWay = slices.Delete(q.onTheWay, i, i+1)
	switch e.Kind {
	case trace.RequestLost:
		return !arrived
	case trace.ResponseHandled:
		return arrived && status == e.Status && q.answered(e)
	case trace.ResponseLate:
		return arrived && q.waiting != e.Request && q.watching != e.Request
	}
	return arrived
}

// sent adds the request that the event says was sent. It returns true if no other request of its sort is waited for and
// its number is higher than all before.
func (q *streamRequests) sent(e *trace.Event) bool {
	wait := q.waits(e)
	fine := *wait == 0 && e.Request > q.last
	*wait, q.last = e.Request, e.Request
	q.onTheWay = append(q.onTheWay, streamRequest{id: e.Request, dueAt: e.At + e.Amount})
	return fine
}

// answered ends the wait for the event's request, and tells whether that request was waited for.
func (q *streamRequests) answered(e *trace.Event) bool {
	wait := q.waits(e)
	fine := *wait == e.Request
	*wait = 0
	return fine
}

// waits returns a pointer to waiting or, if e is about a watch, to watching: the number of the request of that sort that is
// waited for.
func (q *streamRequests) waits(e *trace.Event) *uint64 {
	if e.Verb == trace.Watch {
		return &q.watching
	}
	return &q.waiting
}

// arrives marks the request as arrived at the service. It returns true if this is its first arrival and comes when it was
// due.
func (r *streamRequest) arrives(e *trace.Event) bool {
	fine := !r.arrived && e.At == r.dueAt
	r.arrived, r.status = true, e.Status
	return fine
}
