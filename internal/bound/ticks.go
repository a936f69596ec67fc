package bound

import (
	"slices"
	"time"
)

// span is a range of local times since the start of a poll at which an attempt can begin.
type span struct {
	low, high time.Duration
	// from is the span in which the attempt before began, -1 for the first; took is how long that one can take.
	from int
	took interval
}

type interval struct{ low, high time.Duration }

// failing are the lengths, on a fast clock, of an attempt that fails and in which the lease service was read: up to
// three answers, of which some may be lost.
func (m *model) failing() []interval {
	r, f := m.most(m.answered), m.timeout
	if f == 0 {
		return []interval{{0, 3 * r}}
	}
	return []interval{{0, 3 * r}, {f, f + 2*r}, {2 * f, 2*f + r}}
}

// ticked looks for the best chain of JoinTicked. A poll's ticker ticks every RetryPeriod from the poll's start and keeps
// one tick: an attempt that outlasts a tick is followed by the next at once, and that one by another at the next tick.
// Which starts can be reached is computed attempt by attempt, as spans.
func (m *model) ticked(best Chain) Chain {
	lengths := m.failing()
	longest := lengths[len(lengths)-1].high
	if longest+m.most(m.e.MaxPause) < m.c.RetryPeriod {
		return best
	}
	offer := func(spans []span, at int, x, pause time.Duration) {
		c, ok := m.tickedAt(x, lengths)
		c.SetupPause = pause
		if ok && m.better(&c, &best) {
			c.Setup = setup(spans, at, x-m.most(pause))
			best = c
		}
	}
	spans := []span{{from: -1}}
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		if m.slow(m.c.RenewDeadline-s.low) <= m.length(&best) {
			break // a poll that is as far on has no time left for a longer one
		}
		tick := m.nextTick(s.low)
		if x := max(s.low, tick-time.Second+1); s.low > 0 && x <= s.high {
			offer(spans, i, x, 0)
		}
		spans = m.follow(spans, i, tick, lengths)
		if m.e.MaxPause > 0 {
			m.freeze(spans, i, tick, longest, offer)
		}
	}
	return best
}

// tickedAt is the chain whose first write is made by an attempt that starts at x.
func (m *model) tickedAt(x time.Duration, lengths []interval) (Chain, bool) {
	gap := m.nextTick(x) - x
	if gap >= time.Second {
		return Chain{}, false
	}
	for _, l := range lengths {
		// The attempt itself may outlast the tick.
		if l.high > gap && l.low < time.Second {
			gap = min(l.high, time.Second)
		}
	}
	left := m.c.RenewDeadline - x - gap
	if gap == time.Second-1 {
		gap++ // as close as one likes
	}
	if left <= 0 {
		return Chain{}, false
	}
	return m.last(Chain{Join: JoinTicked, Gap: gap}, left), true
}

// nextTick is the first tick after x.
func (m *model) nextTick(x time.Duration) time.Duration {
	return (x/m.c.RetryPeriod + 1) * m.c.RetryPeriod
}

// follow adds where the attempt after one in span i can begin. Spans are cut at ticks, and kept in order.
func (m *model) follow(spans []span, i int, tick time.Duration, lengths []interval) []span {
	s := spans[i]
	spans = m.add(spans, i, span{tick, tick, i, interval{}})
	for _, l := range lengths {
		low, high := max(s.low+l.low, tick), min(s.high+l.high, m.c.RenewDeadline)
		for low <= high {
			end := m.nextTick(low)
			spans = m.add(spans, i, span{low, min(high, end-1), i, l})
			low = end
		}
	}
	return spans
}

// add inserts a span after those already looked at, unless another covers it.
func (m *model) add(spans []span, done int, s span) []span {
	if s.low >= m.c.RenewDeadline {
		return spans
	}
	at := len(spans)
	for j := len(spans) - 1; j > done; j-- {
		if spans[j].low <= s.low && s.high <= spans[j].high {
			return spans
		}
		if spans[j].low > s.low {
			at = j
		}
	}
	return slices.Insert(spans, at, s)
}

// freeze offers the starts that a frozen attempt of span i reaches and no other does. The freeze is spent: it no longer
// prolongs the work.
func (m *model) freeze(
	spans []span, i int, tick, longest time.Duration, offer func([]span, int, time.Duration, time.Duration),
) {
	reach := spans[i].high + longest
	x := max(reach, tick)
	if next := m.nextTick(x) - time.Second + 1; next > x {
		x = next
	}
	if pause := m.fast(x - reach); pause > 0 && pause <= m.e.MaxPause {
		offer(append(slices.Clip(spans), span{x, x, i, interval{0, longest}}), len(spans), x, pause)
	}
}

// setup is how long the attempts before the one at x take, one after the other: 0 waits for the tick.
func setup(spans []span, at int, x time.Duration) []time.Duration {
	var took []time.Duration
	for s := spans[at]; s.from >= 0; s = spans[s.from] {
		d := min(s.took.high, x-spans[s.from].low)
		if s.took == (interval{}) {
			d, x = 0, spans[s.from].low
		} else {
			x -= d
		}
		took = append(took, d)
	}
	slices.Reverse(took)
	return took
}
