package investigate

import (
	"slices"
	"sort"
	"time"

	"interregnum/internal/evidence"
)

// driftPPM is the most by which a clock runs faster or slower than the server's, in parts per million. An NTP daemon may correct
// a clock at that rate.
const driftPPM = 500

// bound is a bound of a clock's offset, from above or below, at the time when the clock shows at.
type bound struct {
	at    time.Time
	value time.Duration
	place evidence.Place
}

// moved returns the most by which an offset can rise or fall while the time d passes, rounding included.
func moved(d time.Duration) time.Duration { return slope(d.Abs()) + time.Microsecond }

// slope returns the most that a clock gains or loses in the time d, without what rounding loses.
func slope(d time.Duration) time.Duration { return d / (1_000_000 / driftPPM) }

// envelope has the upper or the lower bounds of a clock's offset, in a form in which the tightest bound at any time is found by
// binary search.
type envelope struct {
	// upper: they bound from above, and the least is the tightest.
	upper  bool
	bounds []bound
	// before and after have for each bound which is the tightest of those up to it, for later times, and of those from it on, for
	// earlier times.
	before, after []int
}

// height returns a number by which the i-th bound can be compared with others of different times: of two bounds, the one of
// greater height is tighter. If later is true that holds for any time after both bounds, otherwise for any time before both.
func (n *envelope) height(i int, later bool) time.Duration {
	b := &n.bounds[i]
	v, d := b.value, slope(b.at.Sub(n.bounds[0].at))
	if n.upper {
		v = -v
	}
	if later {
		return v + d
	}
	return v - d
}

// ready sorts the bounds by time and prepares the search for the tightest one. It must be called when all bounds have been
// added, and before tightest. Apart from the sorting it takes linear time.
func (n *envelope) ready() {
	slices.SortStableFunc(n.bounds, func(a, b bound) int { return a.at.Compare(b.at) })
	n.before, n.after = make([]int, len(n.bounds)), make([]int, len(n.bounds))
	best := 0
	for i := range n.bounds {
		if n.height(i, true) > n.height(best, true) {
			best = i
		}
		n.before[i] = best
	}
	for i := len(n.bounds) - 1; i >= 0; i-- {
		if i == len(n.bounds)-1 || n.height(i, false) > n.height(best, false) {
			best = i
		}
		n.after[i] = best
	}
}

// tightest returns the tightest bound of the offset at the time when the clock shows at, nil if there are no bounds. ready must
// have been called.
func (n *envelope) tightest(at time.Time) (v *time.Duration) {
	i := sort.Search(len(n.bounds), func(i int) bool { return n.bounds[i].at.After(at) })
	if i > 0 {
		v = n.tighter(v, n.before[i-1], at)
	}
	if i < len(n.bounds) {
		v = n.tighter(v, n.after[i], at)
	}
	return v
}

// tighter returns the tighter one of two bounds for the time at: v, and what follows from the i-th bound. A v of nil is no
// bound.
func (n *envelope) tighter(v *time.Duration, i int, at time.Time) *time.Duration {
	b := &n.bounds[i]
	m := moved(at.Sub(b.at))
	if n.upper {
		m = -m
	}
	w := b.value - m
	if v == nil || n.upper && w < *v || !n.upper && w > *v {
		return &w
	}
	return v
}
