package check

import (
	"math/bits"
	"time"

	"interregnum/internal/trace"
)

// million is the rate of a true clock, in parts per million.
const million = 1_000_000

// scale returns how long, in nanoseconds of true time, a clock of that rate takes to show that d has passed, rounded up or down.
func scale(d time.Duration, rate uint64, up bool) int64 {
	if rate == million {
		return int64(d)
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

// wallClock is a clock that jumps and drifts.
type wallClock struct {
	since, base, ahead int64
	rate               uint64
}

// epochNs is where true time starts, as a wall clock shows it: 2000-01-01T00:00:00Z.
const epochNs = 946684800 * int64(time.Second)

func newWallClock(offset time.Duration, driftPPM int64) wallClock {
	return wallClock{rate: uint64(million + driftPPM), ahead: epochNs + int64(offset)}
}

// mono returns how far the clock has advanced since the start of the run, jumps left out, at an instant of true time.
func (c *wallClock) mono(at int64) int64 {
	hi, lo := bits.Mul64(uint64(at-c.since), c.rate)
	passed, _ := bits.Div64(hi, lo, million)
	return c.base + int64(passed)
}

// micros returns what the clock shows at an instant of true time, in microseconds since 1970.
func (c *wallClock) micros(at int64) int64 { return (c.ahead + c.mono(at)) / int64(time.Microsecond) }

// change takes in an event by which the clock jumps, changes its rate, or both.
func (c *wallClock) change(e *trace.Event) {
	c.ahead += e.Amount
	if rate := uint64(million + int64(e.Rate)); rate != c.rate {
		c.base, c.since = c.mono(e.At), e.At
		c.rate = rate
	}
}
