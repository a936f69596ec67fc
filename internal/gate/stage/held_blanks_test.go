package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

// TestTakingHeldBlanks: leaders of v0.24 take blanks for ever where they are frozen as the Get that reads a blank waits in the limiter, and where
// all turns together are only a millisecond longer than they must be.
func TestTakingHeldBlanks(t *testing.T) {
	for _, lock := range []plan.Lock{plan.Lease, plan.ConfigMap} {
		a := attacked{
			&bound.Config{
				Timings: machine.Timings{LeaseDuration: time.Second, RenewDeadline: 552_346_147, RetryPeriod: 446_955_122},
				Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: 900 * time.Microsecond, Lock: lock,
			},
			&bound.Environment{MaxRoundTrip: 7_126_258, MaxPause: 123_802_185, MaxDriftPPM: 5000},
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		require.True(t, r.Unbounded)
		a.grows(t, nearHeldBlanks, a.c.RenewDeadline)
		const rounds = 1000
		w := gatetest.Watched(t, nearHeldBlanks(t, a.c, a.e, rounds).s)
		assert.Greater(t, w.Score(), rounds*a.c.LeaseDuration*99/100)
	}
}

// nearHeldBlanks is closeBlanks with turns of that sort.
func nearHeldBlanks(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := closeBlanks(t, c, e, rounds)
	require.Positive(t, s.turns[0].Held)
	return s.play(t, rounds)
}

// closeBlanks is newBlanks for an environment without a millisecond to spare.
func closeBlanks(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *blanks {
	longer := *c
	longer.LeaseDuration += 50 * time.Microsecond
	longer.RenewDeadline -= 5 * time.Microsecond
	for _, drift := range []int64{e.MaxDriftPPM, e.MaxDriftPPM / 2, 0} {
		real := *e
		real.MaxDriftPPM = drift
		less := real
		less.MaxRoundTrip = max(0, less.MaxRoundTrip-10*time.Microsecond)
		less.MaxPause = max(0, less.MaxPause-10*time.Microsecond)
		s := emptyBlanks(c, &real)
		if s.phase, s.turns = bound.BlankTurns(&longer, &less, rounds/2+2); len(s.turns) > 0 {
			return s
		}
	}
	require.Fail(t, "no turns are known", "%+v in %+v", *c, *e)
	return nil
}

// held is a configuration of v0.24 whose requests wait in the limiter, and in which freezes and answers make RetryPeriods about as long as leases.
var held = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
	e := &bound.Environment{
		MaxRoundTrip: ms(4, 40, "trip"), MaxPause: ms(5, 200, "pause"), MaxDriftPPM: rapid.SampledFrom([]int64{0, 5000, 20_000, 100_000}).Draw(t, "drift"),
	}
	c := &bound.Config{Profile: machine.ClientGoV024, ReleaseOnCancel: true, Lock: rapid.SampledFrom([]plan.Lock{plan.Lease, plan.ConfigMap}).Draw(t, "lock")}
	c.LeaseDuration = time.Duration(rapid.IntRange(1, 2).Draw(t, "lease")) * time.Second
	renewals, ticks := rapid.IntRange(1, 4).Draw(t, "renewals"), rapid.IntRange(1, 4).Draw(t, "ticks")
	filled := e.MaxPause*time.Duration(rapid.IntRange(80, 170).Draw(t, "frozen"))/100 + e.MaxRoundTrip*time.Duration(rapid.IntRange(3, 3+2*renewals).Draw(t, "answers"))
	c.RetryPeriod = (2*c.LeaseDuration - filled) / time.Duration(renewals+1+ticks)
	c.RenewDeadline = c.RetryPeriod * time.Duration(100*ticks+rapid.IntRange(10, 99).Draw(t, "deadline")) / 100
	c.RequestTimeout = time.Duration(rapid.IntRange(100, 3000).Draw(t, "timeout")) * time.Microsecond
	return attacked{c, e}
})

// TestTakingDrawnHeldBlanks is TestTakingHeldBlanks with drawn configurations. Where the bound says how many turns there are, it knows no such plan.
func TestTakingDrawnHeldBlanks(t *testing.T) {
	shown := 0
	counted := blanksOfSort(t, held, func(turn *bound.BlankTurn) bool {
		shown += one(turn.Held > 0)
		return turn.Held > 0
	})
	t.Logf("%d shown; %d counted", shown, counted)
	assert.Positive(t, shown)
	assert.Greater(t, counted, few.Of(100))
}
