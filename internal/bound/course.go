package bound

import "time"

// course is one way for a leader to work for too long: its last success, and what its work lasts from then on.
type course struct {
	Chain
	acquiring bool
	own       []Term
	// tail is the sum of own in true time, and late for how long another can have the lock when it is over.
	tail, late time.Duration
}

// renewed is a leader whose last success is a renewal: RetryPeriod later it tries again, for RenewDeadline.
func (m *model) renewed() course {
	c := course{Chain: m.chain(), own: []Term{{"retryPeriod", m.c.RetryPeriod}, {"renewDeadline", m.c.RenewDeadline}}}
	c.tail = m.slow(m.c.RetryPeriod + m.c.RenewDeadline)
	c.late = m.ahead(&c.Chain) + c.tail
	return c
}

// neverRenewed is a leader that acquires the lock and cannot renew once. It tries at once, for RenewDeadline.
func (m *model) neverRenewed() course {
	c := course{Chain: m.acquiring(), acquiring: true, own: []Term{{"renewDeadline", m.c.RenewDeadline}}}
	c.tail = m.slow(m.c.RenewDeadline)
	c.late = m.ahead(&c.Chain) + c.tail
	return c
}

// chain finds the best that ends with a renewal.
func (m *model) chain() Chain {
	c := m.joined()
	best := m.last(c, m.c.RenewDeadline)
	switch {
	case c.Gap == time.Second:
		return best
	case m.c.Profile.DropsTicks():
		return m.overslept(best)
	}
	return m.ticked(best)
}

// overlap is how long the leader works beside its successor, or minus what is missing. Work that has not begun overlaps
// with nothing.
func (c *course) overlap() time.Duration {
	if c.acquiring {
		return min(c.late, c.tail)
	}
	return c.late
}

// sum returns the terms of a course's overlap, without a release. With compareAndSwap the successor cannot start before the last write.
func (m *model) sum(c *course, compareAndSwap bool) []Term {
	switch {
	case c.acquiring && c.late >= c.tail:
		return c.own // the successor works already
	case compareAndSwap:
		return m.pauseSpent(append([]Term{{"roundTrip", c.LastWrite}}, c.own...), &c.Chain)
	}
	last := "lastRenewal"
	if c.acquiring {
		last = "acquiring"
	}
	terms := []Term{{"sameSecond", c.Gap}, {last, c.Last}}
	terms = m.pauseSpent(append(terms, c.own...), &c.Chain)
	wait := "leaseDuration"
	if m.c.RetryPeriod > m.lease() {
		wait = "followerRetryPeriod"
	}
	return append(terms, Term{wait, -max(m.lease(), m.c.RetryPeriod)})
}

// pauseSpent takes off the freeze that a chain has used up before, so that it cannot also prolong the work.
func (m *model) pauseSpent(terms []Term, chain *Chain) []Term {
	if chain.SetupPause == 0 {
		return terms
	}
	return append(terms, Term{"pauseSpentBefore", -chain.SetupPause})
}
