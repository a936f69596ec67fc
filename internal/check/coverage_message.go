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

// follow updates the state of the request by an event about it, and adds the witnesses that the event shows to seen.
func (r *coverageRequest) follow(e *trace.Event, seen *witnesses) {
	switch e.Kind {
	case trace.Written:
		r.arrived, r.written = true, true
	case trace.RequestApplied:
		r.arrived = true
	case trace.RequestRefused:
		r.arrived = true
		seen.see(AppliedButRefused, r.written)
	case trace.RequestLost:
		r.travelling = false
	case trace.ResponseLost:
		r.travelling = false
		seen.see(AnswerLostAfterApply, r.written)
	case trace.ResponseLate:
		r.travelling = false
	case trace.ResponseHandled:
		r.travelling, r.waiting = false, false
		seen.see(ConflictOnFastPath, r.optimistic && e.Status == conflict)
	case trace.GaveUp:
		r.waiting = false
	}
}

// settled tells whether neither the request nor its answer is on the way, and nobody waits for it.
func (r *coverageRequest) settled() bool { return !r.travelling && !r.waiting }

// coverageRequests are the requests of one candidate that may change the object and are not settled yet.
type coverageRequests struct {
	// all are in no order.
	all []coverageRequest
	// last is the verb that was sent last in this Run.
	last trace.Verb
}

// send adds the request that the event says was sent, unless it only reads, and stores its verb as the one sent last. leads tells
// whether the sender leads, so that an update that names a holder, or a refresh, is a renewal.
func (q *coverageRequests) send(e *trace.Event, leads bool) {
	r := coverageRequest{id: e.Request, sentAt: e.At, travelling: true, waiting: true}
	switch e.Verb {
	case trace.Get, trace.Watch:
		q.last = e.Verb
		return
	case trace.Refresh:
		r.renewal, r.optimistic = leads, leads
	case trace.Release:
		r.release = true
	case trace.Update:
		r.release = e.Holder == ""
		r.renewal = !r.release && leads
		r.optimistic = r.renewal && q.last != trace.Get
	}
	q.last = e.Verb
	q.all = append(q.all, r)
}

// find returns the index in q.all of the request of that number, -1 if it is not there.
func (q *coverageRequests) find(id uint64) int {
	for i := range q.all {
		if q.all[i].id == id {
			return i
		}
	}
	return -1
}

// drop removes the request with that index in q.all. The last one takes its place.
func (q *coverageRequests) drop(i int) {
	last := len(q.all) - 1
	q.all[i] = q.all[last]
	q.all = q.all[:last]
}

// forsake ends the wait for all requests sent before, as the start or end of a Run or process does, and forgets the verb sent
// last. It drops a request if neither it nor its answer is still on the way.
func (q *coverageRequests) forsake() {
	q.last = trace.NoVerb
	for i := range q.all {
		q.all[i].waiting = false
	}
	q.all = slices.DeleteFunc(q.all, func(r coverageRequest) bool { return r.settled() })
}
