package bound

import "time"

// A lock on two objects makes several requests of each call, one after the other: so many of a Get and of an Update.
const (
	pairGet    = 2
	pairUpdate = 3
)

// calls returns how many requests, one after the other, an Update takes, and a Get and an Update together.
func (m *model) calls() (update, both time.Duration) {
	if m.c.two() {
		return pairUpdate, pairGet + pairUpdate
	}
	return 1, 2
}

// longestOf returns how long an attempt that succeeds takes at most, with or without a lost answer.
func (m *model) longestOf(lost bool) time.Duration {
	update, both := m.calls()
	switch {
	case m.c.Profile.ReadsFirst():
		return both * m.trip
	case lost:
		return m.gaveUp + (update-1+both)*m.trip
	}
	return (update + both) * m.trip
}

// longestAttempt is how long an attempt that succeeds takes at most, where no deadline cuts it.
func (m *model) longestAttempt() time.Duration { return m.longestOf(m.gaveUp > m.trip) }

// longestFailing returns how long, on the leader's clock, an attempt that fails takes at most if another one follows; each of its calls can end with
// a lost answer.
func (m *model) longestFailing() time.Duration {
	update, both := m.calls()
	answers := (update + both) * m.trip
	if m.lossy() {
		answers += 3 * (m.gaveUp - m.trip)
	}
	return m.most(answers)
}

// nextTick is the first tick after x.
func (m *model) nextTick(x time.Duration) time.Duration {
	return (x/m.c.RetryPeriod + 1) * m.c.RetryPeriod
}

// retry returns the longest true time that a follower waits between attempts: RetryPeriod with the most jitter.
func (m *model) retry() time.Duration { return m.slow(m.c.RetryPeriod * 11 / 5) }

// hang returns how long, on its own clock, a candidate waits at most for the answer to its release.
func (m *model) hang() time.Duration {
	if m.timeout > 0 {
		return m.timeout
	}
	return m.c.RenewDeadline
}
