package bound

import (
	"slices"
	"time"
)

// span is a range of times at which an attempt can begin. The times count from the start of a poll, on the leader's clock; both
// ends are included.
type span struct {
	low, high time.Duration
	// from is the index of the span in which the attempt before this one began, -1 for the first attempt. took is how long that
	// attempt before can take; an empty range stands for an attempt that ends before the tick and waits for it.
	from int
	took interval
}

// interval is a range of durations on the leader's clock, both ends included.
type interval struct{ low, high time.Duration }

// failing returns the ranges of how long a failed attempt can take, on the leader's clock: one range for each number of lost
// answers. An attempt has up to three answers, and up to two of them can be lost. r is the longest time that an answer takes.
func (m *model) failing(r time.Duration) []interval {
	f := m.timeout
	if !m.lossy() {
		return []interval{{0, 3 * r}}
	}
	return []interval{{0, 3 * r}, {f, f + 2*r}, {2 * f, 2*f + r}}
}

// failingCalls returns the ranges of how long a failed attempt can take, on the leader's clock, for a configuration with a
// Client: one range for each number of lost answers, up to two. scale converts true times to the leader's clock. first is how
// long the attempt's first call takes at most, in true time, once it has left the limiter. A lost answer takes the request
// timeout on the leader's clock, at whatever rate that runs.
func (m *model) failingCalls(first time.Duration, scale func(time.Duration) time.Duration) []interval {
	most := func(lost time.Duration, sends ...time.Duration) time.Duration {
		all := m.inTurn(m.justBefore(), sends...) - lost*m.slow(m.timeout)
		return lost*m.timeout + scale(min(all, m.slow(m.c.RenewDeadline)))
	}
	all := []interval{{0, most(0, first, m.sent, m.sent)}}
	if !m.lossy() {
		return all
	}
	return append(all, interval{m.timeout, most(1, m.lost(), m.sent, m.sent)}, interval{2 * m.timeout, most(2, m.lost(), m.lost(), m.sent)})
}

// attempts returns the ranges of how long a failed attempt can take, on the leader's clock. before is for attempts before the
// first write of a chain, where that clock is fast. own is for the attempt with that write and later ones, where it is slow.
func (m *model) attempts() (before, own []interval) {
	if m.c.Client != nil {
		return m.failingCalls(m.sent, m.most), m.failingCalls(min(m.marked, m.answered), m.least)
	}
	r := min(m.most(m.answered), m.c.RenewDeadline)
	if m.lossy() {
		r = min(r, m.c.RequestTimeout)
	}
	before, own = m.failing(r), m.failing(m.least(m.answered))
	if !m.lossy() { // what comes before its first write does not count
		own[0].high = m.least(min(m.direct, m.answered) + 2*m.answered)
	}
	return before, own
}

// ticked returns the best chain of JoinTicked, or best where that chain is not better. A poll's ticker ticks every RetryPeriod
// from the poll's start, and keeps one tick. So an attempt that outlasts a tick is followed by the next attempt at once, and that
// one is followed by another at the next tick. ticked computes, attempt by attempt, the spans in which an attempt can begin.
func (m *model) ticked(best Chain) Chain {
	top := m.last(Chain{Join: JoinTicked, Gap: time.Second, begins: m.c.RenewDeadline}, m.c.RenewDeadline)
	covered := func() bool { // no time that is left would make it longer
		return m.length(&best) >= m.length(&top) && best.LastWrite >= top.LastWrite && best.SetupPause == 0
	}
	if m.limited > 0 && covered() {
		return best
	}
	// What comes before the chain is best on a fast clock, and the chain itself on a slow one.
	lengths, own := m.attempts()
	longest := lengths[len(lengths)-1].high
	if !m.outlasts(longest) {
		return best
	}
	spans := []span{{from: -1}}
	offer := func(s span, x, pause time.Duration) {
		for _, gap := range m.gaps(x, own) {
			c, ok := m.tickedAt(x, gap)
			c.SetupPause = pause
			if ok && m.better(&c, &best) {
				c.Setup = setup(spans, s, x-m.most(pause))
				best = c
			}
		}
	}
	best = m.beginsFrozen(best)
	lossless := m.lossless()
	var before, tried []interval // as times after a tick
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		if covered() {
			break
		}
		if m.slow(m.c.RenewDeadline-s.low) <= m.length(&best) {
			break // a poll that is as far on has no time left for a longer one
		}
		tick := m.nextTick(s.low)
		after := interval{s.low + m.c.RetryPeriod - tick, s.high + m.c.RetryPeriod - tick}
		within := func(t interval) bool { return t.low <= after.low && after.high <= t.high }
		x, again := max(s.low, tick-time.Second+1), false
		switch {
		case s.low >= lossless && slices.ContainsFunc(tried, within):
			continue // what follows has followed sooner, some ticks before
		case s.low >= lossless:
			tried = append(tried, after)
		case s.high >= lossless:
			if y := max(x, lossless); y <= s.high {
				offer(s, y, 0)
			}
		case slices.ContainsFunc(before, within):
			again = true
		default:
			before = append(before, after)
		}
		if s.low > 0 && x <= s.high && !again {
			offer(s, x, 0)
		}
		spans = m.follow(spans, i, tick, lengths)
		if m.e.MaxPause > 0 {
			m.freeze(spans, i, tick, longest, offer)
		}
	}
	return best
}

// Ticks returns how many ticks of a poll Of computes step by step, at most; the time that Of takes grows with them. It returns 0
// where Of computes no ticks in this way, such as where no attempt can outlast a tick. The configuration must not be refused.
func Ticks(c *Config, e *Environment) int64 {
	m := newModel(c, e)
	joined := m.joined()
	if c.RetryPeriod < time.Second || c.Lock.Expires() || c.onTwoObjects() || m.strict || e.Reruns ||
		c.dropsTicks() || m.longestJoined(&joined) {
		return 0
	}
	lengths, _ := m.attempts()
	if !m.outlasts(lengths[len(lengths)-1].high) {
		return 0
	}
	return int64(c.RenewDeadline / c.RetryPeriod)
}

// gaps returns how long after an attempt that begins at x the next one can begin: at the next tick or, if the attempt outlasts
// that tick, at its end. x counts from the start of the poll; all times are on the leader's clock. lengths are the ranges of how
// long the attempt can take. Only gaps up to a second count, and of each range only two: the longest, and the longest that leaves
// the poll time to lose an answer. It returns nil if the next tick is a second away or more.
func (m *model) gaps(x time.Duration, lengths []interval) []time.Duration {
	tick := m.nextTick(x) - x
	if tick >= time.Second {
		return nil
	}
	gaps := []time.Duration{tick}
	lossy := m.c.RenewDeadline - x - m.timeout - m.least(2*m.answered)
	for _, l := range lengths {
		if low, high := max(l.low, tick), min(l.high, time.Second); low < time.Second && tick < high {
			gaps = append(gaps, high, min(max(lossy, low), high))
		}
	}
	return gaps
}

// follow adds to spans those in which the attempt after one in spans[i] can begin, and returns the result. tick is the next tick,
// and lengths are the ranges of how long an attempt takes. Spans are cut at ticks, and stay in order. It can change spans in
// place.
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

// add inserts into spans, behind index done, those parts of s that no other span covers, and returns the result. It does not
// matter which attempts lead to a time at which one can begin. The spans stay in order, and do not overlap. It inserts nothing if
// s begins at RenewDeadline or later.
func (m *model) add(spans []span, done int, s span) []span {
	if s.low >= m.c.RenewDeadline {
		return spans
	}
	at := done + 1
	for ; at < len(spans) && spans[at].low <= s.high; at++ {
		other := spans[at]
		if other.high < s.low {
			continue
		}
		if s.low < other.low {
			before := s
			before.high = other.low - 1
			spans = slices.Insert(spans, at, before)
			at++
		}
		if s.low = max(s.low, other.high+1); s.low > s.high {
			return spans
		}
	}
	return slices.Insert(spans, at, s)
}

// freeze calls offer for the soonest times, less than a second before a tick, at which an attempt can begin only after a freeze:
// a freeze during an attempt of spans[i], or one over tick, for which the leader waits. longest is how long an attempt takes at
// most. offer gets the new span, the time at which the attempt begins, and the true length of the freeze. That freeze no longer
// prolongs the work.
func (m *model) freeze(spans []span, i int, tick, longest time.Duration, offer func(span, time.Duration, time.Duration)) {
	late := func(reach time.Duration, took interval) {
		x := max(reach, m.nextTick(reach)-time.Second+1)
		if pause := max(1, m.fast(x-reach)); x > reach && pause <= m.e.MaxPause {
			offer(span{x, x, i, took}, x, pause)
		}
	}
	late(tick, interval{})
	if reach := spans[i].high + longest; reach > tick {
		late(reach, interval{0, longest})
	}
}

// setup returns how long each attempt before the one at x takes, on the leader's clock, in the order in which they come. A 0
// stands for an attempt that ends before the next tick and waits for it. s is the span of the attempt at x; it leads back to the
// spans of the attempts before. x counts from the start of the poll.
func setup(spans []span, s span, x time.Duration) []time.Duration {
	var took []time.Duration
	for ; s.from >= 0; s = spans[s.from] {
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
