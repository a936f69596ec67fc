package clock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestAsTheTraceTells: whoever reads a trace computes what the clock has shown, to the nanosecond, also where a drift is set that the clock had already.
func TestAsTheTraceTells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drift := rapid.SampledFrom([]int64{0, 333_333, -333_333, 1})
		first := drift.Draw(t, "drift")
		real := clock.New(plan.Clock{DriftPPM: first})
		told := trace.NewClock(0, first)
		at := clock.Instant(0)
		for range rapid.IntRange(1, 5).Draw(t, "changes") {
			at += clock.Instant(rapid.IntRange(0, 9).Draw(t, "later"))
			jump := rapid.Int64Range(-3, 3).Draw(t, "jump")
			if rapid.Bool().Draw(t, "drifts") {
				next := drift.Draw(t, "drift")
				real.Change(at, &next, machine.Wall(jump))
			} else {
				real.Change(at, nil, machine.Wall(jump))
			}
			told.Change(&trace.Event{At: int64(at), Amount: jump, Rate: real.DriftPPM()})
		}
		at += clock.Instant(rapid.IntRange(0, 9).Draw(t, "then"))
		now := real.Now(at)
		assert.Equal(t, int64(now.Mono), told.Mono(int64(at)))
		assert.Equal(t, time.Duration(now.Wall-clock.Epoch), time.Duration(told.Wall(int64(at))))
	})
}
