package bound

import (
	"time"
)

// outage returns the longest true time for which every message can be lost without an end of leadership, at whatever instant of a
// poll that time begins. It returns 0 also where it is not computed. The last request that is sent early enough to renew must
// still reach the service. It computes with the fastest clock, on which all deadlines come soonest.
func (m *model) outage() time.Duration {
	switch {
	case m.c.Lock.Expires():
		return m.expiringOutage()
	case m.timeout == 0:
		return 0 // the first request that is lost is waited for until it is too late
	case !m.lossy() || m.fast(m.timeout) <= m.e.MaxRoundTrip || !m.outageComputed():
		return 0 // an answer may come later than a timeout, on whatever clock, also without an outage
	}
	hit := m.firstHit()
	last, late := time.Duration(-1), m.most(m.e.MaxPause)
	for begun := hit; begun < m.c.RenewDeadline; begun = m.again(begun, begun == hit) {
		for i, rest := range m.requests(begun) {
			sent := begun + time.Duration(i)*m.timeout
			if sent+rest+late < m.c.RenewDeadline {
				last = sent
			}
		}
		if begun > hit {
			late = max(late, m.skipped(m.took(begun)))
		}
	}
	if took := m.took(0); m.c.dropsTicks() && (m.timeout%m.c.RetryPeriod == 0 || took%m.c.RetryPeriod == 0) {
		// A tick comes as a request is given up, and may be missed or not: no two attempts are further apart.
		last = min(last, m.c.RenewDeadline-m.requests(0)[0]-late-took-m.c.RetryPeriod)
	}
	// It begins, at the latest, when the first request arrives that it keeps from its answer.
	begins := m.answered
	if hit > 0 && !m.strict && !m.c.dropsTicks() && !m.c.Profile.EndsInTime() {
		begins += m.e.MaxPause // the Get was frozen, and the ticks did not wait; at most, since one freeze does not do both
	}
	return max(0, m.fast(last-hit)-begins)
}

// firstHit returns the latest time at which the first lost request of a poll can have been sent, on the leader's clock. It counts
// from the start of the poll or, for strict, from when the renewal before that was sent.
func (m *model) firstHit() time.Duration {
	trip := m.most(m.answered)
	switch {
	case m.strict:
		return max(m.c.RetryPeriod, trip) // the answer to the renewal before may have been slow
	case len(m.requests(0)) == 1:
		return trip // it is the Update, and the Get was slow
	}
	return 0
}

// requests returns one duration for each request of an attempt that can be the first to reach the service after an outage: how
// long it takes at most, on the leader's clock, from the sending of that request until the attempt has renewed. begun is when the
// attempt begins in its poll. All requests before were lost, or only the answer of the last of them.
func (m *model) requests(begun time.Duration) []time.Duration {
	trip := m.most(m.answered)
	ownLease := m.lease() - m.c.RetryPeriod // it counts from the acknowledgement, a RetryPeriod before the poll
	switch {
	case m.c.Profile.ReadsFirst() || !m.strict && begun >= ownLease:
		return []time.Duration{2 * trip} // Get and Update
	case !m.strict && begun > 0 && begun+m.most(m.e.MaxPause) >= ownLease:
		return []time.Duration{3 * trip} // after a freeze the Get is the first request, and otherwise the Update, which may conflict
	}
	first := time.Duration(0)
	if m.strict {
		first = m.firstHit()
	}
	if m.c.Lock.Forgets() && begun > first {
		return []time.Duration{2 * trip} // the Get that was lost has left the lock without an object to update
	}
	// The optimistic update conflicts with one that was applied before the answers ceased.
	return []time.Duration{3 * trip, 2 * trip}
}

// again returns when the next attempt of a poll begins, on the leader's clock, after an attempt that began at begun and lost all
// its requests. first says that this was the first attempt of the poll; if the leader reads first, begun is then when its Update
// was sent.
func (m *model) again(begun time.Duration, first bool) time.Duration {
	period, took := m.c.RetryPeriod, m.took(begun)
	switch {
	case m.strict:
		return begun + max(period, took)
	case m.c.dropsTicks() && first, m.c.Profile.EndsInTime():
		return begun + took + period
	case m.c.dropsTicks():
		return begun + (took/period+1)*period
	}
	return max(m.nextTick(begun), begun+took)
}

// took returns how long an attempt takes, on the leader's clock, that begins at begun in its poll and loses all its requests.
func (m *model) took(begun time.Duration) time.Duration {
	return time.Duration(len(m.requests(begun))) * m.timeout
}

// skipped returns by how much a freeze delays the next attempt, on the leader's clock, because the leader misses a tick by it; 0
// where no ticks are dropped. took is how long the attempt before takes without the freeze.
func (m *model) skipped(took time.Duration) time.Duration {
	if !m.c.dropsTicks() {
		return 0
	}
	period := m.c.RetryPeriod
	return ((took+m.most(m.e.MaxPause))/period - took/period) * period
}

// outageComputed tells whether outage computes a time where a lost request ends before RenewDeadline. It does not on two objects,
// where requests perhaps wait in the client's limiter, and where the leader's own lease may have run out before a renewal begins.
// With EndsInTime it does not where a follower may find that the lease has run out before RenewDeadline is over.
func (m *model) outageComputed() bool {
	if p := &m.c.Profile; p.EndsInTime() {
		lease := m.fast(m.c.LeaseDuration.Truncate(p.WallUnit()) - m.e.MaxClockOffset - p.WallUnit())
		return m.slow(m.c.RetryPeriod+m.c.RenewDeadline)+m.answered <= lease
	}
	return !m.c.onTwoObjects() && m.limited == 0 && m.lease() > m.c.RetryPeriod+m.most(m.e.MaxPause)
}

// OutageComputed tells whether an Outage of 0 says that any outage can end leadership. If it is false, it is not known which can.
func OutageComputed(c *Config, e *Environment) bool {
	m := newModel(c, e)
	return c.Lock.Expires() || m.timeout == 0 || m.outageComputed()
}

// Outage returns the longest outage of the lock service that does not end leadership, in true time. It returns 0 also where it is
// not computed. LeaseDuration makes a difference only for a lock that expires by itself, where it is less than the sum of
// RenewDeadline and RetryPeriod, rounded up to a whole second, and with EndsInTime where it is not safe.
func Outage(c *Config, e *Environment) time.Duration { return newModel(c, e).outage() }

// Steady tells whether a leader keeps the lock, and a follower can take it over, if every request is answered as late as the
// environment allows. It is false if the client's timeout, the deadline or, with EndsInTime, the next attempt can come before
// such an answer.
func Steady(c *Config, e *Environment) bool {
	m := newModel(c, e)
	trip, frozen := m.most(e.MaxRoundTrip), m.most(e.MaxPause)
	update, both := m.calls()
	switch {
	case c.RequestTimeout > 0 && c.RequestTimeout <= trip:
		return false
	case c.Profile.EndsInTime() && both*trip+frozen >= c.RetryPeriod:
		return false // no attempt to acquire is over in time
	case c.Lock.Expires():
		return m.inTime(m.firstRefresh())
	case m.strict:
		return max(c.RetryPeriod, update*trip)+update*trip+frozen < c.RenewDeadline
	case len(m.requests(0)) == 1:
		return both*trip+frozen < c.RenewDeadline
	}
	return update*trip+frozen < c.RenewDeadline
}
