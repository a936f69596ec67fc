package sim

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// rateOf is a rate that a plan may ask for, often one of the extremes.
func rateOf(t *rapid.T) int64 {
	return rapid.OneOf(
		rapid.Int64Range(plan.MinDriftPPM, plan.MaxDriftPPM),
		rapid.Int64Range(-300, 300),
		rapid.SampledFrom([]int64{plan.MinDriftPPM, -500_000, 0, 1, 333_333, million, plan.MaxDriftPPM}),
	).Draw(t, "driftPPM")
}

// TestMonoIsExact holds a clock's reading against arithmetic without limits: floor(passed * rate / million).
func TestMonoIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ppm := rateOf(t)
		passed := rapid.Int64Range(0, int64(plan.MaxDuration)).Draw(t, "passed")
		c := newClock(plan.Clock{DriftPPM: ppm})

		want := new(big.Int).Mul(big.NewInt(passed), big.NewInt(million+ppm))
		want.Quo(want, big.NewInt(million))
		assert.Equal(t, want.Int64(), int64(c.mono(instant(passed))))
	})
}

// TestWhenIsFirst: at when(m) the clock shows m or more, and one nanosecond before it does not.
func TestWhenIsFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock(plan.Clock{DriftPPM: rateOf(t)})
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			ppm := rateOf(t)
			c.change(c.since+instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "passed")), &ppm, 0)
		}
		m := c.base + machine.Mono(rapid.Int64Range(-5, int64(100*time.Hour)).Draw(t, "wait"))
		at := c.when(m)
		if at == never {
			// Rate 1 ppm makes 100 hours 11,416 years.
			assert.Less(t, c.mono(instant(plan.MaxDuration)), m)
			return
		}
		assert.GreaterOrEqual(t, c.mono(at), m)
		if at > c.since {
			assert.Less(t, c.mono(at-1), m)
		}
	})
}

// TestTimersTakeTime: a timer set for later than now is due later than now, however fast the clock.
func TestTimersTakeTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock(plan.Clock{DriftPPM: rateOf(t)})
		now := instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "now"))
		assert.Greater(t, c.when(c.mono(now)+1), now)
	})
}

func TestWhenNever(t *testing.T) {
	slowest := newClock(plan.Clock{DriftPPM: plan.MinDriftPPM})
	// 2^64 / 10^6 ns is the first wait that a rate of 1 ppm stretches beyond 64 bits.
	for wait, want := range map[machine.Mono]instant{
		2e9:                  2e15,
		9_223_372_036_854:    9_223_372_036_854_000_000,
		9_223_372_036_855:    never, // beyond 63 bits
		18_446_744_073_709:   never,
		18_446_744_073_710:   never, // beyond 64 bits
		math.MaxInt64:        never,
		math.MaxInt64 - 1e15: never,
	} {
		assert.Equal(t, want, slowest.when(wait), "%d", wait)
	}
	late := clock{since: never - 10, rate: million}
	assert.Equal(t, never-1, late.when(9))
	assert.Equal(t, never, late.when(11))
}

// TestNothingOverflows takes each clock as far as a plan can take it.
func TestNothingOverflows(t *testing.T) {
	c := newClock(plan.Clock{Offset: plan.MaxDuration, DriftPPM: plan.MaxDriftPPM})
	c.change(0, nil, machine.Wall(plan.MaxWallShift-plan.MaxDuration-1))
	end := c.now(instant(plan.MaxDuration))
	assert.Equal(t, machine.Mono(10*plan.MaxDuration), end.Mono)
	assert.Equal(t, epoch+machine.Wall(plan.MaxWallShift-1)+machine.Wall(10*plan.MaxDuration), end.Wall)
	assert.Positive(t, end.Wall)
}

// TestJumpLeavesMonotonicClock: a jump is of the wall clock alone, to the nanosecond, also where the rate
// leaves a fraction. At 1.5 times true time the clock shows 1.5 at 1 ns, which is read as 1, and 3 at 2 ns.
func TestJumpLeavesMonotonicClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ppm := rateOf(t)
		jumping, quiet := newClock(plan.Clock{DriftPPM: ppm}), newClock(plan.Clock{DriftPPM: ppm})
		at := instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "at"))
		later := at + instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "later"))
		jump := machine.Wall(rapid.Int64Range(-1e10, 1e10).Draw(t, "jump"))

		jumping.change(at, nil, jump)
		assert.Equal(t, quiet.mono(later), jumping.mono(later))
		assert.Equal(t, quiet.now(later).Wall+jump, jumping.now(later).Wall)
	})
}

// TestRateIsContinuous: a new rate neither moves a clock nor takes it back.
func TestRateIsContinuous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock(plan.Clock{DriftPPM: rateOf(t)})
		at := instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "at"))
		before, ppm := c.now(at), rateOf(t)
		c.change(at, &ppm, 0)
		assert.Equal(t, before, c.now(at))
		assert.GreaterOrEqual(t, c.mono(at+1), before.Mono)
	})
}
