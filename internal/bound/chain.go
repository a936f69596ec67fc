package bound

import (
	"time"

	"interregnum/elector/machine"
)

// Join is how writes that look the same to a follower come before the last attempt to renew.
type Join uint8

// The joins.
const (
	// JoinNone: the last attempt's own writes are all that look the same.
	JoinNone Join = iota
	// JoinAcquired: acquiring and the first renewal fall in one second. The answer to acquiring is slow.
	JoinAcquired
	// JoinRetried: acquiring, tried again, and renewals follow each other within one second: RetryPeriod is below it.
	JoinRetried
	// JoinTicked: a slow attempt leaves a tick, so that the next two start less than a second apart.
	JoinTicked
)

// Chain is the renewal that lasts longest after the first write that looks the same to a follower: its last attempt, and
// what came before within the same second.
type Chain struct {
	Join Join
	// Gap is the time, on the leader's slow clock, from the first of those writes to the start of the last attempt.
	Gap time.Duration
	// Setup are the attempts, in the poll of JoinTicked, before the first of those writes, in local time on a clock
	// that is as fast as it can be; SetupPause is the true time for which the last of them is frozen.
	Setup      []time.Duration
	SetupPause time.Duration
	// Last is how long the last attempt takes, in true time, and LastWrite how much of that the answer to its last
	// write can take. FirstLost: the answer to its optimistic update is lost.
	Last, LastWrite time.Duration
	FirstLost       bool
}

// length is the true time from the first write that looks the same to the acknowledgement, less what it costs.
func (m *model) length(c *Chain) time.Duration {
	return m.slow(c.Gap) + c.Last - c.SetupPause
}

// ahead is how long before the acknowledgement a successor's work can start, at most: when the lease has run out for it,
// but not before the last write, since it must win its compare-and-swap.
func (m *model) ahead(c *Chain) time.Duration {
	return min(m.length(c)-m.takeover(), c.LastWrite-c.SetupPause)
}

// better is whether a successor can start sooner with c than with another or, as soon, after a longer chain.
func (m *model) better(c, other *Chain) bool {
	if mine, others := m.ahead(c), m.ahead(other); mine != others {
		return mine > others
	}
	return m.length(c) > m.length(other)
}

// chain finds the best.
func (m *model) chain() Chain {
	c := Chain{Join: JoinAcquired, Gap: min(time.Second, m.least(m.answered))}
	if m.c.RetryPeriod < time.Second {
		c = Chain{Join: JoinRetried, Gap: time.Second}
	}
	best := m.last(c, m.c.RenewDeadline)
	if c.Gap == time.Second || m.c.Profile.Ticks == machine.TicksDropped {
		return best
	}
	return m.ticked(best)
}

// last completes a chain with the longest attempt that succeeds where its poll has so much local time left. The
// optimistic update was applied, its answer an error or lost; Get and Update follow, with the same renewTime. A leader
// that always reads first writes once.
func (m *model) last(c Chain, left time.Duration) Chain {
	rest, trips := m.slow(left), 3*m.answered
	if m.c.Profile.Renewal == machine.ReadFirst {
		trips = 2 * m.answered
	}
	c.Last, c.LastWrite = min(rest, trips), min(rest, m.answered)
	if m.c.Profile.Renewal == machine.ReadFirst || m.timeout == 0 || m.timeout >= left {
		return c
	}
	lost := c
	lost.FirstLost = true
	lost.Last = min(rest, m.slow(m.timeout)+2*m.answered)
	lost.LastWrite = min(rest-m.slow(m.timeout), m.answered)
	if m.ahead(&lost) > m.ahead(&c) {
		return lost
	}
	return c
}
