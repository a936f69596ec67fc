package clock

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// rateOf draws a rate that a plan may ask for, often one of the extremes.
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
		c := New(plan.Clock{DriftPPM: ppm})

		want := new(big.Int).Mul(big.NewInt(passed), big.NewInt(million+ppm))
		want.Quo(want, big.NewInt(million))
		assert.Equal(t, want.Int64(), int64(c.Mono(Instant(passed))))
	})
}

// TestWhenIsFirst: at when(m) the clock shows m or more, and one nanosecond before it does not.
func TestWhenIsFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(plan.Clock{DriftPPM: rateOf(t)})
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			ppm := rateOf(t)
			c.Change(c.since+Instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "passed")), &ppm, 0)
		}
		m := c.base + machine.Mono(rapid.Int64Range(-5, int64(100*time.Hour)).Draw(t, "wait"))
		at := c.When(m)
		if at == Never {
			// Rate 1 ppm makes 100 hours 11,416 years.
			assert.Less(t, c.Mono(Instant(plan.MaxDuration)), m)
			return
		}
		assert.GreaterOrEqual(t, c.Mono(at), m)
		if at > c.since {
			assert.Less(t, c.Mono(at-1), m)
		}
	})
}

// TestTimersTakeTime: a timer set for later than now is due later than now, however fast the clock.
func TestTimersTakeTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(plan.Clock{DriftPPM: rateOf(t)})
		now := Instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "now"))
		assert.Greater(t, c.When(c.Mono(now)+1), now)
	})
}

func TestWhenNever(t *testing.T) {
	slowest := New(plan.Clock{DriftPPM: plan.MinDriftPPM})
	// 2^64 / 10^6 ns is the first wait that a rate of 1 ppm stretches beyond 64 bits.
	for wait, want := range map[machine.Mono]Instant{
		2e9:                  2e15,
		9_223_372_036_854:    9_223_372_036_854_000_000,
		9_223_372_036_855:    Never, // beyond 63 bits
		18_446_744_073_709:   Never,
		18_446_744_073_710:   Never, // beyond 64 bits
		math.MaxInt64:        Never,
		math.MaxInt64 - 1e15: Never,
	} {
		assert.Equal(t, want, slowest.When(wait), "%d", wait)
	}
	late := Clock{since: Never - 10, rate: million}
	assert.Equal(t, Never-1, late.When(9))
	assert.Equal(t, Never, late.When(11))
}

// TestNothingOverflows takes each clock as far as a plan can take it.
func TestNothingOverflows(t *testing.T) {
	c := New(plan.Clock{Offset: plan.MaxDuration, DriftPPM: plan.MaxDriftPPM})
	c.Change(0, nil, machine.Wall(plan.MaxWallShift-plan.MaxDuration-1))
	end := c.Now(Instant(plan.MaxDuration))
	assert.Equal(t, machine.Mono(10*plan.MaxDuration), end.Mono)
	assert.Equal(t, Epoch+machine.Wall(plan.MaxWallShift-1)+machine.Wall(10*plan.MaxDuration), end.Wall)
	assert.Positive(t, end.Wall)
}

// TestJumpLeavesMonotonicClock: a jump is of the wall clock alone, to the nanosecond, also where the rate
// leaves a fraction. At 1.5 times true time the clock shows 1.5 at 1 ns, which is read as 1, and 3 at 2 ns.
func TestJumpLeavesMonotonicClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ppm := rateOf(t)
		jumping, quiet := New(plan.Clock{DriftPPM: ppm}), New(plan.Clock{DriftPPM: ppm})
		at := Instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "at"))
		later := at + Instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "later"))
		jump := machine.Wall(rapid.Int64Range(-1e10, 1e10).Draw(t, "jump"))

		jumping.Change(at, nil, jump)
		assert.Equal(t, quiet.Mono(later), jumping.Mono(later))
		assert.Equal(t, quiet.Now(later).Wall+jump, jumping.Now(later).Wall)
	})
}

// TestRateIsContinuous: a new rate neither moves a clock nor takes it back.
func TestRateIsContinuous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(plan.Clock{DriftPPM: rateOf(t)})
		at := Instant(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "at"))
		before, ppm := c.Now(at), rateOf(t)
		c.Change(at, &ppm, 0)
		assert.Equal(t, before, c.Now(at))
		assert.GreaterOrEqual(t, c.Mono(at+1), before.Mono)
	})
}
