package bound

import "time"

// course is one way in which a leader works for too long: its writes up to its last success, and how long its work lasts from
// then on. acquiring: that success is the acquiring of the lock. own has the terms of the time after it.
type course struct {
	Chain
	acquiring bool
	own       []Term
	// tail is how long the work lasts after the last success: the sum of own, in true time. late is how long another candidate
	// can have had the lock by the end of that time; below zero, how much later it can take the lock at the soonest.
	tail, late time.Duration
}

// renewed returns the course of a leader whose last success is a renewal. A RetryPeriod later it begins to renew again, and fails
// until RenewDeadline is over.
func (m *model) renewed() course {
	c := course{Chain: m.chain(), own: m.awake(Term{"retryPeriod", m.c.RetryPeriod}, Term{"renewDeadline", m.c.RenewDeadline})}
	c.tail = m.slow(m.c.RetryPeriod+m.c.RenewDeadline) + m.asleep()
	c.late = m.ahead(&c.Chain) + c.tail
	return c
}

// neverRenewed returns the course of a leader that acquires the lock and never renews it. It begins to renew at once, and fails
// until RenewDeadline is over.
func (m *model) neverRenewed() course {
	c := course{Chain: m.acquiring(), acquiring: true, own: m.awake(Term{"renewDeadline", m.c.RenewDeadline})}
	c.tail = m.slow(m.c.RenewDeadline) + m.asleep()
	c.late = m.ahead(&c.Chain) + c.tail
	return c
}

// chain returns the best of all chains that end with a renewal: the one that lets a successor start soonest, as better compares
// them.
func (m *model) chain() Chain {
	c := m.joined()
	best := m.last(c, m.c.RenewDeadline)
	switch {
	case m.longestJoined(&c):
	case m.c.dropsTicks():
		best = m.overslept(best)
	default:
		best = m.ticked(best)
	}
	if m.c.Closes {
		return m.renewedClosed(best)
	}
	return best
}

// overlap returns how long the leader and its successor work at once, in true time, without a release, pauses and drain. A
// negative result is minus the margin between the two. Where no renewal follows the acquiring, the overlap is no longer than the
// leader's own work.
func (c *course) overlap() time.Duration {
	if c.acquiring {
		return min(c.late, c.tail)
	}
	return c.late
}

// sum returns the terms that add up to the overlap of course c, without those of a release, drift, pause and drain. If the
// successor works already as the leader's work begins, these are c.own alone. Otherwise they count from the leader's last
// write, for which the successor has to wait, if compareAndSwap is true, and from when the lease runs out for the successor,
// if it is false.
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
	closed := m.closedTerm(c)
	terms := append([]Term{{"sameSecond", c.Gap}}, m.waitTerms(Term{last, c.Last - closed.Time}, c.FirstLost)...)
	if closed.Time > 0 {
		terms = append(terms, closed)
	}
	terms = m.pauseSpent(append(terms, c.own...), &c.Chain)
	wait := "leaseDuration"
	if m.c.RetryPeriod > m.lease() {
		wait = "followerRetryPeriod"
	}
	return append(terms, Term{wait, -max(m.lease(), m.c.RetryPeriod)})
}

// pauseSpent returns the terms and, if chain.SetupPause is not 0, one more term that subtracts SetupPause. A freeze that has
// happened before the chain does not prolong the work as well. It can append to terms in place.
func (m *model) pauseSpent(terms []Term, chain *Chain) []Term {
	if chain.SetupPause == 0 {
		return terms
	}
	return append(terms, Term{"pauseSpentBefore", -chain.SetupPause})
}
