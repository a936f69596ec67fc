package bound

import "time"

// takesBack tells whether it finds a plan in which two leaders take the lock from each other for ever, and which the simulated
// world can play. false means only that it finds none. In each plan a leader renews some times after it has taken the lock. In
// its next poll it reads the other's record as soon as that is written, and takes the lock when that lease is over. takesBack
// tries two sorts of plans: in the first all clocks run as fast as they can, so that answers take long on them. In the second no
// clock drifts, the reading takes no time, and the lock is taken at the instant at which the lease is over.
func (m *model) takesBack() bool {
	calm := *m.e
	calm.MaxDriftPPM = 0
	return m.takesBackAfter(m.lease()+1) || newModel(m.c, &calm).takesBackAfter(m.lease())
}

// takesBackAfter tells whether it finds a plan as in takesBack in which a leader takes the lock at least wait after the tick at
// which it has read the other's record. wait is on a leader's clock.
func (m *model) takesBackAfter(wait time.Duration) bool {
	lease, period := m.lease(), m.c.RetryPeriod
	if m.canTurn(back{turn: 2 * lease, wait: wait}) {
		return true
	}
	if period >= time.Second { // one renewal, which looks new, and may lose an answer
		once := back{turn: 2 * (lease + period), wait: wait, late: 1, renewals: 1}
		if m.canTurn(once) {
			return true
		}
		ticks := (m.c.RenewDeadline - 1) / period
		over := max(0, wait-ticks*period)
		for _, frozen := range []time.Duration{0, max(over, m.most(m.e.MaxPause))} {
			lost := once
			lost.turn = (ticks+2)*period + frozen + m.timeout
			if m.lossy() && lost.turn > once.turn && m.canTurn(lost) {
				return true
			}
		}
		return false
	}
	for turn := 2 * lease; turn <= 2*lease+2*time.Second; turn += time.Second {
		most := (turn/2 - lease) / period
		for late := range min(most, 64) + 1 {
			for renewals := max(late, 1); renewals < late+64 && (renewals-late)*period < time.Second; renewals++ {
				if m.canTurn(back{turn, wait, late, renewals}) {
					return true
				}
			}
		}
	}
	return false
}

// back describes a turn of a leader that takes a lease back in each poll. turn is how long the turn lasts. renewals is how many
// renewals the leader makes in it, and late is how many of those look new; both are plain counts. The last renewal that looks new
// begins a second, and the renewals after it lie in the same second and look the same. wait is the shortest time from the tick at
// which the leader reads the record until it takes the lock back.
type back struct{ turn, wait, late, renewals time.Duration }

// canTurn tells whether a leader can go on with turns like b for ever. Each renewal, one wait and each tick of the last poll take
// a RetryPeriod each. What remains of a turn must be filled by a freeze and by the time that answers to writes take. All times
// are on a leader's clock.
func (m *model) canTurn(b back) bool {
	lease, period, deadline := m.lease(), m.c.RetryPeriod, m.c.RenewDeadline-1
	answer := min(m.most(m.answered), deadline)
	ticks := min(deadline/period, b.turn/period-1-b.renewals)
	over := max(0, b.wait-ticks*period) // it is frozen over the last tick
	waits := min(ticks, lease/period+1)
	takes := ticks*period + over
	if ticks < 0 || takes > deadline {
		return false
	}
	pause := m.most(m.e.MaxPause) - over
	if b.renewals == 0 { // a freeze counts for two turns
		pause = m.most(m.e.MaxPause)/2 - over
	}
	rest := b.turn - (b.renewals+1)*period - takes
	if pause < 0 || rest < 0 {
		return false
	}
	early := m.early(b, answer, takes, rest-min(rest, pause))
	if early < 0 {
		return false
	}
	reads := max(0, waits*period+over+b.late*period+early-b.turn/2) // from the beginning of the attempt that does so
	longest := 2 * answer
	if (ticks-waits+1)*period+min(rest, pause) >= lease || m.c.Lock.Forgets() && ticks > waits {
		// It begins no more with an update.
		longest = answer
		if reads > longest && waits == ticks {
			return false // it would have to be frozen between the beginning of its ticker and its first attempt
		}
	}
	if pause -= max(0, reads-longest); pause < 0 {
		return false
	}
	return m.early(b, answer, takes, rest-min(rest, pause)) == early
}

// early returns how much of rest, at least, is spent before the last write of turn b that looks new: on answers to the renewals
// before it, and to the write that has taken the lock. It is 0 if that write is itself the last that looks new (b.late is 0). rest
// is what all answers of the turn take together. early returns -1 if they cannot take just so long, so that the turn is impossible.
// answer is the longest time for one answer. takes is how long the poll has lasted when the leader takes the lock back. All times
// are on a leader's clock.
func (m *model) early(b back, answer, takes, rest time.Duration) time.Duration {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	attempt, direct := min(3*answer, deadline), min(answer, m.most(m.direct))
	taken := min(direct, deadline-takes) // of what has taken the lock, in the same poll
	before, between, last := taken+(b.late-1)*attempt, (b.renewals-b.late)*attempt, attempt
	if b.late == 0 {
		before, between = 0, taken+max(0, b.renewals-1)*attempt
	}
	if b.renewals == 0 {
		last = 0
	}
	told := b.renewals*period + rest
	if f := m.timeout; b.renewals > 0 && m.lossy() && rest > between+last && rest >= f {
		last = min(f+2*answer, deadline)
	}
	early := max(0, rest-last-min(between, time.Second-1-(b.renewals-b.late)*period))
	if early > min(before, b.turn/2-m.lease()-b.late*period) || told >= b.turn/2+direct {
		return -1
	}
	return early
}

// takesBackSlowly tells whether it finds a plan as in takesBack in which each leader's clock is slow until its next poll begins, in
// which it reads the other's record at once, and as fast as it can be from then on. It renews some times before that poll, and
// these renewals look like what has taken the lock; or it does not renew. false means only that it finds none.
func (m *model) takesBackSlowly() bool {
	lease, period, deadline := m.lease(), m.c.RetryPeriod, m.c.RenewDeadline-1
	ticks := min(deadline/period, lease/period+1)
	over := max(0, lease+1-ticks*period) // it is frozen over the last tick
	takes := ticks*period + over
	if m.e.MaxDriftPPM == 0 || takes > deadline {
		return false
	}
	for n := time.Duration(0); n*period < time.Second; n++ {
		before, pause := (n+1)*period, m.e.MaxPause
		if n == 0 { // a freeze counts for two turns
			pause /= 2
		} else if rest := (before + takes) % time.Second; rest > 0 { // the answer to the last renewal makes a turn whole seconds
			before += time.Second - rest
		}
		if before-(n+1)*period <= m.least(m.answered) && before <= takes && m.slow(before) > m.fast(takes) && over <= m.most(pause) {
			return true
		}
	}
	return false
}

// takesBackByGets tells whether it finds a plan as in takesBack in which each request can take a RetryPeriod. The attempt that reads the
// other's record outlasts a tick, and each later one is a single Get of a RetryPeriod, so that the attempt that takes the lock need not
// begin at a tick. A turn lasts for two such waits, which are whole seconds together. No clock drifts. false means only that it finds
// none.
func (m *model) takesBackByGets() bool {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	answer := min(m.answered, deadline)
	waits := (m.lease() + period - 1) / period * period
	reads := min(2*answer, deadline-waits) // at the latest in its poll
	if period >= time.Second || answer < period || reads < period || 2*waits%time.Second > 0 || !m.followed() || m.c.Profile.ReadsFirst() {
		return false
	}
	last := min(3*answer, deadline)
	for n := time.Duration(1); n*period < time.Second; n++ {
		between := min((n-1)*last, time.Second-1-n*period)
		if rest := waits - (n+1)*period - reads; rest <= last+between && rest+reads >= period {
			return true // the answers to n renewals fill the rest
		}
	}
	return false
}
