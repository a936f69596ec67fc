package order

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
)

// TestOrderOfGoroutines: whichever goroutine of a candidate is first, its events of one instant come out in one order.
func TestOrderOfGoroutines(t *testing.T) {
	for name, goroutines := range map[string][][]trace.Kind{
		"starts": {
			{trace.BeliefBegan, trace.EventRecorded, trace.RequestSent}, {trace.LeaderReported}, {trace.WorkStarted},
		},
		"writes at once": {
			{trace.BeliefBegan, trace.EventRecorded, trace.RequestSent}, {trace.LeaderReported},
			{trace.WorkStarted, trace.ResourceWritten, trace.ResourceWritten},
		},
		"is cancelled": {
			{trace.BeliefEnded, trace.Stopped, trace.RunReturned}, {trace.WorkCancelled, trace.WorkEnded},
		},
		"writes as it is cancelled": {
			{trace.BeliefEnded, trace.Stopped, trace.RunReturned}, {trace.WorkCancelled, trace.ResourceWritten, trace.WorkEnded},
		},
		"gives up as its work writes": {
			{trace.ClockChanged}, {trace.GaveUp, trace.BeliefEnded, trace.RunReturned}, {trace.WorkCancelled, trace.ResourceWritten, trace.WorkEnded},
		},
		"stops as the candidate's function returns": {
			{trace.ClockChanged}, {trace.GaveUp, trace.EventRecorded, trace.Stopped}, {trace.BeliefEnded, trace.RunReturned}, {trace.WorkCancelled, trace.WorkEnded},
		},
		"ends work as it is begun again": {
			{trace.ClockChanged}, {trace.RunReturned, trace.RunStarted, trace.RequestSent, trace.RequestLost}, {trace.WorkEnded},
		},
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			interleave(goroutines, nil, func(kinds []trace.Kind) {
				all := make([]Event, len(kinds))
				for i, k := range kinds {
					all[i] = Event{Event: trace.Event{Kind: k}}
				}
				order := ""
				for _, e := range Of(all) {
					order += e.Kind.String() + " "
				}
				seen[order] = true
			})
			require.Len(t, seen, 1, "%v", seen)
		})
	}
}

// interleave calls yield with every order in which the goroutines can note their events. The first goroutine is the elector's: its
// first event comes before those of all others.
func interleave(goroutines [][]trace.Kind, noted []trace.Kind, yield func([]trace.Kind)) {
	done := true
	for i, own := range goroutines {
		if len(own) == 0 {
			continue
		}
		done = false
		if i > 0 && len(noted) == 0 {
			break
		}
		rest := append([][]trace.Kind(nil), goroutines...)
		rest[i] = own[1:]
		interleave(rest, append(noted[:len(noted):len(noted)], own[0]), yield)
	}
	if done {
		yield(noted)
	}
}
