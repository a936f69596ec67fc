package investigate

import (
	"slices"
	"sort"
	"time"

	"interregnum/internal/evidence"
)

// driftPPM is by how much at most a clock runs faster or slower than the server's, in parts per million: what an NTP daemon may slew.
const driftPPM = 500

// bound bounds the offset of a clock when that clock shows at.
type bound struct {
	at    time.Time
	value time.Duration
	place evidence.Place
}

// moved is by how much at most an offset may rise or fall while that much time passes.
func moved(d time.Duration) time.Duration { return slope(d.Abs()) + time.Microsecond }

// slope is how much of a time a clock may gain, without what is lost by rounding.
func slope(d time.Duration) time.Duration { return d / (1_000_000 / driftPPM) }

// envelope has bounds of one side, such that the tightest one at any time is found by search.
type envelope struct {
	// upper: they bound from above, and the least is the tightest.
	upper  bool
	bounds []bound
	// before and after have for each bound which is the tightest of those up to it, for later times, and of those from it on, for
	// earlier times.
	before, after []int
}

// height makes bounds of different times comparable: of two bounds the one of greater height is tighter. later: at any time after
// both of them; otherwise at any time before both.
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

// ready sorts the bounds by time and prepares the search for the tightest one, once all bounds are there. It is linear but for
// the sorting.
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

// tightest returns the tightest bound of the offset when the clock shows at, nil if there is none. The envelope must be ready.
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

// tighter returns v or what the i-th bound says of the time at, whichever is tighter. v may be nil, which is no bound.
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
