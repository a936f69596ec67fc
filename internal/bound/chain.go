package bound

import "time"

// Join is how writes that look the same to a follower come before the last attempt that succeeds.
type Join uint8

// The joins.
const (
	// JoinNone: the last attempt's own writes are all that look the same.
	JoinNone Join = iota
	// JoinAcquired: acquiring and the first renewal fall in one second. Acquiring takes long.
	JoinAcquired
	// JoinRetried: acquiring, tried again, and renewals follow each other within one second: RetryPeriod is below it.
	JoinRetried
	// JoinTicked: a slow attempt leaves a tick, so that the next two start less than a second apart.
	JoinTicked
	// JoinRerun: the elector is cancelled, and runs again within the second.
	JoinRerun
)

// Chain is the success that lasts longest after the first write that looks the same to a follower: its last attempt, and
// what came before within the same second. As a rule that attempt renews; see Plan.Acquiring.
type Chain struct {
	Join Join
	// Gap is the time, on the leader's slow clock, from the first of those writes to the start of the last attempt.
	Gap time.Duration
	// AcquireLost: acquiring, in JoinAcquired, begins with an update whose answer is lost.
	AcquireLost bool
	// Setup are the attempts, in the poll of JoinTicked, before the first of those writes, in local time on a clock
	// that is as fast as it can be; SetupPause is the true time for which the last of them is frozen, or the process before the
	// first where there are none.
	Setup      []time.Duration
	SetupPause time.Duration
	// Last is how long the last attempt takes, in true time, and LastWrite how much of that the answer to its last
	// write can take. FirstLost: the answer to its optimistic update is lost.
	Last, LastWrite time.Duration
	FirstLost       bool
}

// beginsFrozen is whether the first of those writes begins a poll, after a freeze.
func (c *Chain) beginsFrozen() bool {
	return c.Join == JoinTicked && len(c.Setup) == 0 && c.SetupPause > 0
}

// length returns the true time from the first write that looks the same to the acknowledgement, less the freeze that the chain uses up.
func (m *model) length(c *Chain) time.Duration {
	return m.slow(c.Gap) + c.Last - c.SetupPause
}

// ahead returns how long before the acknowledgement a successor's work can start, at most: once the lease has run out for it, but not before the last
// write, since its compare-and-swap would fail.
func (m *model) ahead(c *Chain) time.Duration {
	return min(m.length(c)-m.takeover(), c.LastWrite-c.SetupPause)
}

// better tells whether a successor can start sooner with c than with the other chain or, where that is equal, whether c is longer.
func (m *model) better(c, other *Chain) bool {
	if mine, others := m.ahead(c), m.ahead(other); mine != others {
		return mine > others
	}
	return m.length(c) > m.length(other)
}

// joined returns the chain in which the writes of acquiring and the first renewal look the same, as far apart as they can be.
func (m *model) joined() Chain {
	switch {
	case m.c.RetryPeriod < time.Second:
		return Chain{Join: JoinRetried, Gap: time.Second}
	case m.e.Reruns:
		return Chain{Join: JoinRerun, Gap: time.Second}
	case m.writesOnce(): // and the answer is late
		return Chain{Join: JoinAcquired, Gap: min(time.Second, m.least(m.direct))}
	}
	c := Chain{Join: JoinAcquired, Gap: min(time.Second, m.least(m.direct+2*m.trip))}
	if f := m.c.RequestTimeout; f > 0 && f < time.Second && m.gaveUp > m.trip {
		c.Gap, c.AcquireLost = min(time.Second, f+m.least(2*m.trip)), true
	}
	return c
}

// acquiring is the longest chain that ends as the lock is acquired. No deadline runs meanwhile: a candidate that finds its
// own name, since a write of its own was applied and not acknowledged, takes the same three requests with one renewTime as a
// leader, the first of which takes until it is given up where its answer is lost.
func (m *model) acquiring() Chain {
	c := Chain{LastWrite: m.direct}
	switch {
	case m.c.RetryPeriod < time.Second:
		c.Join, c.Gap = JoinRetried, time.Second
	case m.e.Reruns:
		c.Join, c.Gap = JoinRerun, time.Second
	}
	switch {
	case c.Gap == 0 && m.writesOnce():
		c.Last = m.direct
	case m.c.Profile.ReadsFirst():
		c.Last = 2 * m.trip
	case m.gaveUp > m.trip:
		c.Last, c.FirstLost = m.gaveUp+2*m.trip, true
	case c.Gap == 0:
		c.Last = m.direct + 2*m.trip // what comes before the first write does not count
	default:
		c.Last = 3 * m.trip
	}
	return c
}

// writesOnce is whether an attempt to acquire writes no more than once: there is no optimistic update, or its own name has
// expired for a candidate before it tries again.
func (m *model) writesOnce() bool {
	return m.c.Profile.ReadsFirst() || m.c.RetryPeriod >= m.lease()
}

// last completes a chain with the longest attempt that succeeds where its poll has so much local time left. The
// optimistic update was applied, its answer an error or lost; Get and Update follow, with the same renewTime. A leader
// that always reads first writes once.
func (m *model) last(c Chain, left time.Duration) Chain {
	rest, trips := m.slow(left), 3*m.answered
	if m.c.Profile.ReadsFirst() {
		trips = 2 * m.answered
	}
	c.Last, c.LastWrite = min(rest, trips), min(rest, m.direct)
	if m.c.Profile.ReadsFirst() || !m.lossy() || m.timeout >= left {
		return c
	}
	lost := c
	lost.FirstLost = true
	lost.Last = min(rest, m.gaveUp+2*m.answered)
	lost.LastWrite = min(rest-m.gaveUp, m.direct)
	if m.ahead(&lost) > m.ahead(&c) {
		return lost
	}
	return c
}

// tickedAt is the chain whose first write is made by an attempt that starts at x, so long before the last one.
func (m *model) tickedAt(x, gap time.Duration) (Chain, bool) {
	left := m.c.RenewDeadline - x - gap
	if gap == time.Second-1 {
		gap++ // as close as one likes
	}
	if left <= 0 {
		return Chain{}, false
	}
	return m.last(Chain{Join: JoinTicked, Gap: gap}, left), true
}
