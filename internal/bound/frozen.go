package bound

import "time"

// outlasts tells whether an attempt of a poll can begin less than a second after the attempt before it. That earlier attempt
// takes no longer than the time given as longest, on the leader's clock: it can still be under way at the next tick, or a
// freeze can delay the attempt of that tick.
func (m *model) outlasts(longest time.Duration) bool {
	return longest+m.most(m.e.MaxPause) >= m.c.RetryPeriod || m.oversleeps()
}

// oversleeps tells whether a leader that is frozen over a tick can wake up less than a second before the next tick. It is
// false for a RetryPeriod below a second.
func (m *model) oversleeps() bool {
	return m.c.RetryPeriod >= time.Second && m.e.MaxPause >= m.oversleep()
}

// oversleep returns the shortest true time for which a process must be frozen to wake up less than a second before the next tick.
// It has a meaning only for a RetryPeriod of a second or more.
func (m *model) oversleep() time.Duration { return max(1, m.fast(m.c.RetryPeriod-time.Second+1)) }

// overslept returns the better of two chains, for a profile whose ticker drops ticks: best, and the chain of a leader
// that is frozen over the first tick of its ticker and wakes up less than a second before the second. The ticker starts
// as the leader's first attempt fails.
func (m *model) overslept(best Chain) Chain {
	return m.wakesAfter(m.c.RetryPeriod, []time.Duration{0}, best)
}

// beginsFrozen returns the better of two chains: best, and the chain of a leader that is frozen between the start of a
// poll's ticker and its first attempt. The simulated world cannot show that freeze, since both are at one instant
// there: if m.playable is true, it returns best.
func (m *model) beginsFrozen(best Chain) Chain {
	if m.playable {
		return best
	}
	return m.wakesAfter(0, nil, best)
}

// wakesAfter returns the better of two chains: best, and the chain of a leader that is frozen until less than a second before the
// next tick. attempts has how long each attempt of the poll before the freeze takes. from is when the freeze begins; it counts
// from the start of the poll.
func (m *model) wakesAfter(from time.Duration, attempts []time.Duration, best Chain) Chain {
	if !m.oversleeps() {
		return best
	}
	c, ok := m.tickedAt(from+m.c.RetryPeriod-time.Second+1, time.Second-1)
	c.Setup, c.SetupPause = attempts, m.oversleep()
	if ok && m.better(&c, &best) {
		return c
	}
	return best
}
