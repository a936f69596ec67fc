package gatetest

import (
	"math"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// DrawLike draws a duration from nothing to most, over orders of magnitude.
func DrawLike(t *rapid.T, label string, least, most time.Duration) time.Duration {
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

// Sometimes draws 0, or a duration.
func Sometimes(t *rapid.T, label string, least, most time.Duration) time.Duration {
	if rapid.Bool().Draw(t, label+" none") {
		return 0
	}
	return DrawLike(t, label, least, most)
}

// DrawConfig draws a configuration that is not refused.
func DrawConfig(t *rapid.T, profile machine.Profile) *bound.Config {
	c := &bound.Config{Profile: profile}
	c.RetryPeriod = DrawLike(t, "retryPeriod", 20*time.Millisecond, 70*time.Second)
	c.RenewDeadline = c.RetryPeriod*12/10 + 1 + DrawLike(t, "renewDeadline", time.Millisecond, 10*c.RetryPeriod)
	c.LeaseDuration = max(time.Second, c.RenewDeadline+1+DrawLike(t, "leaseDuration", 1, 3*c.RenewDeadline))
	if rapid.Bool().Draw(t, "whole seconds") {
		c.LeaseDuration = (c.LeaseDuration + time.Second - 1).Truncate(time.Second)
	}
	c.RequestTimeout = Sometimes(t, "requestTimeout", time.Millisecond, 2*c.RenewDeadline)
	if rapid.IntRange(0, 4).Draw(t, "timeout alike") == 0 {
		alike := []time.Duration{c.RenewDeadline, c.RenewDeadline, c.RenewDeadline / 2, c.RetryPeriod, c.LeaseDuration}
		c.RequestTimeout = max(time.Millisecond, rapid.SampledFrom(alike).Draw(t, "alike"))
	}
	c.ReleaseOnCancel = rapid.IntRange(0, 3).Draw(t, "releaseOnCancel") == 0
	return c
}

// DrawLocked draws a configuration with a lock of a kind, and an environment.
func DrawLocked(t *rapid.T, p machine.Profile, lock plan.Lock) (*bound.Config, *bound.Environment) {
	c := DrawConfig(t, p)
	c.Lock = lock
	if lock.Unit() == time.Second && len(lock.Objects()) == 1 && rapid.IntRange(0, 3).Draw(t, "below a second") == 0 {
		c.LeaseDuration = c.RenewDeadline + 1 + DrawLike(t, "short lease", 1, c.RenewDeadline) // which no server refuses there
	}
	e := DrawEnvironment(t, c)
	if lock.ByWallClock() {
		c.LeaseDuration = (c.LeaseDuration + time.Millisecond - 1).Truncate(time.Millisecond)
		c.Now = rapid.SampledFrom([]plan.Now{plan.CallerNow, plan.DatabaseNow}).Draw(t, "now")
		c.Precision = rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Second}).Draw(t, "precision")
		e.MaxClockOffset = Sometimes(t, "maxClockOffset", time.Millisecond, 2*c.LeaseDuration)
	}
	return c, e
}

// DrawEnvironment draws an environment for a configuration.
func DrawEnvironment(t *rapid.T, c *bound.Config) *bound.Environment {
	e := &bound.Environment{MaxRoundTrip: Sometimes(t, "maxRoundTrip", time.Microsecond, c.RenewDeadline)}
	if rapid.IntRange(0, 3).Draw(t, "ticks") == 0 {
		// Attempts that are longer than RetryPeriod, and not by much.
		e.MaxRoundTrip = DrawLike(t, "slow", c.RetryPeriod/4, c.RetryPeriod)
	}
	e.Reruns = rapid.IntRange(0, 3).Draw(t, "reruns") == 0
	e.HiddenConflicts = rapid.IntRange(0, 3).Draw(t, "hiddenConflicts") == 0
	if rapid.Bool().Draw(t, "calm") {
		return e
	}
	e.MaxDriftPPM = rapid.SampledFrom([]int64{0, 0, 1, 200, 5000, 100_000, 500_000}).Draw(t, "maxDriftPPM")
	e.MaxPause = Sometimes(t, "maxPause", time.Millisecond, c.LeaseDuration)
	e.Drain = Sometimes(t, "drain", time.Millisecond, c.LeaseDuration)
	return e
}
