package gate

import (
	"math"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/sim"
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
	c.ReleaseOnCancel = rapid.IntRange(0, 3).Draw(t, "releaseOnCancel") == 0
	return c
}

// drawLocked draws a configuration with a lock of a kind, and an environment.
func drawLocked(t *rapid.T, p machine.Profile, lock sim.Lock) (*bound.Config, *bound.Environment) {
	c := drawConfig(t, p)
	c.Lock = lock
	if (lock == sim.ConfigMap || lock == sim.Endpoints) && rapid.IntRange(0, 3).Draw(t, "below a second") == 0 {
		c.LeaseDuration = c.RenewDeadline + 1 + drawLike(t, "short lease", 1, c.RenewDeadline) // which no server refuses there
	}
	e := drawEnvironment(t, c)
	if lock == sim.SQLTTL {
		c.LeaseDuration = (c.LeaseDuration + time.Millisecond - 1).Truncate(time.Millisecond)
		c.Now = rapid.SampledFrom([]sim.Now{sim.CallerNow, sim.DatabaseNow}).Draw(t, "now")
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
	if rapid.Bool().Draw(t, "calm") {
		return e
	}
	e.MaxDriftPPM = rapid.SampledFrom([]int64{0, 0, 1, 200, 5000, 100_000, 500_000}).Draw(t, "maxDriftPPM")
	e.MaxPause = sometimes(t, "maxPause", time.Millisecond, c.LeaseDuration)
	e.Drain = sometimes(t, "drain", time.Millisecond, c.LeaseDuration)
	return e
}
