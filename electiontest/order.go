package electiontest

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
)

// happened is an event, and the step of the world that it happened in.
type happened struct {
	trace.Event
	step int
}

// inOrder are the events in an order that does not depend on that of goroutines. Between two steps nothing passes between
// candidates, so that their order is free; within a candidate only WorkCancelled is noted by a goroutine of its own.
func inOrder(all []happened) []trace.Event {
	slices.SortStableFunc(all, func(a, b happened) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.step, b.step), cmp.Compare(a.Candidate, b.Candidate))
	})
	events := make([]trace.Event, len(all))
	for first := 0; first < len(all); {
		last := first
		for ; last < len(all) && together(&all[first], &all[last]); last++ {
			events[last] = all[last].Event
		}
		placeCancelled(events[first:last])
		first = last
	}
	return events
}

func together(a, b *happened) bool {
	return a.At == b.At && a.step == b.step && a.Candidate == b.Candidate
}

// placeCancelled puts each WorkCancelled before what tells that the work was over, else at the end.
func placeCancelled(events []trace.Event) {
	for i := range events {
		// Backwards, so that what has been moved to the end is not met again.
		at := len(events) - 1 - i
		e := events[at]
		crashed := func(o trace.Event) bool { return o.Kind == trace.Crashed }
		if e.Kind != trace.WorkCancelled || slices.ContainsFunc(events[:at], crashed) {
			continue // a crash is noted at once with what it ends
		}
		rest := slices.Delete(events, at, at+1)
		began := 1 + slices.IndexFunc(rest, func(o trace.Event) bool {
			return o.Kind == trace.WorkStarted && o.Term == e.Term && o.Incarnation == e.Incarnation
		})
		to := slices.IndexFunc(rest[began:], func(o trace.Event) bool {
			switch o.Kind {
			case trace.WorkEnded, trace.Stopped:
				return o.Term == e.Term
			case trace.Crashed, trace.RunReturned:
				return true
			}
			return false
		})
		if to < 0 {
			to = len(rest) - began
		}
		copy(events, slices.Insert(slices.Clone(rest), began+to, e))
	}
}
