// Package order puts what happened in a run into an order that does not depend on the order of goroutines.
package order

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
)

// Event is an event, and the number of the run's step in which it happened. Within one step nothing passes between candidates,
// so the order of events of different candidates is free.
type Event struct {
	trace.Event
	Step int
}

// Of returns the events in an order that does not depend on the order in which goroutines ran: by time, step and candidate, and
// then as settle puts them. It also sorts the slice that it is given.
func Of(all []Event) []trace.Event {
	slices.SortStableFunc(all, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Step, b.Step), cmp.Compare(a.Candidate, b.Candidate))
	})
	events := make([]trace.Event, len(all))
	for first := 0; first < len(all); {
		last := first
		for ; last < len(all) && together(&all[first], &all[last]); last++ {
			events[last] = all[last].Event
		}
		settle(events[first:last])
		first = last
	}
	return events
}

// Hash returns a hash of the events that is the same whatever order goroutines ran in at one instant.
func Hash(events []trace.Event) string {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b trace.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Candidate, b.Candidate), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Term, b.Term), cmp.Compare(a.Holder, b.Holder))
	})
	hash := trace.NewHash()
	for i := range events {
		hash.Observe(&events[i])
	}
	return hash.Sum().String()
}

// together tells whether two events are of one instant, one step and one candidate. settle then decides their order.
func together(a, b *Event) bool {
	return a.At == b.At && a.Step == b.Step && a.Candidate == b.Candidate
}

// settle sorts the events of one candidate, instant and step in place, so that their order does not depend on which of its
// goroutines was first. It moves reports of a leader, and the beginning, cancellation and writes of work before the events of
// the elector's own goroutine (consequent). It moves the end of work there only if the work was told to end among these events.
// It moves a request that was given up before the cancellation, the writes and the end of work.
func settle(events []trace.Event) {
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case trace.LeaderReported:
			moveUp(events[:i+1], func(o *trace.Event) bool {
				return consequent(o) || ofWork(o) || o.Kind == trace.WorkStarted
			})
		case trace.WorkStarted, trace.WorkCancelled, trace.ResourceWritten:
			moveUp(events[:i+1], consequent)
		case trace.WorkEnded:
			told := func(o trace.Event) bool { return o.Kind == trace.WorkCancelled && o.Term == e.Term }
			if slices.ContainsFunc(events[:i], told) {
				moveUp(events[:i+1], consequent)
			}
		case trace.GaveUp:
			moveUp(events[:i+1], ofWork)
		}
	}
}

// moveUp moves the last event towards the front, one place at a time, as long as passes is true for the event before it.
func moveUp(events []trace.Event, passes func(*trace.Event) bool) {
	for i := len(events) - 1; i > 0 && passes(&events[i-1]); i-- {
		events[i], events[i-1] = events[i-1], events[i]
	}
}

// ofWork tells whether an event comes from a goroutine of work in progress.
func ofWork(e *trace.Event) bool {
	return e.Kind == trace.WorkCancelled || e.Kind == trace.WorkEnded || e.Kind == trace.ResourceWritten
}

// consequent tells whether an event is one that the elector's own goroutine causes after a callback or an answer: a request, an
// error, a recorded event, or the end of its Run or belief.
func consequent(e *trace.Event) bool {
	switch e.Kind {
	case trace.RequestSent, trace.RequestLost, trace.LocalError, trace.EventRecorded, trace.Stopped, trace.RunReturned,
		trace.BeliefEnded:
		return true
	}
	return false
}
