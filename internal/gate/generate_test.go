package gate

import (
	"math"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// drawLike draws a duration from nothing to most, over orders of magnitude.
func drawLike(t *rapid.T, label string, least, most time.Duration) time.Duration {
	exponent := rapid.Float64Range(math.Log(float64(least)), math.Log(float64(most))).Draw(t, label)
	d := time.Duration(math.Exp(exponent))
	if rapid.Bool().Draw(t, label+" round") {
		unit := time.Nanosecond
		for unit*20 < d {
			unit *= 10
		}
		d = d.Truncate(unit)
	}
	return d
}

// sometimes draws 0, or a duration.
func sometimes(t *rapid.T, label string, least, most time.Duration) time.Duration {
	if rapid.Bool().Draw(t, label+" none") {
		return 0
	}
	return drawLike(t, label, least, most)
}

// drawConfig draws a configuration that is not refused.
func drawConfig(t *rapid.T, profile machine.Profile) *bound.Config {
	c := &bound.Config{Profile: profile}
	c.RetryPeriod = drawLike(t, "retryPeriod", 20*time.Millisecond, 70*time.Second)
	c.RenewDeadline = c.RetryPeriod*12/10 + 1 + drawLike(t, "renewDeadline", time.Millisecond, 10*c.RetryPeriod)
	c.LeaseDuration = max(time.Second, c.RenewDeadline+1+drawLike(t, "leaseDuration", 1, 3*c.RenewDeadline))
	if rapid.Bool().Draw(t, "whole seconds") {
		c.LeaseDuration = (c.LeaseDuration + time.Second - 1).Truncate(time.Second)
	}
	c.RequestTimeout = sometimes(t, "requestTimeout", time.Millisecond, 2*c.RenewDeadline)
	if rapid.IntRange(0, 4).Draw(t, "timeout alike") == 0 {
		alike := []time.Duration{c.RenewDeadline, c.RenewDeadline, c.RenewDeadline / 2, c.RetryPeriod, c.LeaseDuration}
		c.RequestTimeout = max(time.Millisecond, rapid.SampledFrom(alike).Draw(t, "alike"))
	}
	c.ReleaseOnCancel = rapid.IntRange(0, 3).Draw(t, "releaseOnCancel") == 0
	return c
}

// drawLocked draws a configuration with a lock of a kind, and an environment.
func drawLocked(t *rapid.T, p machine.Profile, lock plan.Lock) (*bound.Config, *bound.Environment) {
	c := drawConfig(t, p)
	c.Lock = lock
	if lock.Unit() == time.Second && len(lock.Objects()) == 1 && rapid.IntRange(0, 3).Draw(t, "below a second") == 0 {
		c.LeaseDuration = c.RenewDeadline + 1 + drawLike(t, "short lease", 1, c.RenewDeadline) // which no server refuses there
	}
	e := drawEnvironment(t, c)
	if lock.ByWallClock() {
		c.LeaseDuration = (c.LeaseDuration + time.Millisecond - 1).Truncate(time.Millisecond)
		c.Now = rapid.SampledFrom([]plan.Now{plan.CallerNow, plan.DatabaseNow}).Draw(t, "now")
		c.Precision = rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Second}).Draw(t, "precision")
		e.MaxClockOffset = sometimes(t, "maxClockOffset", time.Millisecond, 2*c.LeaseDuration)
	}
	return c, e
}

func drawEnvironment(t *rapid.T, c *bound.Config) *bound.Environment {
	e := &bound.Environment{MaxRoundTrip: sometimes(t, "maxRoundTrip", time.Microsecond, c.RenewDeadline)}
	if rapid.IntRange(0, 3).Draw(t, "ticks") == 0 {
		// Attempts that are longer than RetryPeriod, and not by much.
		e.MaxRoundTrip = drawLike(t, "slow", c.RetryPeriod/4, c.RetryPeriod)
	}
	e.Reruns = rapid.IntRange(0, 3).Draw(t, "reruns") == 0
	e.HiddenConflicts = rapid.IntRange(0, 3).Draw(t, "hiddenConflicts") == 0
	if rapid.Bool().Draw(t, "calm") {
		return e
	}
	e.MaxDriftPPM = rapid.SampledFrom([]int64{0, 0, 1, 200, 5000, 100_000, 500_000}).Draw(t, "maxDriftPPM")
	e.MaxPause = sometimes(t, "maxPause", time.Millisecond, c.LeaseDuration)
	e.Drain = sometimes(t, "drain", time.Millisecond, c.LeaseDuration)
	return e
}
