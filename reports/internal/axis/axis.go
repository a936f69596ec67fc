// Package axis maps true time to columns, and divides a time axis into round steps. Instants and horizons are in nanoseconds.
package axis

import (
	"iter"
	"math/bits"
	"time"
)

// Scale maps true time onto columns. Column c covers the instants from c/Columns to (c+1)/Columns of the horizon.
type Scale struct {
	Horizon int64
	Columns int
}

// Column returns the column in which an instant lies. The horizon belongs to the last column.
func (s Scale) Column(at int64) int {
	c, _ := s.divide(at)
	return min(c, s.Columns-1)
}

// Cells returns the first and the last column that the stretch [from, to) touches; even the shortest stretch takes one
// column.
func (s Scale) Cells(from, to int64) (first, last int) {
	first = s.Column(from)
	last, within := s.divide(to)
	if !within {
		last--
	}
	return first, min(max(first, last), s.Columns-1)
}

// divide returns the column in which an instant lies, and whether the instant lies inside that column, not exactly at
// its beginning. From the horizon on the column is s.Columns.
func (s Scale) divide(at int64) (column int, within bool) {
	if at <= 0 || s.Horizon <= 0 {
		return 0, false
	}
	if at >= s.Horizon {
		return s.Columns, false
	}
	hi, lo := bits.Mul64(uint64(at), uint64(s.Columns))
	q, rest := bits.Div64(hi, lo, uint64(s.Horizon))
	return int(q), rest > 0
}

// Multiples yields 0, step, twice step and so on, in nanoseconds, up to the horizon, which is included. step must be positive.
func Multiples(step time.Duration, horizon int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for at := int64(0); at <= horizon && yield(at); at += int64(step) {
			if at > horizon-int64(step) {
				return // the next one could be beyond an int64
			}
		}
	}
}

// Step returns the shortest round time, at least as long as step, that fits into the horizon no more often than the number most. It
// returns step itself, even if that is not round, if that fits so. step must be positive, and most must not be negative; the
// horizon is in nanoseconds.
func Step(step time.Duration, horizon, most int64) time.Duration {
	for horizon/int64(step) > most {
		step = NextStep(step)
	}
	return step
}

// NextStep returns the next longer round time: 1, 2 or 5 times a power of ten in nanoseconds up to ten seconds, then 15s,
// 20s, 30s, a minute and so on up to a day, then 1, 2 or 5 times a power of ten in days.
func NextStep(step time.Duration) time.Duration {
	const day = 24 * time.Hour
	clock := []time.Duration{10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second,
		time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day}
	for _, next := range clock {
		if step >= clock[0] && next > step {
			return next
		}
	}
	unit := time.Duration(1)
	if step >= day {
		unit = day
	}
	for step >= 10*unit {
		unit *= 10
	}
	switch step / unit {
	case 1:
		return 2 * unit
	case 2:
		return 5 * unit
	}
	return 10 * unit
}
