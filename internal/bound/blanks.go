package bound

import "time"

// takeBlanks tells whether two leaders of a profile that releases blindly can take the lock from each other for ever, by
// a plan that can be shown. Each of them loses the lock to a third candidate by a lease that has run out, and takes the
// blank that this one leaves. That plan loses no answers.
func (m *model) takeBlanks() bool {
	// All times are on a leader's clock at its slowest.
	const second = time.Second
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	apart, pause := m.least(2*m.takeover()), m.least(m.e.MaxPause)
	answer := min(m.least(m.answered), deadline)
	// The first attempt of a poll fails as late as its first answer comes, and so late another begins.
	begins := min(deadline/period*period+answer, deadline)
	switch {
	case period+begins+pause/2 > apart: // without a renewal: a freeze counts for two turns
		return true
	case period >= second: // one renewal, which is told late and looks new
		return min(m.least(m.direct), deadline)+begins+pause > apart
	}
	for parts := time.Duration(1); parts <= min(64, second/period); parts++ {
		part, least := second/parts, apart
		if parts > 1 {
			least += time.Microsecond // nothing is left of a turn that is no longer than two leases
		}
		for turn := (least + part - 1) / part * part; turn < apart+min(apart, 2*part); turn += part {
			if m.renewsAlike(turn, part, answer) {
				return true
			}
		}
	}
	return false
}

// renewsAlike tells whether a leader that takes a blank once in every turn can renew within a second, and take the next
// blank in its next poll. That is the second in which it has taken one, or which begins some RetryPeriods later: so much
// the other's turn comes later, too. A second has a whole number of parts, and so has a turn. So what is within one part in
// one turn is within one second in each. answer is how long one takes at most. All times are on the leader's clock.
func (m *model) renewsAlike(turn, part, answer time.Duration) bool {
	period := m.c.RetryPeriod
	late := (turn - m.least(2*m.takeover())) / 2 / period
	least := max(late, 1)
	for renewals := least; renewals < least+64 && (renewals-late)*period < part; renewals++ {
		ticks := min((m.c.RenewDeadline-1)/period, turn/period-1-renewals)
		for n := ticks; n >= max(1, ticks-1); n-- {
			if m.renewsSo(turn, part, answer, late, renewals, n) {
				return true
			}
		}
	}
	return false
}

// renewsSo tells whether a turn can be of so many renewals, and of a last poll with so many ticks. Each of them, and a
// wait, takes a RetryPeriod. The rest of the turn is a freeze, and the time that answers take. late is how many renewals
// begin before the second in which the last ones look the same.
func (m *model) renewsSo(turn, part, answer, late, renewals, ticks time.Duration) bool {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	_, both := m.calls()
	attempt := min(both*answer, deadline)
	rest := turn - (renewals+ticks+1)*period
	if rest <= 0 {
		return false
	}
	if pause := m.least(m.e.MaxPause); rest < pause { // a freeze is all that is needed
		rest = 0
	} else {
		rest = max(1, rest-pause)
	}
	fails := min(answer, rest, deadline-ticks*period)      // the first attempt of the last poll
	begins := renewals*period + max(0, rest-fails-attempt) // the last renewal
	told := renewals*period + rest - fails                 // whose write comes before the other one's turn
	fits := rest == 0 || rest < fails+(renewals-max(late, 1)+1)*attempt
	return fits && begins < part+late*period && told < turn/2+min(answer, m.least(m.direct))
}
