package bound

import "time"

// turns returns how often, at most, two leaders that work at once take the lock from each other after both have had it. It
// returns false where no limit is known. Between two such writes of one leader the lease of each leader runs out once; a lease
// takes at least lease, in true time. left is how much of a leader's poll remains, at most, as it takes the lock back.
//
// A leader that takes the lock back, and does not renew before it loses the lock again, has gained a RetryPeriod and a poll,
// while two leases have passed: each time less time remains for it. A leader that renews begins anew; but its renewal looks new,
// and costs the other leader another RetryPeriod. A leader whose work is over before the lease of its successor has run out does
// not take the lock back. docs/method/derivation.md, "Taking turns", has the sums.
func (m *model) turns(lease, left time.Duration) (n time.Duration, known bool) {
	pause := m.e.MaxPause
	begun, renewed := m.lasting()
	spare, after := m.spare(lease) // after another turn without a renewal, and after one with it
	loses := spare - (pause+1)/2   // a freeze counts for every second success
	apart := m.fast(m.c.RetryPeriod)
	if m.c.RetryPeriod < time.Second {
		apart = 0 // a renewal can look like what took the lock back
	}
	if begun < 2*lease {
		return 0, true
	}
	if loses <= 0 {
		return m.onTime(lease, renewed, apart)
	}
	n = 2 * ((left + pause) / loses)
	next := renewed + pause - after // what a renewal gains; one more turn costs spare, and may be frozen too
	later := max(next, next+pause-spare)
	if m.c.Profile.DropsTicks() { // two in one poll look the same, of which neither is its first attempt
		longer := m.wokenLate()
		next, later = next+longer, max(later, later+longer-apart)
	}
	switch {
	case next < 0:
		return 2 + n, true
	case later < apart, m.worksOn() < lease, m.takesOnce(lease):
		return 4 + n, true
	}
	if more, known := m.drifting(lease); known {
		return more + n, true
	}
	return m.onTime(lease, renewed, apart)
}

// spare returns two times, in true time and without a freeze. The result each is how much less of its poll remains for a leader
// each time that it takes the lock back again without a renewal meanwhile. The result renewed is for a leader that has renewed
// meanwhile: the answer to that renewal must be as late as this, or a freeze as long, for it to take the lock back again. lease
// is the shortest true time that a lease takes. A leader waits for a RetryPeriod and, where it takes a lease and no blank, for
// that lease on its own clock, which is then as fast as it can be, but slow before.
func (m *model) spare(lease time.Duration) (each, renewed time.Duration) {
	if !m.c.ReleaseOnCancel {
		each = lease - m.slow(m.c.RetryPeriod+m.c.RenewDeadline-m.lease())
		return each, each
	}
	// It takes blanks, whenever they come.
	update, both := m.calls()
	answer := m.least(m.answered) + 1
	fails := []interval{{0, both * answer}}
	if m.lossy() {
		fails = append(fails, interval{m.timeout, m.timeout + (both-1)*answer})
	}
	latest := m.lastAttempt(fails)
	from := 2*lease - m.slow(m.c.RetryPeriod)
	return from - m.slow(min(latest+both*answer, m.c.RenewDeadline)), from - m.slow(min(latest+(both-update)*answer, m.c.RenewDeadline))
}

// onTime returns how often, at most, two leaders take the lock from each other, as turns counts it, where every attempt of a poll
// begins at a tick, or later by as long as the process is frozen. With ReleaseOnCancel it returns what takesAlone returns. It returns false in all
// other cases, and where no limit is known. A leader takes the lock back only if the answer to its last success and its freezes last long enough
// together. Few turns are possible if this is too much for two turns in a row without a renewal, and too much for any turn after
// a renewal of the other leader. lease is the shortest time that a lease takes. renewed is the second result of lasting. apart is
// how much later the other leader's turn comes after a renewal. All are true times.
func (m *model) onTime(lease, renewed, apart time.Duration) (n time.Duration, known bool) {
	period, fails := m.c.RetryPeriod, m.longestFailing()
	last, left, pause := m.lastTick(), m.c.RenewDeadline, m.e.MaxPause
	if m.c.ReleaseOnCancel {
		return m.takesAlone(lease, renewed)
	}
	if fails >= period {
		return 0, false
	}
	left -= m.lease()
	needs := lease + m.fast(max(0, m.lease()-last-period)) - m.slow(max(0, last+period-m.lease())) // before the other one's turn
	pause = m.slow(m.most(pause) + 1)                                                              // its clock may be fast meanwhile, and slow before
	answer := min(renewed, m.slow(left))
	if last-period+m.most(m.e.MaxPause) < m.lease() {
		answer = min(answer, m.longestOf(m.lossy())) // no other attempt of the poll can take the lock
	}
	switch {
	case 2*(needs-answer) <= pause:
		return 0, false
	case renewed+pause < needs+apart:
		return 6, true
	}
	n, known = m.drifting(lease)
	return 2*n + 2, known // one without a renewal between two others
}

// takesAlone returns how often, at most, two leaders take blanks from each other, as turns counts it, where RetryPeriod is a second or more
// and no turn is long enough for a leader to have two successes in it. Its one success then looks new, and two turns of a leader share MaxPause.
// It returns false where no limit is known. lease is the shortest true time that a lease takes, and answer the longest one from the first of a
// leader's writes that look like its last one to its last answer.
func (m *model) takesAlone(lease, answer time.Duration) (n time.Duration, known bool) {
	_, needs := m.spare(lease) // the late answer and the freezes of a turn must last for that together
	renewed := answer + m.wokenLate()
	spare := 2*(needs-answer) - m.e.MaxPause
	if m.c.RetryPeriod < time.Second || spare <= 0 || renewed+m.e.MaxPause >= needs+m.fast(m.c.RetryPeriod) {
		return 0, false
	}
	return 6 + 2*(3*m.e.MaxPause/spare), true
}

// wokenLate returns by how much later a leader has its last answer, at most and in true time, because two successes of a poll look the same after a
// freeze over a tick: the second one begins within a second, and its Get comes before its last write. It returns 0 where the process is not frozen
// for so long, or a poll has no time for a second tick. It is for a profile that drops ticks.
func (m *model) wokenLate() time.Duration {
	if !m.oversleeps() || m.lastTick() <= m.c.RetryPeriod {
		return 0
	}
	update, both := m.calls()
	return m.slow(time.Second) + (both-update)*m.trip
}

// lastTick returns the last tick of a poll at which an attempt can begin, counted from the start of the poll.
func (m *model) lastTick() time.Duration {
	return (m.c.RenewDeadline - 1) / m.c.RetryPeriod * m.c.RetryPeriod
}

// takesOnce tells whether a leader that has taken the lock back surely never takes it back again, because its next poll is over
// before the leases of both leaders have run out. lease is the shortest true time that a lease takes. It counts with attempts
// that begin at ticks, or later only by the time that answers take. With a profile that drops ticks, a lost answer moves the
// ticks of its poll by the timeout. It returns false where freezes are possible, and where attempts do not keep to ticks.
func (m *model) takesOnce(lease time.Duration) bool {
	drops := m.c.Profile.DropsTicks()
	if m.e.MaxPause > 0 || !drops && (m.lossy() || m.outlasts(m.longestFailing())) {
		return false
	}
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	attempt := min(m.longestOf(false), m.slow(m.c.RenewDeadline))
	trips := m.most(attempt)
	begins := deadline / period * period // the last attempt of a poll
	if m.lossy() {
		begins = max(begins, m.timeout+(deadline-m.timeout)/period*period)
	}
	begins = min(begins+trips, deadline)
	next := m.slow(period+begins) + attempt // from an answer
	return m.slow(m.alike(trips))+attempt+next < 2*lease || m.told()+next < lease
}

// alike returns how long after a write the last attempt of the same leader in the same second begins, at most, on its clock
// and without a freeze; a second at most. trips is how long the answers of an attempt take. A lost answer adds the timeout,
// once in a poll. That poll then has one tick more, and a RetryPeriod comes before it unless the write is in its first
// attempt.
func (m *model) alike(trips time.Duration) time.Duration {
	period, lost := m.c.RetryPeriod, time.Duration(0)
	if trips >= time.Second || m.lossy() && period < time.Millisecond {
		return time.Second
	}
	longest := time.Duration(0)
	for {
		rest := time.Second - 1 - lost*m.timeout
		if rest < 0 || rest/period < 2*lost-1 {
			return min(longest, time.Second)
		}
		steps := rest / period
		longest = max(longest, lost*m.timeout+steps*period+2*(steps+lost)*trips)
		if !m.lossy() {
			return min(longest, time.Second)
		}
		lost++
	}
}

// lasting returns two times, at most and in true time, that both count from the first of a leader's writes that look like its
// last one. begun is how long any leader's work goes on. renewed counts only up to the leader's last answer, without a freeze,
// for a leader that renews after it has taken the lock back.
func (m *model) lasting() (begun, renewed time.Duration) {
	period, deadline := m.slow(m.c.RetryPeriod), m.slow(m.c.RenewDeadline)+m.e.MaxPause
	attempt, second := m.longestAttempt(), m.slow(time.Second)
	polled := min(m.longestOf(m.lossy()), m.slow(m.c.RenewDeadline))
	begun = max(second+polled+period, second+attempt) + m.e.MaxPause + deadline
	written := polled // from its first write on
	switch {
	case m.fromSecond:
		written = m.direct
	case m.c.onTwoObjects():
	case m.c.Profile.ReadsFirst(): // it writes once
		written = m.told()
	case m.lossy():
		written = m.fromFirst(m.lost(), m.sent, m.sent)
	default:
		written = m.fromFirst(m.marked, m.sent, m.sent)
	}
	written = min(written, polled, m.slow(m.c.RenewDeadline))
	if m.c.RetryPeriod < time.Second {
		return begun, second + polled
	}
	if x, joins := m.joins(); joins && !m.c.Profile.DropsTicks() { // an attempt before, in the same poll
		written = max(written, min(second+polled, m.slow(m.c.RenewDeadline-x)))
	}
	return begun, written
}

// turnsFromSecond returns what turns returns, with leases that count from writes on the second object; 0 and false unless
// countsFromSecond.
func (m *model) turnsFromSecond(lease, poll time.Duration) (n time.Duration, known bool) {
	if !m.countsFromSecond() {
		return 0, false
	}
	second := *m
	second.fromSecond = true
	return second.turns(lease, poll)
}

// countsFromSecond tells whether, on two objects, each lease surely counts from a renewal's write on the second one. This is so for a
// profile that reads first, whose leaders take blanks alone, if nobody can take the lock between the two writes of an attempt, and if
// no two attempts of a leader that has taken the lock back look the same. It always returns false for other profiles.
func (m *model) countsFromSecond() bool {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline
	reads, pause := (pairUpdate-1)*m.trip, m.e.MaxPause // an answer can be handled first as the process wakes
	between := min(min(reads+pause, m.slow(deadline))+m.trip, min(reads+m.direct, m.slow(deadline))+pause)
	alike := period < time.Second || m.e.Reruns || m.oversleeps() && 2*period < deadline
	return m.c.onTwoObjects() && m.c.Profile.ReadsFirst() && between < m.takeover() && !alike
}

// told returns the longest true time from the sending of a leader's last write until the write is acknowledged; on two objects
// that write is one Update of the lock, with all its requests.
func (m *model) told() time.Duration {
	if update, _ := m.calls(); update > 1 {
		return update * m.trip
	}
	return m.direct
}

// worksOn returns how long a leader works on, at most and in true time, after the write of another leader from which that
// leader's lease counts. It covers a last success that is a renewal and one that is the acquiring.
//
// On two objects, that write is the one on the second object, since a candidate that looks at both has then seen a change. There
// a profile that reads first hears of its last success one answer later. The reason: its own write on the second object comes
// before the other's, or is the change that is seen last. Or else the other leader renews meanwhile and writes over it. That
// takes a RetryPeriod and, for writes that look the same, the same second.
func (m *model) worksOn() time.Duration {
	told, late := m.told(), m.direct+(pairUpdate-1)*m.trip+m.e.MaxPause
	apart := late < m.fast(m.c.RetryPeriod) || m.c.RetryPeriod >= time.Second && !m.oversleeps()
	if m.c.onTwoObjects() && m.c.Profile.ReadsFirst() && apart {
		told = m.direct
	}
	deadline := m.slow(m.c.RenewDeadline)
	return max(min(told, deadline)+m.slow(m.c.RetryPeriod+m.c.RenewDeadline), told+deadline) + m.e.MaxPause
}

// period returns the longest true time for which a leader without a release works on after a write of its own, if the next write
// is another candidate's. It is also the longest time until the leader takes the lock back.
func (m *model) period() time.Duration {
	return min(m.told(), m.slow(m.c.RenewDeadline)) + m.slow(m.c.RetryPeriod+m.c.RenewDeadline) + m.e.MaxPause
}

// counted sets r.AtLeast, and stores in m.upTo an upper bound of the overlap: this many turns after the first turn, each of the
// longest length, and a last part of length ends. turns is a plain count, ends is in true time. If turns is too large to compute
// with, it stores no bound.
func (m *model) counted(r *Result, turns, ends time.Duration) {
	r.AtLeast = true
	if turns < 100*(MaxDuration/max(m.period(), 1)) {
		m.within(r, (turns+1)*m.period()+ends)
	}
}
