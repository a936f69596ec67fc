// Package clock has true time, and the clocks that candidates and the service have instead.
package clock

import (
	"math"
	"math/bits"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// Instant is true time, in nanoseconds since the start of the run.
type Instant int64

// Never lies beyond every horizon.
const Never Instant = math.MaxInt64

// Epoch is what a true wall clock shows when true time starts: 2000-01-01T00:00:00Z.
const Epoch machine.Wall = 946684800 * 1e9

// million is the rate of a true clock, in parts per million.
const million = 1_000_000

// Clock is one candidate's pair of clocks. Its monotonic clock showed 0 at the start of the run.
type Clock struct {
	// since and base are when the rate last changed and what the monotonic clock showed then.
	since Instant
	base  machine.Mono
	// rate is in parts per million of true time.
	rate uint64
	// ahead is by how much the wall clock is ahead of the monotonic one.
	ahead machine.Wall
}

// New returns the clocks of a candidate or of the service at the start of the run, with the drift and offset that c
// gives.
func New(c plan.Clock) Clock {
	return Clock{rate: uint64(million + c.DriftPPM), ahead: Epoch + machine.Wall(c.Offset)}
}

// Mono returns what the monotonic clock shows at an Instant of true time, which must not be before the last Change.
func (c *Clock) Mono(t Instant) machine.Mono {
	passed := uint64(t - c.since)
	if c.rate != million {
		hi, lo := bits.Mul64(passed, c.rate)
		passed, _ = bits.Div64(hi, lo, million)
	}
	return c.base + machine.Mono(passed)
}

// Now returns what both clocks show at an Instant of true time, which must not be before the last Change.
func (c *Clock) Now(t Instant) machine.Now {
	m := c.Mono(t)
	return machine.Now{Mono: m, Wall: c.ahead + machine.Wall(m)}
}

// When returns the first Instant at which the monotonic clock, at its present rate, shows m or more, but none before the last
// Change. It returns Never if an Instant cannot hold it.
func (c *Clock) When(m machine.Mono) Instant {
	if m <= c.base {
		return c.since
	}
	wait := uint64(m - c.base)
	if c.rate != million {
		hi, lo := bits.Mul64(wait, million)
		if hi >= c.rate {
			return Never
		}
		q, rest := bits.Div64(hi, lo, c.rate)
		if rest != 0 {
			q++
		}
		wait = q
	}
	if wait > uint64(Never-c.since) {
		return Never
	}
	return c.since + Instant(wait)
}

// Change sets a new rate, unless driftPPM is nil, and moves the wall clock by jump. Both hold from t on. A jump alone, or the rate
// that it has, leaves the monotonic clock as it is, fractions of a nanosecond included.
func (c *Clock) Change(t Instant, driftPPM *int64, jump machine.Wall) {
	if driftPPM != nil && uint64(million+*driftPPM) != c.rate {
		c.base, c.since = c.Mono(t), t
		c.rate = uint64(million + *driftPPM)
	}
	c.ahead += jump
}

// DriftPPM returns by how much the clock is fast now, in parts per million.
func (c *Clock) DriftPPM() int32 { return int32(c.rate) - million }
