package electiontest

import (
	"time"

	"k8s.io/utils/clock"

	"interregnum/scenarios"
)

// skewedClock is ahead of the bubble's time by the offset, and faster by the drift.
type skewedClock struct {
	clock.RealClock
	scenarios.Clock
	start time.Time
}

const million = 1_000_000

var _ clock.WithTicker = (*skewedClock)(nil)

// Now is the candidate's time.
func (c *skewedClock) Now() time.Time {
	elapsed := time.Since(c.start)
	return c.start.Add(elapsed + elapsed/million*time.Duration(c.DriftPPM) +
		elapsed%million*time.Duration(c.DriftPPM)/million + c.Offset)
}

// Since is the candidate's time since then.
func (c *skewedClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// NewTimer returns a timer by the candidate's clock.
func (c *skewedClock) NewTimer(d time.Duration) clock.Timer {
	return &skewedTimer{c.RealClock.NewTimer(c.true(d)), c}
}

// After is NewTimer's channel.
func (c *skewedClock) After(d time.Duration) <-chan time.Time { return c.RealClock.After(c.true(d)) }

// Sleep waits by the candidate's clock.
func (c *skewedClock) Sleep(d time.Duration) { c.RealClock.Sleep(c.true(d)) }

// NewTicker returns a ticker by the candidate's clock.
func (c *skewedClock) NewTicker(d time.Duration) clock.Ticker {
	return c.RealClock.NewTicker(c.true(d))
}

// Tick is NewTicker's channel.
func (c *skewedClock) Tick(d time.Duration) <-chan time.Time { return c.NewTicker(d).C() }

// true is how long the clock takes to show d, rounded up, so that a timer is never early.
func (c *skewedClock) true(d time.Duration) time.Duration {
	if d <= 0 || c.DriftPPM == 0 {
		return d
	}
	rate := million + time.Duration(c.DriftPPM)
	return d/rate*million + (d%rate*million+rate-1)/rate
}

// skewedTimer is reset by the candidate's clock.
type skewedTimer struct {
	clock.Timer
	clock *skewedClock
}

// Reset is that of a timer.
func (t *skewedTimer) Reset(d time.Duration) bool { return t.Timer.Reset(t.clock.true(d)) }
