package bound

import "time"

// turns is how often, at most, two leaders that work at once take the lock from each other once both have had it; false where it
// is as often as they like, for all that is known. Between two such writes of one of them the lease of each runs out once,
// which takes no less than lease. Left is what of a leader's poll, at most, is left as it takes the lock back.
//
// Who takes the lock back, and does not renew it before losing it again, has gained a RetryPeriod and a poll, and two leases are
// gone: each time it has less left. Who renews begins anew; but what that writes looks new, and the other one loses a RetryPeriod
// more. docs/derivation.md, "Taking turns", has the sums.
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

// lasting returns how long a leader's work goes on, at most, after the first write that looks like its last one. begun is that for any leader;
// renewed is the time up to the answer, without a freeze, for one that renews after it has taken the lock back.
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

// period is how long a leader's work goes on at most, without a release, after a write of its own that another's write follows; and,
// if it takes the lock back, until it does so.
func (m *model) period() time.Duration {
	update, _ := m.calls()
	late := min(update*m.trip, m.slow(m.c.RenewDeadline))
	if update == 1 {
		late = min(m.direct, m.slow(m.c.RenewDeadline))
	}
	return late + m.slow(m.c.RetryPeriod+m.c.RenewDeadline) + m.e.MaxPause
}

// counted notes that an overlap may be longer than computed, but has at most so many turns beside the first and a last part of length ends. It notes
// no upper bound where there are too many turns to compute one.
func (m *model) counted(r *Result, turns, ends time.Duration) {
	r.AtLeast = true
	if turns < 100*(MaxDuration/max(m.period(), 1)) {
		m.within(r, (turns+1)*m.period()+ends)
	}
}
