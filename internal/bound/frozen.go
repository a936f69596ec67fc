package bound

import "time"

// outlasts is whether an attempt that takes so long can still go on at the next tick, or begin so late, after a freeze, that the next
// one begins less than a second later.
func (m *model) outlasts(longest time.Duration) bool {
	return longest+m.most(m.e.MaxPause) >= m.c.RetryPeriod || m.oversleeps()
}

// oversleeps is whether a leader that is frozen over a tick can wake less than a second before the next.
func (m *model) oversleeps() bool {
	return m.c.RetryPeriod >= time.Second && m.e.MaxPause >= m.oversleep()
}

// oversleep is how long a leader is frozen for that, in true time.
func (m *model) oversleep() time.Duration { return max(1, m.fast(m.c.RetryPeriod-time.Second+1)) }

// overslept returns the worse of two cases: best, and that of a leader whose ticker drops ticks and starts as its first attempt fails,
// and who is frozen over the first tick and wakes less than a second before the second.
func (m *model) overslept(best Chain) Chain {
	return m.wakesAfter(m.c.RetryPeriod, []time.Duration{0}, best)
}

// beginsFrozen is the chain of a leader that is frozen between the start of a poll's ticker and its first attempt. No line of its
// own runs in between, and the simulated world has both at one instant.
func (m *model) beginsFrozen(best Chain) Chain {
	if m.playable {
		return best
	}
	return m.wakesAfter(0, nil, best)
}

// wakesAfter is the chain of a leader that is frozen from such an instant of its poll, after those attempts, until less than a second before
// the next tick; or best where that is better.
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
