package check

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/trace"
)

const naiveHorizon = 12

// naiveOverlaps asks of each unit of time who was on in it, from the list of all events, and joins the units
// that lie side by side.
func naiveOverlaps(events []trace.Event, begin, end trace.Kind, ids []string) []Violation {
	violations := []Violation{}
	open := false
	for unit := range int64(naiveHorizon) {
		var members []string
		for i, id := range ids {
			depth := 0
			for _, e := range events {
				switch {
				case e.At > unit || e.Candidate != int32(i):
				case e.Kind == begin:
					depth++
				case e.Kind == end:
					depth--
				}
			}
			if depth > 0 {
				members = append(members, id)
			}
		}
		if len(members) < 2 {
			open = false
			continue
		}
		if !open {
			violations = append(violations, Violation{FromNs: unit})
		}
		open = true
		v := &violations[len(violations)-1]
		v.ToNs = unit + 1
		v.Candidates = slices.Compact(slices.Sorted(slices.Values(append(v.Candidates, members...))))
	}
	return violations
}

// beginning is what an end ends.
type beginning struct {
	kind      trace.Kind
	candidate int32
}

// TestOverlapsNaively compares single-work and single-belief with the naive computation, many events at one
// instant.
func TestOverlapsNaively(t *testing.T) {
	header := (&script{}).header()
	header.Horizon = naiveHorizon
	ids := []string{"a", "b", "c"}
	rapid.Check(t, func(t *rapid.T) {
		var events []trace.Event
		at, on := int64(0), map[beginning]int{}
		for range rapid.IntRange(0, 25).Draw(t, "events") {
			at += rapid.SampledFrom([]int64{0, 0, 0, 1, 1, 2}).Draw(t, "later")
			if at >= naiveHorizon {
				break
			}
			who := int32(rapid.IntRange(0, len(ids)-1).Draw(t, "who"))
			kinds := rapid.SampledFrom([][2]trace.Kind{
				{trace.WorkStarted, trace.WorkEnded}, {trace.BeliefBegan, trace.BeliefEnded},
			}).Draw(t, "what")
			begin, kind := beginning{kinds[0], who}, kinds[0]
			if on[begin] > 0 && rapid.IntRange(0, 3).Draw(t, "ends") > 0 {
				kind = kinds[1]
				on[begin]--
			} else {
				on[begin]++
			}
			events = append(events, trace.Event{At: at, Kind: kind, Candidate: who})
		}
		properties := judge(header, events)
		require.Equal(t, naiveOverlaps(events, trace.BeliefBegan, trace.BeliefEnded, ids), properties[1].Violations)
		require.Equal(t, naiveOverlaps(events, trace.WorkStarted, trace.WorkEnded, ids), properties[2].Violations)
	})
}
