// Package skew has clocks of candidates, which are ahead of virtual time or faster than it.
package skew

import (
	"math"
	"math/bits"
	"time"

	"k8s.io/utils/clock"

	"interregnum/scenarios"
)

// skewed is ahead of the bubble's time by the offset, and faster by the drift.
type skewed struct {
	clock.RealClock
	scenarios.Clock
	start time.Time
}

// Clock returns a candidate's clock, as a scenario describes it. The run began at start.
func Clock(start time.Time, of scenarios.Clock) clock.WithTicker {
	return &skewed{start: start, Clock: of}
}

const million = 1_000_000

var _ clock.WithTicker = (*skewed)(nil)

// Now returns the candidate's time.
func (c *skewed) Now() time.Time {
	return c.start.Add(scaled(time.Since(c.start), million+c.DriftPPM, million, 0) + c.Offset)
}

// Since returns how long ago t was by the candidate's clock.
func (c *skewed) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// NewTimer returns a timer by the candidate's clock.
func (c *skewed) NewTimer(d time.Duration) clock.Timer {
	return &timer{c.RealClock.NewTimer(c.true(d)), c}
}

// After returns a channel that receives once, when d has passed by the candidate's clock.
func (c *skewed) After(d time.Duration) <-chan time.Time { return c.RealClock.After(c.true(d)) }

// Sleep waits by the candidate's clock.
func (c *skewed) Sleep(d time.Duration) { c.RealClock.Sleep(c.true(d)) }

// NewTicker returns a ticker by the candidate's clock.
func (c *skewed) NewTicker(d time.Duration) clock.Ticker {
	return c.RealClock.NewTicker(c.true(d))
}

// Tick returns a channel that receives each time d has passed by the candidate's clock.
func (c *skewed) Tick(d time.Duration) <-chan time.Time { return c.NewTicker(d).C() }

// true returns how much virtual time passes, from now on, while the candidate's clock advances by d. It rounds up, so
// that a timer is never early, and counts from the start of the run, so that roundings do not add up.
func (c *skewed) true(d time.Duration) time.Duration {
	if d <= 0 || c.DriftPPM == 0 {
		return d
	}
	passed, rate := time.Since(c.start), million+c.DriftPPM
	return scaled(scaled(passed, rate, million, 0)+d, million, rate, rate-1) - passed
}

// scaled returns (d*times + more)/by, rounded down, for a d of zero or more; math.MaxInt64 if it is larger than that.
func scaled(d time.Duration, times, by, more int64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(times))
	lo, carry := bits.Add64(lo, uint64(more), 0)
	if hi += carry; hi >= uint64(by) {
		return math.MaxInt64 // centuries
	}
	q, _ := bits.Div64(hi, lo, uint64(by))
	return time.Duration(min(q, math.MaxInt64))
}

// timer is reset by the candidate's clock.
type timer struct {
	clock.Timer
	clock *skewed
}

// Reset resets the timer to d by the candidate's clock.
func (t *timer) Reset(d time.Duration) bool { return t.Timer.Reset(t.clock.true(d)) }
