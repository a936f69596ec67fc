package reports

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// TestKeptBack: the timeline shows when clients kept requests back for long, and joins what is less than a RenewDeadline apart.
func TestKeptBack(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader("name: x\nhorizon: 60s\ncandidates: [{id: a}, {id: b}]\n"), "x.yaml")
	require.NoError(t, err)
	line := NewTimeline(s.Header(), nil)
	sec := int64(time.Second)
	for _, e := range []trace.Event{
		{At: sec, Kind: trace.RequestHeld, Amount: sec - 1},
		{At: 2 * sec, Kind: trace.RequestHeld, Amount: sec},
		{At: 13 * sec, Kind: trace.RequestHeld, Amount: 2 * sec},
		{At: 14 * sec, Kind: trace.RequestHeld, Amount: sec, Status: 429, Candidate: 1},
		{At: 15 * sec, Kind: trace.LocalError, Cause: trace.NoObject},
		{At: 15 * sec, Kind: trace.LocalError, Cause: trace.Throttled},
		{At: 26 * sec, Kind: trace.RequestHeld, Amount: sec},
	} {
		line.Observe(&e)
	}
	type shown struct {
		label    string
		from, to int64
		on       int32
	}
	var got []shown
	for _, o := range line.Faults {
		got = append(got, shown{o.Label, o.From / sec, o.To / sec, o.On[0]})
	}
	assert.Equal(t, []shown{
		{"waits in its limiter", 2, 15, 0}, {"waits for a Retry-After", 14, 15, 1}, {"refused by its limiter", 15, 15, 0}, {"waits in its limiter", 26, 27, 0},
	}, got)
}
