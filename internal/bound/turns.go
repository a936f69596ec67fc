package bound

import "time"

// turns returns how often, at most, two leaders that work at once take the lock from each other after both have had it;
// false where no limit is known. Between two such writes of one leader the lease of each runs out once, which takes at
// least lease, in true time. left is how much of a leader's poll is left, at most, as it takes the lock back.
//
// A leader that takes the lock back, and does not renew before it loses the lock again, has gained a RetryPeriod and a
// poll, and two leases have passed: each time it has less time left. A leader that renews begins anew; but its renewal
// looks new, and the other leader loses another RetryPeriod. docs/derivation.md, "Taking turns", has the sums.
func (m *model) turns(lease, left time.Duration) (n time.Duration, known bool) {
	period, deadline := m.slow(m.c.RetryPeriod), m.slow(m.c.RenewDeadline)+m.e.MaxPause
	begun, renewed := m.lasting()
	loses := 2*lease - period - deadline
	apart := m.fast(m.c.RetryPeriod)
	if m.c.RetryPeriod < time.Second {
		apart = 0 // a renewal can look like what took the lock back
	}
	switch {
	case begun < 2*lease:
		return 0, true
	case loses <= 0:
		return 0, false
	case renewed < loses:
		return 2 + 2*(left/loses), true
	case renewed < loses+apart && left < loses+apart:
		return 4 + 2*(left/loses), true
	}
	return 0, false
}

// lasting returns how long a leader's work goes on, at most and in true time, after the first of its writes that look
// like its last one. begun is that for any leader. renewed is the time up to the last answer only, without a freeze,
// for a leader that renews after it has taken the lock back.
func (m *model) lasting() (begun, renewed time.Duration) {
	period, deadline := m.slow(m.c.RetryPeriod), m.slow(m.c.RenewDeadline)+m.e.MaxPause
	attempt, second := m.longestAttempt(), m.slow(time.Second)
	polled := min(m.longestOf(m.lossy()), m.slow(m.c.RenewDeadline))
	begun = max(second+polled+period, second+attempt) + m.e.MaxPause + deadline
	switch {
	case m.c.RetryPeriod < time.Second:
		return begun, second + polled
	case !m.c.Profile.DropsTicks() && m.outlasts(m.longestFailing()):
		return begun, min(second+polled, m.slow(m.c.RenewDeadline))
	}
	return begun, polled
}

// period returns how long, at most and in true time, a leader without a release works on after a write of its own that
// another candidate's write follows. It is also the longest time until the leader takes the lock back.
func (m *model) period() time.Duration {
	update, _ := m.calls()
	late := min(update*m.trip, m.slow(m.c.RenewDeadline))
	if update == 1 {
		late = min(m.direct, m.slow(m.c.RenewDeadline))
	}
	return late + m.slow(m.c.RetryPeriod+m.c.RenewDeadline) + m.e.MaxPause
}

// counted sets r.AtLeast, and stores an upper bound of the overlap in m.upTo: this many turns after the first, and a
// last part of length ends. turns is a plain number, ends a true time. With too many turns to compute, it stores no
// bound.
func (m *model) counted(r *Result, turns, ends time.Duration) {
	r.AtLeast = true
	if turns < 100*(MaxDuration/max(m.period(), 1)) {
		m.within(r, (turns+1)*m.period()+ends)
	}
}
