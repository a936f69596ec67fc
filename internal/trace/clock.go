package trace

import (
	"math/bits"
	"time"
)

// Clock computes what the clocks of a candidate or of the service show, which jump and drift, from the header and the
// events about them. Use NewClock.
type Clock struct {
	// Since and base are when the rate last changed, in true time, and what the monotonic clock showed then.
	Since, base int64
	rate        uint64
	// ahead is by how much the wall clock is ahead of the monotonic one. Both count from the start of the run.
	ahead int64
}

// NewClock returns a clock at the start of a run. offset is by how much its wall clock is ahead of true time. driftPPM is by how
// much it is faster than true time, in parts per million; it must be above -1,000,000.
func NewClock(offset time.Duration, driftPPM int64) Clock {
	return Clock{rate: uint64(million + driftPPM), ahead: int64(offset)}
}

// Mono returns what the monotonic clock shows at an instant of true time, both in nanoseconds since the start of the run. The
// instant must not be before c.Since.
func (c *Clock) Mono(at int64) int64 {
	hi, lo := bits.Mul64(uint64(at-c.Since), c.rate)
	passed, _ := bits.Div64(hi, lo, million)
	return c.base + int64(passed)
}

// Wall returns what the wall clock shows at an instant of true time, both in nanoseconds since the start of the run. The instant
// must not be before c.Since.
func (c *Clock) Wall(at int64) int64 { return c.ahead + c.Mono(at) }

// Change applies the event e, by which the clock jumps, changes its rate, or both.
func (c *Clock) Change(e *Event) {
	if rate := uint64(million + int64(e.Rate)); rate != c.rate {
		c.base, c.Since = c.Mono(e.At), e.At
		c.rate = rate
	}
	c.ahead += e.Amount
}

// TrueTime returns how long, in nanoseconds of true time, the clock takes at its present rate to show that d nanoseconds have
// passed, rounded up. d must not be negative. The result is at most 1<<62, unless the clock runs true.
func (c *Clock) TrueTime(d int64) int64 { return TrueTime(d, c.rate, true) }

// TrueTime returns how long, in nanoseconds of true time, a clock takes to show that d nanoseconds have passed. The result is
// rounded up if up is true, otherwise down. The clock shows rate nanoseconds in a million of true time; with a rate of a million
// the result is d. d must not be negative. Otherwise the result is at most 1<<62.
func TrueTime(d int64, rate uint64, up bool) int64 {
	if rate == million {
		return d
	}
	hi, lo := bits.Mul64(uint64(d), million)
	if hi >= rate {
		return 1 << 62
	}
	q, rest := bits.Div64(hi, lo, rate)
	if up && rest != 0 {
		q++
	}
	return int64(min(q, 1<<62))
}
