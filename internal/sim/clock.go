package sim

import (
	"math"
	"math/bits"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// instant is true time, in nanoseconds since the start of the run.
type instant int64

// never lies beyond every horizon.
const never instant = math.MaxInt64

// epoch is 2000-01-01T00:00:00Z, where true time starts, as a wall clock shows it.
const epoch machine.Wall = 946684800 * 1e9

// million is the rate of a true clock, in parts per million.
const million = 1_000_000

// clock is one candidate's pair of clocks. Its monotonic clock showed 0 at the start of the run.
type clock struct {
	// since and base are when the rate last changed and what the monotonic clock showed then.
	since instant
	base  machine.Mono
	// rate is in parts per million of true time.
	rate uint64
	// ahead is what the wall clock shows above the monotonic one.
	ahead machine.Wall
}

func newClock(c plan.Clock) clock {
	return clock{rate: uint64(million + c.DriftPPM), ahead: epoch + machine.Wall(c.Offset)}
}

// mono returns what the monotonic clock shows at an instant of true time.
func (c *clock) mono(t instant) machine.Mono {
	passed := uint64(t - c.since)
	if c.rate != million {
		hi, lo := bits.Mul64(passed, c.rate)
		passed, _ = bits.Div64(hi, lo, million)
	}
	return c.base + machine.Mono(passed)
}

// now returns what both clocks show at an instant of true time.
func (c *clock) now(t instant) machine.Now {
	m := c.mono(t)
	return machine.Now{Mono: m, Wall: c.ahead + machine.Wall(m)}
}

// when is the first instant at which the monotonic clock shows m or more.
func (c *clock) when(m machine.Mono) instant {
	if m <= c.base {
		return c.since
	}
	wait := uint64(m - c.base)
	if c.rate != million {
		hi, lo := bits.Mul64(wait, million)
		if hi >= c.rate {
			return never
		}
		q, rest := bits.Div64(hi, lo, c.rate)
		if rest != 0 {
			q++
		}
		wait = q
	}
	if wait > uint64(never-c.since) {
		return never
	}
	return c.since + instant(wait)
}

// change sets a new rate, if there is one, and moves the wall clock, from t on. A jump alone leaves the monotonic
// clock as it is, fractions of a nanosecond included.
func (c *clock) change(t instant, driftPPM *int64, jump machine.Wall) {
	if driftPPM != nil {
		c.base, c.since = c.mono(t), t
		c.rate = uint64(million + *driftPPM)
	}
	c.ahead += jump
}
