package machine

import (
	"math"
	"time"
)

// Wall is a reading of a candidate's wall clock, in nanoseconds since the Unix epoch. It goes into records. The algorithm of
// this package never compares it with a reading of another candidate's clock.
type Wall int64

// NoTime is the time of a record that carries none (null in the object).
const NoTime Wall = math.MinInt64

// Mono is a reading of a candidate's monotonic clock, in nanoseconds from an origin of its own. It
// drives timers and expiry.
type Mono int64

// Now is what a candidate's two clocks show at one instant.
type Now struct {
	Wall Wall
	Mono Mono
}

// WallOf converts a time to a Wall. The zero time becomes NoTime; times outside of the years 1678 to 2262 become the
// nearest one that a Wall can hold.
func WallOf(t time.Time) Wall {
	switch {
	case t.IsZero():
		return NoTime
	case t.Before(earliest):
		return Wall(earliest.UnixNano())
	case t.After(latest):
		return Wall(latest.UnixNano())
	}
	return Wall(t.UnixNano())
}

var (
	earliest = time.Unix(0, math.MinInt64+1).UTC()
	latest   = time.Unix(0, math.MaxInt64).UTC()
)

// Time returns the time of w in UTC, and the zero time for NoTime. It is the inverse of WallOf.
func (w Wall) Time() time.Time {
	if w == NoTime {
		return time.Time{}
	}
	return time.Unix(0, int64(w)).UTC()
}

// Truncate returns w rounded down (towards the past) to a multiple of unit, which must be positive, as the text forms of time in
// a record do. NoTime, and a time that has no multiple before it, stay as they are.
func (w Wall) Truncate(unit time.Duration) Wall {
	if w == NoTime {
		return w
	}
	rest := w % Wall(unit)
	if rest < 0 {
		rest += Wall(unit)
	}
	if w < NoTime+1+rest {
		return w
	}
	return w - rest
}

// Add returns the reading d later, or the last one that a Mono can hold.
func (m Mono) Add(d time.Duration) Mono {
	sum := m + Mono(d)
	if d > 0 && sum < m {
		return math.MaxInt64
	}
	return sum
}
