package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
)

// TestTakingBlanksEagerly: leaders of v0.24 take blanks for ever by the first attempts of their polls. Where leases are whole seconds, turns are two
// leases to the nanosecond, and each turn begins later in its second by what requests take; it can be as little as one likes.
func TestTakingBlanksEagerly(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	c := &bound.Config{
		Timings: machine.Timings{LeaseDuration: time.Second, RenewDeadline: 961200001, RetryPeriod: 800 * ms},
		Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: 130 * ms,
	}
	e := &bound.Environment{MaxRoundTrip: 200 * ms}
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	require.True(t, r.Unbounded)
	for _, rounds := range []int{8, 32, 128} {
		s := emptyBlanks(c, e)
		s.phase = 10 * ms
		turn := bound.BlankTurn{
			Length: 2*time.Second + 8*us, Reads: 100 * ms, Apart: time.Second + 4*us, Took: []time.Duration{80 * ms, 220*ms + 8*us}, Frozen: make([]time.Duration, 2),
		}
		for range rounds/2 + 2 {
			s.turns = append(s.turns, turn)
		}
		w := gatetest.Watched(t, s.play(t, rounds).s)
		require.Empty(t, w.Outside(s.s, e))
		assert.Greater(t, w.Score(), time.Duration(rounds)*990*ms)
	}
}
