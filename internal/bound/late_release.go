package bound

import (
	"time"

	"interregnum/plan"
)

// This file is how late a release can read the record: docs/method/derivation.md, "Late releases of a client".

// freshCalls is how many calls a new candidate makes in a plan at once: a read, the write that takes the lock, and the one that renews it. So
// many tokens it must get in a RetryPeriod. freshBurst is how many its bucket must have, so that none of its calls waits, nor those of a leader
// that takes the lock back.
const (
	freshCalls = 3
	freshBurst = 5
)

// releaseReads returns the longest true time from the end of a leader's work to when its release reads the record, or reads it again after
// a conflict with a takeover. Waits in the client's limiter count, and closings do not.
func (m *model) releaseReads() time.Duration {
	reads := min(2*m.answered, m.slow(m.c.RenewDeadline))
	if !m.readsAgain() {
		return min(m.answered, m.slow(m.c.RenewDeadline))
	}
	if m.limited == 0 {
		return reads
	}
	return min(reads, m.inTurn(m.beforeRelease(), m.sent, m.sent))
}

// beforeRelease returns the candidate's own calls before its release, as inTurn needs them. The attempts of a poll begin after ticks that
// differ, and the last tick comes before the poll's deadline. So the last two calls of an attempt that outlasts that tick, and those of one more
// attempt, can all come as the release begins; what comes before these has come by that tick. If an attempt outlasts no tick, the
// last one begins at the last tick.
func (m *model) beforeRelease() []used {
	more := m.moreClosed()
	if m.e.MaxPause > 0 || m.e.Reruns || m.c.dropsTicks() {
		return m.takenBy(2*perAttempt + 2 + more)
	}
	if all := m.carried(0, 0); all != nil {
		return all
	}
	last := m.c.RenewDeadline - m.lastTick()
	return []used{{min(perAttempt+2+more, m.backlog()), 0}, {min(2*perAttempt+2+more, m.backlog()), last}}
}

// outliving returns how many leaders that have lost the lock can release it at most after the lease of their successor, one after the other,
// and so blank the record of the next one. It returns false where it knows no such number.
//
// It knows one if each of these releases has to wait for a token. From then on all that it calls waits: an answer comes before the next token.
// So what it reads before the record is blanked has as long to stay, from the read to the write, as a token takes longer than an answer. These
// times do not overlap, and all of them lie between the end of a lease and the last that a release can write.
func (m *model) outliving(work time.Duration) (n time.Duration, known bool) {
	c := m.c.Client
	if !c.Limits() || m.repeats() || m.e.Reruns || m.e.MaxPause > 0 || m.c.onTwoObjects() || m.releasesOn() {
		return 0, false
	}
	whole, lease := m.slow(m.c.RenewDeadline), m.takeover()
	token := m.fast(time.Duration(float64(time.Second) / rate(c)))
	apart := token - m.direct - 2 // a wait is rounded
	released := work + m.returning()
	if apart <= 0 || work > lease || m.closesRelease() || m.outlivesUnwaiting(released) {
		return 0, false
	}
	return (released + whole + m.asleep() + m.direct - lease) / apart, true
}

// outlivesUnwaiting tells whether it is not excluded that a release reads the record after a lease, although none of its calls waits for a
// token, while those of the holder may. work is as in closingsOutlive. The release reads and writes again, at once, after each conflict: with
// the holder's writes that look the same, and with the takeover. Of three attempts that follow each other the last one begins a RetryPeriod
// after the first one, or later, so that a second has only so many.
func (m *model) outlivesUnwaiting(work time.Duration) bool {
	both := 2 * m.direct
	switch {
	case !m.readsAgain():
		return work+m.direct > m.takeover()
	case work+both > m.takeover():
		return true
	case !m.c.onLease():
		return false
	}
	more := 1 + (time.Second-1)/m.c.RetryPeriod // attempts of the second, after the first one
	alike := m.slow(time.Second) + max(m.longestAttempt(), min(m.longestOf(m.lossy()), m.slow(m.c.RenewDeadline)))
	return min(max(work+(more+1)*both, (more+2)*both), alike+2*both) > m.takeover()
}

// clientGathers tells whether plans are known in which leaders gather because of their clients alone: each one's release reads the record
// only when a lease has run out. In these plans nobody is frozen, and no elector runs again.
func (m *model) clientGathers() bool {
	c := m.c.Client
	if c.Limits() && (c.Burst < freshBurst || rate(c)*m.c.RetryPeriod.Seconds() < freshCalls) {
		return false
	}
	work := m.direct + m.slow(m.c.RetryPeriod+m.c.RenewDeadline)
	return work+max(m.readsClosed(), m.readsWaiting(), m.readsAsked()) > m.takeover()
}

// closingsOutlive tells whether it is not excluded that a release reads the record after a lease because connections are closed: under its
// own reads, or in the holder's attempts, whose writes of one second then come later. work is how long the releasing leader works, in true
// time. It returns false without m.c.Closes.
func (m *model) closingsOutlive(work time.Duration) bool {
	if !m.c.Closes {
		return false
	}
	whole, reads := m.slow(m.c.RenewDeadline), m.releaseReads()
	if m.c.RepeatsReads() && m.releaseCloses() {
		reads = m.closedRead() + m.limited + m.answered
	}
	pinged := m.pingsBefore() && m.pingedLast()+m.answered > m.takeover()
	return work+whole > m.takeover() && (pinged || work+reads > m.takeover() || m.c.onLease() && m.conflictOutlives(work, max(reads, 2*m.answered)))
}

// conflictOutlives tells whether it is not excluded that a release meets a conflict with the holder's last write of a second, and reads the
// record after a lease because connections are closed. work is as in closingsOutlive. reads is how long a read and a write of a release take at
// most, if no ping was sent before the leader's last answer.
func (m *model) conflictOutlives(work, reads time.Duration) bool {
	whole, begun := m.slow(m.c.RenewDeadline), m.slow(time.Second)+m.e.MaxPause
	both := 2 * reads
	if m.c.RenewDeadline <= plan.LongestStall { // what reads it again has a new connection
		both = reads + 2*m.answered
	}
	outlives := func(latest, after time.Duration) bool {
		if m.lost() > 3*m.answered {
			latest = min(latest, work-after+reads)
		}
		return latest+min(both+m.e.MaxPause, whole) > m.takeover() && work-after+whole > m.takeover()
	}
	inPoll, closed := min(m.longestOf(m.lossy()), whole), m.attemptClosed(m.closedRead(), 0, false)
	if m.pingsBefore() && m.pingedLast()+4*m.answered > m.takeover() {
		return true
	}
	switch short := m.c.RetryPeriod < time.Second || m.e.Reruns; {
	case short && (m.pingsBefore() || m.pollCloses() || work+whole > m.fast(plan.LongestStall)):
		return outlives(begun+max(m.longestAttempt(), closed), 0)
	case m.pollCloses():
		return outlives(begun+min(max(inPoll, closed), whole), 0)
	case m.pingedPoll(): // or it begins two attempts in a second of the poll, and the connection is closed in the first one
		return outlives(m.pingedLast()+m.trip, 0) || outlives(begun+inPoll, m.fast(m.closesAfter(true)-time.Second))
	case m.closedRelease() == 0:
		return false
	case short:
		return outlives(begun+m.longestAttempt(), 0)
	}
	return outlives(begun+inPoll, 0)
}

// readsClosed returns how late a release can read the record in a plan in which its connection is closed under its Get, as a true time from
// its beginning. The leader's last answer comes before its last poll, and what is read later on the same connection puts the closing off. It
// returns 0 if there is no such plan.
func (m *model) readsClosed() time.Duration {
	f := m.ownTimeout()
	if !m.c.Closes || !m.c.RepeatsReads() || m.c.RetryPeriod+m.c.RenewDeadline+f <= plan.LongestStall+plan.RepeatAfter {
		return 0
	}
	return m.slow(f)
}

// readsWaiting returns how late a release can read the record in a plan in which its first Get waits in the limiter, as a true time from its
// beginning. All other traffic that can come at once comes just before, or a little sooner for a shorter wait. If answers take as long as a token
// needs, or longer, what follows the Get does not wait. If they take as long as one and a half, the release can conflict with the takeover
// then, read again, and write. readsWaiting returns 0 if there is no such plan.
func (m *model) readsWaiting() time.Duration {
	if !m.c.Client.Limits() {
		return 0
	}
	token := time.Duration(float64(time.Second) / rate(m.c.Client))
	more := m.e.MostAtOnce() + 1 - m.c.Client.Burst
	answer := m.least(m.direct)
	if more <= 0 || answer <= token || !m.fullBefore(2*token) {
		return 0
	}
	reads := m.slow(time.Duration(more)*token) + m.direct
	if 2*answer > 3*token && m.readsAgain() {
		reads += m.direct
	}
	return min(reads, m.slow(m.c.RenewDeadline))
}

// fullBefore tells whether nothing is missing in the bucket of a leader so long before the end of a poll in which all its requests are
// lost. Each of them takes a request timeout then, and the attempts follow each other at once, or begin at ticks.
func (m *model) fullBefore(end time.Duration) bool {
	f := m.timeout
	if f == 0 {
		return m.c.RenewDeadline >= end
	}
	last := (m.c.RenewDeadline - 1) / f * f
	if 2*f < m.c.RetryPeriod {
		if last = m.lastTick(); last+f < m.c.RenewDeadline {
			last += f
		}
	}
	return f >= end && m.c.RenewDeadline-last >= end
}

// readsAsked returns how late a release can read the record in a plan in which answers have the client send its requests again, as a true time
// from its beginning: each a second later, for as long as the call lasts. The release's Get is sent again so and, if a conflict has the release
// read again, its write before that, too. readsAsked returns 0 if there is no such plan.
func (m *model) readsAsked() time.Duration {
	if m.c.Client == nil || !m.repeats() || m.e.MaxRetryAfter < time.Second || m.c.Client.Limits() && rate(m.c.Client) < freshCalls {
		return 0
	}
	f := m.ownTimeout()
	reads := min(plan.MaxRetries, (f-1)/time.Second) * time.Second
	if m.readsAgain() {
		reads *= 2
	}
	return min(m.slow(reads)+m.direct, m.slow(m.c.RenewDeadline))
}
