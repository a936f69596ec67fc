// Package skew has clocks of candidates, which are ahead of virtual time or faster than it.
package skew

import (
	"math"
	"time"

	"k8s.io/utils/clock"

	"interregnum/elector/machine"
	simclock "interregnum/internal/sim/clock"
	"interregnum/scenarios"
)

// skewed is a clock that is ahead of the bubble's time by an offset, and runs faster or slower by a drift. Durations that are
// given to it are by this clock.
type skewed struct {
	clock.RealClock
	start time.Time
	// candidate is the clock as a simulated candidate has it.
	candidate simclock.Clock
	offset    time.Duration
}

// Clock returns a candidate's clock with the offset and drift of the scenario. start is when the run began.
func Clock(start time.Time, of scenarios.Clock) clock.WithTicker {
	return &skewed{start: start, candidate: simclock.New(of), offset: of.Offset}
}

var _ clock.WithTicker = (*skewed)(nil)

// Now returns the candidate's time, by the clock that the scenario gives it.
func (c *skewed) Now() time.Time {
	return c.start.Add(time.Duration(c.candidate.Mono(simclock.Instant(time.Since(c.start)))) + c.offset)
}

// Since returns how long ago t was by the candidate's clock.
func (c *skewed) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// NewTimer returns a timer that fires when d has passed by the candidate's clock.
func (c *skewed) NewTimer(d time.Duration) clock.Timer {
	return &timer{c.RealClock.NewTimer(c.true(d)), c}
}

// After returns a channel that receives once, when d has passed by the candidate's clock.
func (c *skewed) After(d time.Duration) <-chan time.Time { return c.RealClock.After(c.true(d)) }

// Sleep waits until d has passed by the candidate's clock.
func (c *skewed) Sleep(d time.Duration) { c.RealClock.Sleep(c.true(d)) }

// NewTicker returns a ticker whose period is d by the candidate's clock, converted once, as of now.
func (c *skewed) NewTicker(d time.Duration) clock.Ticker {
	return c.RealClock.NewTicker(c.true(d))
}

// Tick returns a channel that receives each time d has passed by the candidate's clock.
func (c *skewed) Tick(d time.Duration) <-chan time.Time { return c.NewTicker(d).C() }

// true returns how much virtual time passes, from now on, while the candidate's clock advances by d. It rounds up, so that a
// timer is never early, and counts from the start of the run, so that roundings do not add up. A d of zero or less is returned
// as it is.
func (c *skewed) true(d time.Duration) time.Duration {
	if d <= 0 {
		return d
	}
	passed := simclock.Instant(time.Since(c.start))
	now := c.candidate.Mono(passed)
	return time.Duration(c.candidate.When(now+min(machine.Mono(d), math.MaxInt64-now)) - passed)
}

// timer is a timer whose durations are by the candidate's clock.
type timer struct {
	clock.Timer
	clock *skewed
}

// Reset makes the timer fire when d has passed from now by the candidate's clock. It returns true if the timer was still to
// fire.
func (t *timer) Reset(d time.Duration) bool { return t.Timer.Reset(t.clock.true(d)) }
