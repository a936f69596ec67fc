package bound

import "time"

// takenBack sets r.AtLeast or r.Unbounded where a leader can take the lock back from its successor in the middle of a poll, and
// stores an upper bound in m.upTo where one is known. For that the leader must read the successor's record so early that a lease
// fits into the rest of its poll. over is the overlap if nobody takes the lock back, without pauses and drain. It changes nothing
// if m.sumOnly is true.
func (m *model) takenBack(r *Result, over time.Duration) {
	if m.sumOnly || m.c.RenewDeadline <= m.lease() {
		return
	}
	if m.lease() <= m.c.RetryPeriod {
		r.endless(TakingTurns)
		return
	}
	if m.countsApart() {
		r.AtLeast = true
		return
	}
	t, can := m.taking()
	if !can {
		return
	}
	left := m.slow(m.c.RenewDeadline) + m.e.MaxPause - m.fast(m.lease())
	if begun, _ := m.lasting(); over+m.e.MaxPause <= 0 || begun < 2*m.takeover() {
		return // nobody loses the lock so early
	}
	r.AtLeast = true
	if n, known := m.turns(m.takeover(), left); known {
		m.counted(r, n, m.e.Drain)
	} else if m.slowTurns() || m.takesBack() {
		r.endless(TakingTurns)
	} else if n, known := m.inZones(t); known {
		m.counted(r, n, m.e.Drain)
	} else if m.renewsLittle(t) {
		m.counted(r, 6, m.e.Drain)
	} else if m.takesBackSlowly() || m.takesBackByGets() || m.mixedBacks() != nil {
		r.endless(TakingTurns)
	}
}

// attemptsTwice tells whether a poll has time for at most two attempts, and the second of them begins before a lease that the
// first one has read can run out. The second attempt begins a RetryPeriod after the first or as that one ends, or later by as
// long as the process is frozen.
func (m *model) attemptsTwice() bool {
	late := m.c.RetryPeriod + m.most(m.e.MaxPause)
	return 2*m.c.RetryPeriod >= m.c.RenewDeadline && late < m.lease()
}

// attemptsEarly tells whether every lease that an attempt of a poll reads still lasts when the last attempt of that poll begins.
// This is so if no attempt outlasts a tick and the last tick comes early enough, even after a freeze.
func (m *model) attemptsEarly() bool {
	return m.longestFailing() < m.c.RetryPeriod && m.lastTick()+m.most(m.e.MaxPause) < m.lease()
}

// slowTurns tells whether it finds a plan in which two leaders take the lock from each other for ever: each leader renews once,
// and that renewal is so slow that the other's lease runs out before its next poll ends. false means only that it finds none.
func (m *model) slowTurns() bool {
	lease, period, deadline := m.lease(), m.c.RetryPeriod, m.c.RenewDeadline
	answer := min(m.trip, deadline) // none is lost
	late := min(m.direct+2*answer, deadline)
	soonest := max(lease, 2*lease-late)
	tick := (soonest/period + 1) * period
	last := tick - 2*period // an attempt that outlasts a tick is followed by the next at once
	switch {
	case soonest >= deadline:
		return false
	case last > soonest-lease && soonest-last < answer:
		return soonest-lease < 2*answer // the first attempt reads what the other one renews
	}
	return late >= lease && tick < deadline
}

// gather looks whether more and more leaders can work at once that have lost the lock and have not noticed. It sets r.Unbounded
// where this is known to be possible, and r.AtLeast where it is neither known nor excluded. It also sets r.AtLeast where only a
// longer overlap is possible, and then r.Slack too. Otherwise it changes nothing. Leaders gather if a leader is still about to
// read the record for its release when another candidate takes over from the last of them. It can also set m.upTo. hang is how long a
// release waits for an answer, in true time.
func (m *model) gather(r *Result, hang time.Duration) {
	whole := m.slow(m.c.RenewDeadline)
	work := m.direct + m.slow(m.c.RetryPeriod+m.c.RenewDeadline) + m.asleep() + m.e.MaxPause
	released := work + m.returning()
	shown, possible := m.gathers(released)
	possible = possible || m.closingsOutlive(released)
	switch {
	case m.e.HiddenConflicts && m.readsAgain():
		r.endless(Conflicting)
	case m.clientGathers(), shown && m.gathersCalm(released):
		r.endless(Gathering)
	case shown || possible:
		r.AtLeast = true // no plan is known, and no proof that there is none
		if n, known := m.outliving(work); known {
			most := (n+1)*work + m.e.Drain
			if !m.c.ReleasesLater() { // whose work is over when its release begins
				most += whole + m.asleep()
			}
			m.within(r, most)
		}
	case m.c.ReleasesLater(): // who has released works no longer
	default:
		// One more lives on. It takes the lock back at the end of its work if its successor releases by then, whose work goes on
		// for as long as that release is not answered; each of the two may have been frozen.
		longest := m.e.MaxPause + hang
		if m.answered > 0 && m.readsAgain() {
			longest = max(longest, whole+m.asleep())
		}
		if longest > r.Plan.Release {
			r.AtLeast, r.Slack = true, longest-r.Plan.Release
		}
	}
}

// gathers tells what outlived tells. A release can also read the record after a lease since a conflict with a takeover has it read again: a
// plan can show that, unless it takes waits for tokens.
func (m *model) gathers(work time.Duration) (shown, possible bool) {
	shown, possible = m.outlived(work)
	reads := work+m.releaseReads() > m.takeover()
	return shown || reads, possible || reads
}

// gathersCalm tells whether a plan can show that a release reads the record after a lease without waits for tokens, and without an answer that
// has it sent again.
func (m *model) gathersCalm(work time.Duration) bool {
	calm := m
	if m.c.Client != nil {
		calm = newModel(m.calm())
	}
	shown, _ := calm.gathers(work)
	return shown || calm.clientGathers()
}

// outlived tells whether a release can last until its successor's lease runs out. That lease counts from the first of the
// successor's writes that look the same, and the release begins with a conflict with the last of them. The two writes belong to
// two attempts, since the second write of one attempt changes nothing. shown is true if a plan can show it; possible is true if
// it is not excluded. work is how long the releasing leader works, in true time. Both results are false if none of the lock's
// objects is a Lease: an annotation has times in whole seconds, so that another attempt's write within the same second changes
// nothing either.
func (m *model) outlived(work time.Duration) (shown, possible bool) {
	if !m.c.onLease() || !m.readsAgain() {
		return false, false
	}
	second, period := m.slow(time.Second), m.fast(m.c.RetryPeriod)
	attempt := m.longestAttempt()
	inPoll := min(m.longestOf(m.lossy()), m.slow(m.c.RenewDeadline)) // it must succeed, or its leader is gone by then
	begun := min(second, m.direct+m.e.MaxPause)
	if m.c.RetryPeriod < time.Second {
		begun = second
	}
	shown = m.outlives(work, begun+inPoll, 0)
	switch {
	case m.e.Reruns, 2*m.c.RetryPeriod < time.Second:
		possible = m.outlives(work, second+attempt, 0)
	case m.c.RetryPeriod < time.Second: // two attempts to acquire in a second: the latter begins with a write only if its name was read before
		possible = m.outlives(work, second+2*m.answered, 0) || m.outlives(work, second+attempt, period)
	default: // it may have read its own name in an attempt to acquire, or leave a tick
		possible = m.outlives(work, min(second, attempt+m.e.MaxPause)+inPoll, 2*period) ||
			m.outlasts(m.longestFailing()) && m.outlives(work, second+inPoll, period)
	}
	return shown, shown || possible
}

// outlives tells whether a release can last longer than its successor's lease. work is how long the releasing leader works. alike
// is the time from the first to the last of the successor's writes that look the same. after is the time from the releasing
// leader's last write to the first of those writes. All three are in true time.
func (m *model) outlives(work, alike, after time.Duration) bool {
	whole := m.slow(m.c.RenewDeadline)
	latest := alike + m.e.MaxPause
	if m.lost() > 3*m.answered { // no write comes between: it begins to release two answers before, or later
		latest = min(latest, work-after+2*m.answered)
	}
	return latest+min(4*m.answered+m.e.MaxPause, whole) > m.takeover() && work-after+whole > m.takeover()
}

// blankedBack sets r.AtLeast for a leader of v0.24, which can take back the lock that its successor has released. It stores an
// upper bound of the overlap in m.upTo where one is known, and sets r.Unbounded instead if it finds a plan without end. It
// changes nothing if m.sumOnly is true.
//
// A leader of v0.24 releases no record but its own. So other candidates take the lock from a leader that works on only when its
// lease has run out. A successor that has released works on until its release has ended, and for as long as it is frozen.
func (m *model) blankedBack(r *Result) {
	if m.sumOnly {
		return
	}
	if r.AtLeast = true; m.countsApart() {
		return
	}
	lease, poll := m.takeover(), m.slow(m.c.RenewDeadline)+m.e.MaxPause
	n, known := m.turns(lease, poll)
	switch {
	case known:
	case m.c.RetryPeriod < time.Second:
		n, known = m.rotating()
	default:
		n, known = m.turnsFromSecond(lease, poll)
	}
	switch {
	case known:
	case m.takesBlanks():
		r.endless(TakingTurns)
		return
	default:
		if n, known = m.toldInPoll(); !known {
			n, known = m.inBlankZones()
		}
		if !known {
			return
		}
	}
	release := m.gaveUp
	if m.c.onTwoObjects() {
		// Who leads since it made the second object may have lost the first before.
		n = max(n, 2)
		release += (pairUpdate - 1) * m.trip
	}
	m.counted(r, n, release+m.e.MaxPause+m.e.Drain)
}
