package bound

import "time"

// outlasts tells whether the next attempt of a poll can begin less than a second after one that takes that long, on the
// leader's clock: since the attempt is still under way at the next tick, or since a freeze delays its beginning.
func (m *model) outlasts(longest time.Duration) bool {
	return longest+m.most(m.e.MaxPause) >= m.c.RetryPeriod || m.oversleeps()
}

// oversleeps tells whether a leader that is frozen over a tick can wake up less than a second before the next tick.
func (m *model) oversleeps() bool {
	return m.c.RetryPeriod >= time.Second && m.e.MaxPause >= m.oversleep()
}

// oversleep returns the shortest freeze, in true time, with which a leader oversleeps.
func (m *model) oversleep() time.Duration { return max(1, m.fast(m.c.RetryPeriod-time.Second+1)) }

// overslept returns the better of two chains for a profile whose ticker drops ticks: best, and that of a leader whose
// ticker starts as its first attempt fails, and who is frozen over the first tick and wakes up less than a second
// before the second.
func (m *model) overslept(best Chain) Chain {
	return m.wakesAfter(m.c.RetryPeriod, []time.Duration{0}, best)
}

// beginsFrozen returns the better of two chains: best, and that of a leader who is frozen between the start of a poll's
// ticker and its first attempt. No code of the leader runs in between, and both are at one instant in the simulated
// world: where only what that can show is wanted it returns best.
func (m *model) beginsFrozen(best Chain) Chain {
	if m.playable {
		return best
	}
	return m.wakesAfter(0, nil, best)
}

// wakesAfter returns the better of two chains: best, and that of a leader who makes these attempts in its poll, and is
// frozen from the time from of the poll until less than a second before the next tick.
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
