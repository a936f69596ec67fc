package bound

import "time"

// drifting returns how often, at most, two leaders take the lock from each other where RetryPeriod is below a second. It returns
// 0 and false for one of a second or more, and where no limit is known. lease is the shortest true time that a lease takes.
//
// Writes of a leader within one second of its clock look the same. So the latest time of its next turn counts from the beginning
// of that second, and the soonest counts from the first of those writes. If the two are less than a whole number of seconds
// apart, each turn begins later in its second than the one before. A leader that renews in a later second begins its turn earlier
// in that second. But what it gains so costs the other leader as much as it waits for that second. All other times are on a leader's
// clock. docs/method/derivation.md, "Phases", has the sums.
func (m *model) drifting(lease time.Duration) (n time.Duration, known bool) {
	const second = time.Second
	if m.c.RetryPeriod >= second {
		return 0, false
	}
	soonest, latest := m.soonest(lease, 0), m.latest()
	whole := (soonest + second - 1).Truncate(second)
	room := latest - (whole - second) // how late in its second a turn can begin
	if latest > whole {
		return 0, false
	}
	each := soonest - (whole - second)
	if room <= each {
		return 6, true
	}
	waits := m.untilSecond(second - room)
	each = min(each, m.soonest(lease, m.fast(waits))-(whole-second)+waits-second)
	if each <= 0 {
		return 0, false
	}
	return 6 + 2*room/each, true
}

// onTicks tells whether all attempts of a poll begin at ticks. They can be late only by a freeze and, with a profile that drops
// ticks, by how long the first attempt takes.
func (m *model) onTicks() bool { return !m.outlasts(m.longestFailing()) }

// soonest returns the shortest time, on a leader's clock, from the first of its writes that look the same to its next turn. The
// lease of each leader runs out in between; the parameter lease is the shortest true time that a lease takes, and later is how long after it has taken the lock
// the other leader begins the second of its last renewals, in true time. A leader that sees
// this itself, in a poll, begins attempts only at ticks, so that it can have to wait for longer than a lease.
func (m *model) soonest(lease, later time.Duration) time.Duration {
	if m.c.ReleaseOnCancel {
		return m.onGrid(m.least(2*lease + later))
	}
	own := m.lease()
	period, pause, reads := m.c.RetryPeriod, m.most(m.e.MaxPause), m.most(2*m.answered)
	if m.lossy() {
		reads = m.longestFailing()
	}
	if ticks := own / period * period; m.onTicks() && own-ticks > pause {
		own = max(own, ticks+period-reads-pause) // it may read late in one attempt
	}
	return m.onGrid(own + m.least(lease+later))
}

// onGrid returns the shortest time, of the duration least or longer, between two attempts of a leader: one in the last second in
// which it has renewed, and the one that takes the lock back. Where attempts begin at ticks, this time is a whole number of
// RetryPeriods, and longer by what attempts and freezes take; otherwise it is least itself. All times are on the leader's clock.
func (m *model) onGrid(least time.Duration) time.Duration {
	if !m.onTicks() {
		return least
	}
	period, each := m.c.RetryPeriod, m.shifts()
	periods := least / period
	if least <= periods*period+(time.Second/period+2)*each {
		return least
	}
	return max(least, (periods+1)*period-each)
}

// shifts returns by how much, at most and on the leader's clock, one success and its poll move the attempts that follow: these
// begin a whole number of RetryPeriods after earlier ones, and up to that much later. It holds only where onTicks is true.
func (m *model) shifts() time.Duration {
	each := min(m.most(m.longestOf(m.lossy())), m.c.RenewDeadline) + m.most(m.e.MaxPause)
	if m.c.Profile.DropsTicks() {
		each += m.longestFailing() // from the end of the first attempt of a poll on
	}
	return each
}

// latest returns the longest time, on a leader's clock, from the beginning of a second to the next turn of the leader, if its
// last renewal, or its taking of the lock, lies in that second.
func (m *model) latest() time.Duration {
	attempt := min(m.most(m.longestOf(m.lossy())), m.c.RenewDeadline)
	return time.Second + attempt + m.c.RetryPeriod + m.lastTurn() + m.most(m.e.MaxPause)
}

// lastTurn returns how long after the beginning of a poll a leader can take the lock back in that poll, at most and without a
// freeze, on its clock. It counts up to the beginning of the attempt or, where the leader takes a blank, up to when the attempt
// reads the blank.
func (m *model) lastTurn() time.Duration {
	deadline, period := m.c.RenewDeadline, m.c.RetryPeriod
	if !m.onTicks() {
		return deadline
	}
	begins := (deadline - 1) / period * period
	if m.c.Profile.DropsTicks() { // later by its first attempt
		update, both := m.calls()
		begins = min(begins+m.longestFailing()+m.most((both-update)*m.trip), deadline)
	}
	return begins
}

// untilSecond returns the shortest time from when a leader takes the lock to its first write in a later second. That second
// begins the duration least, or more, after the lock was taken; a least below 0 counts as 0. Where attempts begin at ticks, this
// time is a whole number of RetryPeriods, and longer by what attempts and freezes take; a freeze over a tick makes it shorter.
// Otherwise it is least. All times are on the leader's clock.
func (m *model) untilSecond(least time.Duration) time.Duration {
	least = max(0, least)
	if !m.onTicks() {
		return least
	}
	period, each := m.c.RetryPeriod, m.shifts()
	periods := least / period
	if periods > 0 && least <= periods*period+(periods+1)*each {
		return least
	}
	return max(least, (periods+1)*period-m.most(m.e.MaxPause))
}
