// Package draw draws random plans: candidates and their clocks, a network, and a storm of faults.
package draw

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
	"interregnum/simlock"
)

// Source is where choices come from: a *rand.Rand, a *stream.Draws, or a property test. Of n choices the last makes the plainest plan.
type Source interface {
	// IntN and Int64N choose one of n, from 0 on.
	IntN(n int) int
	Int64N(n int64) int64
	// Float64 chooses a number from 0 to below 1.
	Float64() float64
}

// drawing is a plan that is being drawn.
type drawing struct {
	Source
	sheet *Sheet
	space *Space
	plan  *plan.Plan
	// timings are the timings that faults go by, and objects are the objects that some candidate locks.
	timings machine.Timings
	objects []simlock.Object
	// frozen is how long processes are frozen in all. apart is how far the clocks that decide when a lock expires may
	// still be set.
	frozen, apart time.Duration
	// common is the client of all candidates, if shared is true; otherwise each has one of its own.
	common givenClient
	shared bool
	// someClients and allClients tell whether some candidate has a client, or every one.
	someClients, allClients bool
}

// spread draws a duration from low to high, all orders of magnitude equally likely. low must be positive. It returns high, and
// draws nothing, if high is not above low.
func (d *drawing) spread(low, high time.Duration) time.Duration {
	if high <= low {
		return high
	}
	return time.Duration(math.Exp(d.Float64()*(d.sheet.logs.of(high)-d.sheet.logs.of(low))) * float64(low))
}

// logs are logarithms that were asked for, to be looked up: plans are drawn by a few durations again and again.
type logs [16]struct {
	of  time.Duration
	log float64
}

// of returns the natural logarithm of a duration in nanoseconds, which must be positive.
func (l *logs) of(d time.Duration) float64 {
	known := &l[uint64(d)*0x9e3779b97f4a7c15>>60]
	if known.of != d {
		known.of, known.log = d, math.Log(float64(d))
	}
	return known.log
}

// even draws a duration from 0 to high, both included, all equally likely. high must not be negative.
func (d *drawing) even(high time.Duration) time.Duration {
	return time.Duration(d.Int64N(int64(high) + 1))
}

// oneIn draws, and returns true with a probability of 1/in.
func (d *drawing) oneIn(in int) bool { return d.IntN(in) == 0 }

// pick draws one of the values, all equally likely. There must be at least one.
func pick[T any](d *drawing, of ...T) T { return of[d.IntN(len(of))] }

// drift draws a clock's drift in parts per million, from minus MaxDriftPPM to MaxDriftPPM. If that is 0, it draws nothing, and
// the drift is 0.
func (d *drawing) drift() int64 {
	most := d.space.Limits.MaxDriftPPM
	if most == 0 {
		return 0
	}
	return d.Int64N(2*most+1) - most
}
