package bound

import (
	"time"

	"interregnum/plan"
)

// This file is how late a release can read the record: docs/method/derivation.md, "Late releases of a client".

// perRelease is how many calls a candidate makes at most at the instant at which its release begins, before that: the last two calls of
// an attempt that outlasts a tick, and two whole attempts.
const perRelease = 2*perAttempt + 2

// freshCalls is how many tokens the bucket of a new candidate must have so that no call waits with which it takes the lock and renews it.
const freshCalls = 2 * perAttempt

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
	return min(reads, m.inTurn(m.takenBy(perRelease), m.sent, m.sent))
}

// clientGathers tells whether plans are known in which leaders gather because of their clients alone: each one's release reads the record
// only when a lease has run out. In these plans nobody is frozen, no request is answered with a Retry-After, and no elector runs again.
func (m *model) clientGathers() bool {
	c := m.c.Client
	if c.Limits() && (c.Burst < freshCalls || rate(c)*m.c.RetryPeriod.Seconds() < m.perPeriod()) {
		return false
	}
	work := m.direct + m.slow(m.c.RetryPeriod+m.c.RenewDeadline)
	return work+max(m.readsClosed(), m.readsWaiting()) > m.takeover()
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

// readsWaiting returns how late a release can read the record in a plan in which its Get waits in the limiter, as a true time from its
// beginning. All other traffic that can come at once comes just before. As answers take as long as two tokens need, or longer, the Get can
// have any shorter wait, and what follows it does not wait. readsWaiting returns 0 if there is no such plan.
func (m *model) readsWaiting() time.Duration {
	if !m.c.Client.Limits() {
		return 0
	}
	token := time.Duration(float64(time.Second) / rate(m.c.Client))
	more := m.e.MostAtOnce() + 1 - m.c.Client.Burst
	if more <= 0 || m.least(m.direct) <= 2*token {
		return 0
	}
	return min(m.slow(time.Duration(more)*token)+m.direct, m.slow(m.c.RenewDeadline))
}
