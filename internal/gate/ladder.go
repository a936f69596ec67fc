package gate

import (
	"iter"
	"time"
)

// The ladder's steps: each tolerates an outage that is longer by this, or by half.
const (
	ladderStep = 2 * time.Second
	ladderPart = 2
)

// Ladder yields the best configurations for ever longer outages, from the wished one to the longest that any configuration
// tolerates. Each has the shortest worst failover of all configurations that tolerate its outage, and the next one's failover is
// longer.
func (w *Wish) Ladder() iter.Seq[Choice] {
	return w.climb(w.Outage, func(tolerated time.Duration) time.Duration { return max(ladderStep, tolerated/ladderPart) })
}

// Between returns the best configurations for outages longer than that of a and shorter than that of b, at most n of them, with
// the shortest outage first. It returns only those whose failover is longer than a's and shorter than b's.
func (w *Wish) Between(a, b *Choice, n int) (kept []Choice) {
	step := max(time.Second, ((b.Outage - a.Outage) / time.Duration(n+1)).Round(time.Second))
	for c := range w.climb(a.Outage+step, func(time.Duration) time.Duration { return step }) {
		if c.Failover >= b.Failover || len(kept) == n {
			break
		}
		if a.Failover < c.Failover {
			kept = append(kept, c)
		}
	}
	return kept
}

// climb yields the best configurations for ever longer outages, beginning with the outage given as from in place of w.Outage. Of
// several with the same failover it yields the one for the longest outage. step is called with the outage that the last
// configuration tolerates, and returns by how much, at least, the next outage to try is longer than the last one that climb
// tried.
func (w *Wish) climb(from time.Duration, step func(tolerated time.Duration) time.Duration) iter.Seq[Choice] {
	return func(yield func(Choice) bool) {
		other := *w
		other.Outage = from
		for last := Tune(&other); last != nil; {
			other.Outage = max(last.Outage+1, other.Outage+step(last.Outage))
			next := Tune(&other)
			// One with the same failover tolerates less.
			if (next == nil || next.Failover != last.Failover) && !yield(*last) {
				return
			}
			last = next
		}
	}
}
