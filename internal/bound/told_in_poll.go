package bound

import "time"

// toldInPoll returns how often, at most, two leaders of a profile that releases blindly take the lock from each other where RetryPeriod
// is below a second and nobody is frozen. It returns 0 and false where no limit is known.
//
// What takes the lock is answered within its poll, if at all: the later it begins in that poll, the less time its answer has. So a
// turn takes no longer than a whole poll and what comes between two polls, but for the first one and the last one. Few turns are
// possible if that is less than two leases. docs/method/derivation.md, "Told in the poll", has the sums.
func (m *model) toldInPoll() (n time.Duration, known bool) {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline
	if period >= time.Second || m.e.MaxPause > 0 || m.lossy() && m.timeout+period <= deadline {
		return 0, false
	}
	update, both := m.calls()
	attempt, reads := m.most(both*m.trip)+2, m.most((both-update)*m.trip)+2
	alike := (time.Second - 1) / period                      // how many RetryPeriods follow a write in its second
	between := (alike+1)*period + alike*attempt              // from the answer to what takes the lock, to the poll that takes it again
	leases, later := m.least(2*m.takeover()), m.fast(period) // a write that looks new comes so much later
	loses := leases - between - deadline
	if loses <= 0 || attempt+between+deadline+2*reads >= leases+m.least(later) {
		return 0, false
	}
	return 10 + 2*((deadline+reads)/loses), true
}
