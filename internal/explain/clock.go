package explain

import (
	"math/bits"
	"time"

	"interregnum/internal/trace"
)

// million is the rate of a true clock, in parts per million.
const million = 1_000_000

// never stands for what has not happened.
const never int64 = -1

// clock computes what a candidate's clocks show, from its header and its clockChanged events.
type clock struct {
	// since and base are when the rate last changed, in true time, and what the monotonic clock showed then.
	since, base int64
	rate        uint64
	// ahead is what the wall clock shows above the monotonic one. Both count from a whole second.
	ahead int64
}

func newClock(c *trace.Candidate) clock {
	return clock{rate: uint64(million + c.DriftPPM), ahead: int64(c.Offset)}
}

// mono returns what the candidate's monotonic clock shows at a true time.
func (c *clock) mono(at int64) int64 {
	hi, lo := bits.Mul64(uint64(at-c.since), c.rate)
	passed, _ := bits.Div64(hi, lo, million)
	return c.base + int64(passed)
}

// wall returns what the candidate's wall clock shows at a true time.
func (c *clock) wall(at int64) int64 { return c.ahead + c.mono(at) }

// change takes in an event that changes the clock's rate or moves its wall time.
func (c *clock) change(e *trace.Event) {
	if rate := uint64(million + int64(e.Rate)); rate != c.rate {
		c.base, c.since = c.mono(e.At), e.At
		c.rate = rate
	}
	c.ahead += e.Amount
}

// trueTime is how long, in true time, the clock takes at its present rate to show d.
func (c *clock) trueTime(d int64) int64 {
	hi, lo := bits.Mul64(uint64(d), million)
	if hi >= c.rate {
		return 1 << 62
	}
	q, rest := bits.Div64(hi, lo, c.rate)
	if rest != 0 {
		q++
	}
	return int64(min(q, 1<<62))
}

// second returns a wall clock's reading rounded down to a whole second.
func second(wall int64) int64 {
	s := wall / int64(time.Second)
	if wall%int64(time.Second) < 0 {
		s--
	}
	return s
}
