package bound

import (
	"cmp"
	"time"
)

// A call of a lock on two objects makes several requests, one after the other: a Get makes pairGet, an Update
// pairUpdate.
const (
	pairGet    = 2
	pairUpdate = 3
)

// calls returns how many requests an Update of the lock makes, and how many a Get and an Update make together. The requests go
// out one after the other. Both results are plain counts: they have the type Duration only so that a Duration can be multiplied
// by them.
func (m *model) calls() (update, both time.Duration) {
	if m.c.onTwoObjects() {
		return pairUpdate, pairGet + pairUpdate
	}
	return 1, 2
}

// longestOf returns the longest true time that a successful attempt to acquire or renew takes, if no deadline ends it. If lost is
// true, the attempt begins with an optimistic update whose answer is lost. A profile that reads first makes no such update, and
// ignores lost.
func (m *model) longestOf(lost bool) time.Duration {
	update, both := m.calls()
	switch {
	case m.c.Client == nil || m.c.onTwoObjects():
	case m.c.Profile.ReadsFirst():
		return m.inTurn(m.justBefore(), m.sent, m.sent)
	case lost:
		return m.inTurn(m.justBefore(), m.lost(), m.sent, m.sent)
	default:
		return m.inTurn(m.justBefore(), m.sent, m.sent, m.sent)
	}
	switch {
	case m.c.Profile.ReadsFirst():
		return both * m.trip
	case lost:
		return m.gaveUp + (update-1+both)*m.trip
	}
	return (update + both) * m.trip
}

// longestAttempt returns the longest true time that a successful attempt takes if no deadline ends it. It counts the first answer
// as lost where the client gives up a request later than any answer comes.
func (m *model) longestAttempt() time.Duration { return m.longestOf(m.gaveUp > m.trip) }

// longestFailing returns an upper bound, on the leader's clock, of how long a failed attempt takes if another attempt follows it.
// If answers can be lost within a poll, it counts all three answers of an attempt as lost, or only one for a profile that reads
// first, since a lost answer ends its attempt.
func (m *model) longestFailing() time.Duration {
	update, both := m.calls()
	requests, lost := update+both, time.Duration(3)
	if m.c.Profile.ReadsFirst() {
		requests, lost = both, 1
	}
	answers := requests * m.trip
	if m.lossy() {
		answers += lost * (m.gaveUp - m.trip)
	}
	return m.most(answers)
}

// nextTick returns the first tick that is later than x; if x is itself a tick, it returns the tick after x. The poll's ticker
// ticks every RetryPeriod. Both times count from the start of the poll, on the leader's clock.
func (m *model) nextTick(x time.Duration) time.Duration {
	return (x/m.c.RetryPeriod + 1) * m.c.RetryPeriod
}

// retry returns the longest true time that a follower waits between attempts: RetryPeriod with the most jitter, or RetryPeriod
// itself for a profile without jitter.
func (m *model) retry() time.Duration {
	if !m.c.Profile.Jitters() {
		return m.slow(m.c.RetryPeriod)
	}
	return m.slow(m.c.RetryPeriod * 11 / 5)
}

// releaseTimeout returns how long a candidate waits at most, on its own clock, for the answer to a request of its release:
// the request timeout, where RenewDeadline ends no release, and otherwise ownTimeout.
func (m *model) releaseTimeout() time.Duration {
	if m.releasesOn() {
		return m.c.RequestTimeout
	}
	return m.ownTimeout()
}

// ownTimeout returns how long a candidate waits at most, on its own clock, for the answer to a request in what RenewDeadline ends.
func (m *model) ownTimeout() time.Duration { return cmp.Or(m.timeout, m.c.RenewDeadline) }
