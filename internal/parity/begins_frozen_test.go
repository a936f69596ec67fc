package parity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// TestBeginsFrozen: a leader's process is frozen between the start of a poll's ticker and its first attempt, for the least time
// that there is. On the unmodified library 4/2/1 then shows the overlap that was computed; without the freeze it shows none.
func TestBeginsFrozen(t *testing.T) {
	s, err := scenarios.ReadFile("../gate/stage/testdata/frozen-as-it-begins.yaml")
	require.NoError(t, err)
	a := &s.Candidates[0]
	c := &bound.Config{Timings: a.Timings, Profile: machine.ClientGo}
	r, err := bound.Of(c, &bound.Environment{MaxRoundTrip: 10 * time.Millisecond, MaxPause: 1})
	require.NoError(t, err)

	h := runLibrary(t, &s.Plan, nil)
	assert.Zero(t, h.overlap(s.Horizon))

	t.Cleanup(func() { beforeNow = nil })
	begins, frozen := 1000060*time.Microsecond, 0
	beforeNow = func(ahead time.Duration) {
		if ahead == a.Clock.Offset && time.Since(current.Load().start) == begins {
			frozen++
			time.Sleep(time.Nanosecond)
		}
	}
	h = runLibrary(t, &s.Plan, nil)
	assert.Equal(t, 1, frozen)
	assert.InDelta(t, r.Overlap, h.overlap(s.Horizon), float64(time.Millisecond))
}
