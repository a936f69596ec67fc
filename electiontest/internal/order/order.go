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

// settle sorts the events of one candidate, instant and step in place, so that their order does not depend on which of its goroutines was
// first. Two events stay in the order in which they happened unless they are free. Of those that can come next, it takes the one
// that before puts first.
func settle(events []trace.Event) {
	for n := range events {
		rest := events[n:]
		next := 0
		for i := range rest {
			if before(&rest[i], &rest[next]) && freeOf(rest[:i], &rest[i]) {
				next = i
			}
		}
		e := rest[next]
		copy(rest[1:], rest[:next])
		rest[0] = e
	}
}

// before tells whether a comes before b if both can come next.
func before(a, b *trace.Event) bool {
	return cmp.Or(cmp.Compare(ranks[a.Kind], ranks[b.Kind]), cmp.Compare(a.Term, b.Term)) < 0
}

// freeOf tells whether e is free of all those events.
func freeOf(all []trace.Event, e *trace.Event) bool {
	for i := range all {
		if !free(&all[i], e) {
			return false
		}
	}
	return true
}

// ranks says in which order kinds come whose events are free. A leader is reported, a request given up, and work begins or is told to end,
// before the elector's own goroutine goes on. Whatever ends a Run comes last, since the end of the candidate's function does, too.
var ranks = map[trace.Kind]int{
	trace.LeaderReported: -6, trace.GaveUp: -5, trace.WorkStarted: -4, trace.WorkCancelled: -3, trace.ResourceWritten: -2, trace.WorkEnded: -1,
	trace.BeliefEnded: 1, trace.RunReturned: 2,
}

// free tells whether the order of two events of one candidate says nothing, since goroutines that do not wait for each other cause them.
func free(a, b *trace.Event) bool {
	return freely(a, b) || freely(b, a)
}

// freely tells whether a's goroutine does not wait for that of b. It may say that of one order of the two alone.
func freely(a, b *trace.Event) bool {
	switch a.Kind {
	case trace.LeaderReported:
		return ofWork(b) || b.Kind == trace.WorkStarted || consequent(b)
	case trace.WorkStarted:
		return consequent(b) || ofWork(b) && a.Term != b.Term
	case trace.WorkCancelled, trace.ResourceWritten, trace.WorkEnded:
		return consequent(b) || b.Kind == trace.RunStarted || ofWork(b) && a.Term != b.Term
	case trace.GaveUp:
		return ofWork(b) || endsRun(b)
	}
	return endsRun(a) && consequent(b) && !endsRun(b)
}

// endsRun tells whether an event is one that the end of the candidate's function can cause.
func endsRun(e *trace.Event) bool { return e.Kind == trace.BeliefEnded || e.Kind == trace.RunReturned }

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
