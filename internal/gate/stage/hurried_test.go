package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/plan"
)

// hurried is a configuration of v0.24 with much drift, and few ticks in a poll.
var hurried = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
	c := &bound.Config{Profile: machine.ClientGoV024, ReleaseOnCancel: true, Lock: rapid.SampledFrom([]plan.Lock{plan.Lease, plan.ConfigMapsLeases}).Draw(t, "lock")}
	e := &bound.Environment{MaxDriftPPM: rapid.SampledFrom([]int64{100_000, 300_000, 500_000, 700_000}).Draw(t, "drift")}
	c.LeaseDuration = ms(1000, 2500, "lease")
	c.RenewDeadline = c.LeaseDuration * time.Duration(rapid.IntRange(20, 99).Draw(t, "deadline")) / 100
	c.RetryPeriod = c.RenewDeadline * time.Duration(rapid.IntRange(40, 82).Draw(t, "period")) / 100
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{time.Millisecond, c.RenewDeadline / 10, c.RenewDeadline}).Draw(t, "timeout")
	// A clock loses up to a nanosecond as it changes its rate, which messages of some nanoseconds would not survive.
	e.MaxRoundTrip = rapid.SampledFrom([]time.Duration{time.Microsecond, 100 * time.Microsecond, 5 * time.Millisecond, 40 * time.Millisecond}).Draw(t, "trip")
	if rapid.Bool().Draw(t, "frozen") {
		e.MaxPause = ms(1, 100, "pause")
	}
	return attacked{c, e}
})

// TestTakingHurriedBlanks: where the bound says that leaders take blanks for ever because their clocks are fast and then slow, they do. Where it
// says how many turns there are, it knows no such plan.
func TestTakingHurriedBlanks(t *testing.T) {
	shown := 0
	counted := blanksOfSort(t, hurried, func(turn *bound.BlankTurn) bool {
		shown += one(turn.Hurries)
		return turn.Hurries
	})
	t.Logf("%d shown; %d counted", shown, counted)
	assert.Greater(t, shown, few.Of(30))
	assert.Greater(t, counted, few.Of(100))
}
