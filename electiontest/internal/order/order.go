// Package order puts what happened in a run into an order that does not depend on the order of goroutines.
package order

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
)

// Event is an event, and the step of the run that it happened in. Within one step nothing passes between candidates, so that
// their order is free.
type Event struct {
	trace.Event
	Step int
}

// Of returns the events in an order that does not depend on that of goroutines. It also sorts the slice that it is
// given.
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

// together tells whether two events are of one instant, one step and one candidate, so that their order is free.
func together(a, b *Event) bool {
	return a.At == b.At && a.Step == b.Step && a.Candidate == b.Candidate
}

// settle sorts the events of one candidate, instant and step in place, so that their order does not depend on which of
// its goroutines was first. Reports of a leader, the beginning of work, its cancellation and its writes come before
// what the elector's own goroutine notes afterwards. The end of work does so only if the work was told to end in this
// step. A request that was given up comes before the cancellation, the writes and the end of work.
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

// moveUp moves the last event towards the front, past all events before it until passes is false for one.
func moveUp(events []trace.Event, passes func(*trace.Event) bool) {
	for i := len(events) - 1; i > 0 && passes(&events[i-1]); i-- {
		events[i], events[i-1] = events[i-1], events[i]
	}
}

// ofWork tells whether an event comes from a goroutine of work in progress.
func ofWork(e *trace.Event) bool {
	return e.Kind == trace.WorkCancelled || e.Kind == trace.WorkEnded || e.Kind == trace.ResourceWritten
}

// consequent tells whether an event comes from the elector's own goroutine, once it has gone on.
func consequent(e *trace.Event) bool {
	switch e.Kind {
	case trace.RequestSent, trace.RequestLost, trace.LocalError, trace.EventRecorded, trace.Stopped, trace.RunReturned,
		trace.BeliefEnded:
		return true
	}
	return false
}
