package bound

import (
	"time"
)

// expiring stores in r the worst case of a lock that expires by itself, with the algorithm of elector/ttl. It leaves out
// Failover, Handover and Outage.
func (m *model) expiring(r *Result) {
	wait, _ := m.lasts()
	r.Plan = Plan{Kind: Expired, Wait: wait}
	terms := []Term{{"renewDeadline", m.c.RenewDeadline}}
	works := m.slow(m.c.RenewDeadline)
	if !m.strict {
		r.Plan.Answer, r.Plan.Refreshed = m.lateAnswer(wait)
		if ttl, early := m.entry(); r.Plan.Answer > wait && ttl-early <= m.c.RetryPeriod+time.Millisecond {
			// The other's entry may run out before it is refreshed, too: it works for no longer than this, or a little more.
			r.AtLeast, r.Slack = true, r.Plan.Answer-wait
			r.Plan.Answer, r.Plan.Refreshed = wait, false
		}
		works += r.Plan.Answer
		terms = append([]Term{{"roundTrip", r.Plan.Answer}}, terms...)
		if m.c.ReleaseOnCancel {
			hang := m.releaseTimeout()
			r.Plan.Release = m.slow(hang)
			if works <= wait {
				r.Plan.Kind = Released
				m.total(r, []Term{{"release", hang}})
				return
			}
			terms = append(terms, Term{"release", hang})
		}
	}
	m.total(r, append(terms, m.entryTerms(wait)...))
}

// lateAnswer returns the longest true time from when a leader's last success is applied until the leader counts it. refreshed is
// true if that success is a refresh, and false if it is the first entry. A refresh is answered before the deadline. A first entry
// can be answered at any time, but counts for no longer than wait: work that has not begun overlaps with nothing. wait is how
// long the entry keeps others out, in true time.
func (m *model) lateAnswer(wait time.Duration) (answer time.Duration, refreshed bool) {
	made := min(m.trip, wait)
	refresh := min(m.trip, m.slow(m.c.RenewDeadline-m.c.RetryPeriod))
	return max(made, refresh), refresh > made
}

// lasts returns the shortest and the longest true time for which an entry keeps others out. The time counts from when the service
// has made or refreshed the entry or, where a row has the caller's time, from when the caller has sent the request.
func (m *model) lasts() (least, most time.Duration) {
	ttl, early := m.entry()
	least = max(0, ttl-early)
	if m.callerNow() {
		return max(0, least-m.e.MaxClockOffset), ttl + m.e.MaxClockOffset + 2*time.Microsecond
	}
	return m.fast(least), m.slow(ttl + 2*time.Microsecond)
}

// entry returns how long an entry lasts on the clock that decides. early is by how much less it can last because a row cuts off
// fractions of its precision; 0 for other locks.
func (m *model) entry() (ttl, early time.Duration) {
	ttl = m.c.LeaseDuration
	if m.c.Lock.ByWallClock() {
		ttl = ttl.Truncate(time.Microsecond)
		if m.c.Precision > time.Microsecond {
			early = m.c.Precision
		}
	}
	return ttl, early
}

// callerNow tells whether the wall clocks of the candidates decide when a row has expired, and not the database's
// clock.
func (m *model) callerNow() bool { return m.c.Lock.ByCaller(m.c.Now) }

// entryTerms returns the terms that add up to -wait: LeaseDuration, and what makes wait shorter or longer than it. wait is the
// shortest true time for which an entry keeps others out.
func (m *model) entryTerms(wait time.Duration) []Term {
	ttl, early := m.entry()
	terms := []Term{{"leaseDuration", -ttl}}
	if early > 0 {
		terms = append(terms, Term{"precision", early})
	}
	if m.callerNow() && m.e.MaxClockOffset > 0 {
		terms = append(terms, Term{"clockOffset", m.e.MaxClockOffset})
	}
	// What is left is the drift of the service's clock or, below zero, an entry that is expired as it is made: even
	// then nobody can take it before.
	left := ttl - wait
	for _, t := range terms[1:] {
		left -= t.Time
	}
	switch {
	case left < 0:
		terms = append(terms, Term{"notBefore", left})
	case left > 0:
		terms = append(terms, Term{"serviceDrift", left})
	}
	return terms
}

// expiringFailover stores in r, for a lock that expires by itself, the longest true times from a leader's crash (Failover) and
// from a graceful stop (Handover) to the start of another candidate's work. The two are equal unless a release surely comes
// sooner.
func (m *model) expiringFailover(r *Result) {
	_, most := m.lasts()
	// The last write may still be on its way when the leader crashes.
	r.Failover = m.e.MaxRoundTrip + most + m.noticed() + m.e.MaxPause
	r.Handover = r.Failover
	if !m.c.ReleaseOnCancel {
		return
	}
	released := m.e.MaxRoundTrip + m.e.MaxPause
	if m.strict {
		// The work returns first, unless the entry may have run out before: its refresh may be this old.
		trip := m.most(m.trip)
		old := max(m.c.RetryPeriod, trip) + trip
		if old+m.most(m.e.Drain+m.e.MaxPause) >= m.c.LeaseDuration {
			return
		}
		released += m.e.Drain
	}
	r.Handover = min(r.Handover, released+m.noticed()+m.e.MaxPause)
}

// noticed returns the longest true time from when an entry ends (expires or is released) to the start of another
// candidate's work.
func (m *model) noticed() time.Duration {
	if !m.c.Lock.Watched() {
		// It has just looked, and looks again after a jittered period; an expired row is not made, but replaced.
		return m.trip + m.retry() + 3*m.trip
	}
	// It has just looked, its watch tells it at once to look again, and it makes the entry.
	return 4 * m.trip
}

// expiringOutage returns the longest outage of the service that a leader survives, in true time, for a lock that expires by
// itself; 0 if there is none, or if the client has no request timeout below RenewDeadline. The last refresh that is sent in time
// must reach the service while the entry has not expired.
func (m *model) expiringOutage() time.Duration {
	if m.timeout == 0 {
		return 0
	}
	hit, last := m.firstRefresh(), time.Duration(-1)
	for begun := hit; begun < m.c.RenewDeadline; {
		if m.inTime(begun) {
			last = begun
		}
		if m.strict {
			begun += max(m.c.RetryPeriod, m.timeout)
		} else {
			begun += m.timeout + m.c.RetryPeriod
		}
	}
	return max(0, m.fast(last-hit)-m.answered)
}

// firstRefresh returns the latest time at which the next refresh after a success is sent, on the leader's clock. It counts from
// the answer to that success or, for strict, from its sending.
func (m *model) firstRefresh() time.Duration {
	if m.strict {
		return max(m.c.RetryPeriod, m.most(m.answered))
	}
	return m.c.RetryPeriod
}

// inTime tells whether a refresh that is sent at the time sent, and answered, keeps the leadership for sure: it reaches the
// service while the entry lasts, and its answer comes before RenewDeadline, even after a freeze. The time sent is on the
// leader's clock, and counts from the answer to the last success or, for strict, from its sending.
func (m *model) inTime(sent time.Duration) bool {
	wait, _ := m.lasts()
	begun := m.slow(sent) + m.trip + m.e.MaxPause
	if !m.strict {
		begun += m.trip // the success before was answered that late
	}
	return sent+m.most(m.trip+m.e.MaxPause) < m.c.RenewDeadline && begun < wait
}
