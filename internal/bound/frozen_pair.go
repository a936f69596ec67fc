package bound

import "time"

// takenFrozen stores in m.upTo an upper bound of the overlap on two objects where a poll has two attempts at most, and the second of them can see a
// lease run out that the first one has read only if the process is frozen over the tick between them. It stores nothing if frozenTurns knows no
// limit. Each of two leaders takes the lock back at most once by a half-read record, and once more, after the other one has done so, by a record
// that comes back. Before, between and after those four turns there are as many turns as frozenTurns counts, and the first turn of each leader.
func (m *model) takenFrozen(r *Result) {
	if n, known := m.frozenTurns(); known {
		m.counted(r, 5*(n+2)-2, m.e.Drain)
	}
}

// frozenTurns returns how often, at most, two leaders on two objects take the lock back by leases that run out in their polls, where each time takes
// a freeze over a tick. It returns 0 and false where no limit is known.
//
// What is left of MaxPause is too little for a turn whose last writes do not begin with the one that has taken the lock. So that one and one
// renewal are in the same second, and a turn has about two RetryPeriods and a lease: each turn begins sooner in its second than the one before.
// docs/method/derivation.md, section 6, "Frozen over the tick", has the sums.
func (m *model) frozenTurns() (n time.Duration, known bool) {
	period, deadline, lease := m.c.RetryPeriod, m.c.RenewDeadline, m.lease()
	twice := 2*period >= max(deadline, lease, time.Second+m.most(m.e.MaxPause)+1) && m.longestFailing() < period
	if m.c.Client != nil || m.e.Reruns || period >= min(lease, time.Second) || deadline <= lease || !twice {
		return 0, false
	}
	over := m.fast(lease-period) - 1 // it is frozen for longer as it takes the lock
	left := m.e.MaxPause - over
	reads := m.slow(deadline-lease) - m.fast(deadline-lease)
	attempt := m.longestOf(m.lossy()) + 10              // timers are rounded
	alone := attempt + m.slow(period) + left + reads    // from its last write to the reading of the other's record, if no write before looks the same
	both := 2*attempt + m.slow(2*period) + left + reads // if one does
	if alone >= m.takeover() || both >= m.takeover()+m.fast(period) {
		return 0, false
	}
	turn := 2*(period+m.most(attempt)) + m.most(max(0, left)) + deadline
	whole := turn.Truncate(time.Second) + time.Second
	if 2*period+lease < whole-period {
		return 0, false
	}
	return 8 + 2*((time.Second-period)/(whole-turn)), true
}
