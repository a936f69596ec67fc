package bound

import (
	"time"

	"interregnum/plan"
)

// This file is what Config.Closes adds: docs/method/derivation.md, "Closings". All of it is upper bounds, since each part is the longest by
// itself. Times after which a connection is closed are on the client's clock.

// closesAfter returns how long after the last answer a connection can be closed at the soonest, on the client's clock. The client sends
// a ping plan.ReadIdle after something was last read, and closes the connection plan.PingWait later if that is not answered. If the
// answers before and after the ping can be so far apart, pinged is true, and an answer may be on its way as the ping is sent. It is read
// later than the ping by as long as a round trip and a freeze take, and what follows may be lost, as the ping's answer is.
func (m *model) closesAfter(pinged bool) time.Duration {
	if !pinged {
		return plan.LongestStall
	}
	return max(0, plan.PingWait-m.most(m.e.MaxRoundTrip+m.e.MaxPause))
}

// beforePoll returns how long before a poll, on the client's clock and without a freeze, the last answer came at most, if a ping was
// sent just before that answer: RetryPeriod. If a leader has answers too often for a ping between them, the ping is one of before it
// led. Then the poll is its first, the answer came just before it, and beforePoll returns 0.
func (m *model) beforePoll() time.Duration {
	if !m.pingsBetween() {
		return 0
	}
	return m.c.RetryPeriod
}

// pingsBetween tells whether a leader's answers can be so far apart that a ping is sent between them.
func (m *model) pingsBetween() bool {
	return m.c.RetryPeriod+m.c.RenewDeadline+m.most(m.e.MaxPause) >= plan.ReadIdle
}

// pingsBefore tells whether a ping can be sent just before the answer by which a leader has last succeeded, while nothing was read for
// plan.ReadIdle, or two attempts can begin in a second of which the first one is not answered. What reads the record before it writes has that
// answer before; so what succeeds so is an update alone. A leader's answers are as far apart as pingsBetween says. Who acquires has read its
// own name less than a lease before the attempt; without a request timeout an answer came in the attempt before, since a request is answered
// in time, or is the last one on its connection. For a blind release what counts is any answer, so that little is excluded.
func (m *model) pingsBefore() bool {
	f := m.c.RequestTimeout
	if m.e.Reruns || m.pingsBetween() || f > 0 && f < time.Second || m.closesAfter(true) < time.Second {
		return true
	}
	if m.c.Profile.ReleasesBlindly() && (f > 0 || m.c.RetryPeriod < time.Second) {
		return true
	}
	last := m.c.RetryPeriod * 11 / 5
	if f > 0 {
		last = m.lease()
	}
	return last+m.answersApart() >= plan.ReadIdle
}

// pollCloses tells whether a connection can be closed in a leader's poll so early that another attempt of the poll follows. The ping comes
// after all that the leader was answered before the poll.
func (m *model) pollCloses() bool {
	return m.c.RetryPeriod+m.c.RenewDeadline+m.most(m.e.MaxPause+m.asleep())+time.Second > m.closesAfter(false)
}

// pingedPoll tells what pollCloses tells for a ping just before the answer by which the leader has last succeeded.
func (m *model) pingedPoll() bool {
	return m.pingsBefore() && m.beforePoll()+m.c.RenewDeadline+m.most(m.e.MaxPause+m.asleep())+time.Second > m.closesAfter(true)
}

// pingedLast returns the longest true time from a leader's last write to the answer of a read whose connection is closed because of a ping
// just before the answer to that write.
func (m *model) pingedLast() time.Duration {
	return m.direct + m.e.MaxPause + m.slow(m.pingedUntil()+plan.RepeatAfter) + m.limited + m.sent
}

// ownRead returns how long after the answer by which a candidate reads its own name its next attempt begins at the soonest, on the
// client's clock, if a ping was sent before that answer and is not answered. Then nothing more is read from that connection: the
// update that follows takes a request timeout, and a wait of RetryPeriod comes after it. It returns 0 if there is no request timeout,
// and if the elector may run again, since it then need not wait. It also does so if a call takes as long as plan.ReadIdle, since
// the answer may then be that of the update, and if it may be one that asks to wait.
func (m *model) ownRead() time.Duration {
	if m.c.RequestTimeout == 0 || m.e.Reruns || m.answersApart() >= plan.ReadIdle || m.repeats() {
		return 0
	}
	return m.c.RequestTimeout + m.c.RetryPeriod
}

// pingedUntil returns how long after an answer a connection is closed at the latest, on the client's clock, if a ping was sent before that
// answer and is not answered. A freeze delays it.
func (m *model) pingedUntil() time.Duration { return plan.PingWait + m.most(m.e.MaxPause) }

// pingedRead returns the longest true time from when a read leaves the limiter to its answer, if the connection is closed under it
// because a ping was sent just before an earlier answer. The attempt of the read begins the given time after that answer, on the
// client's clock, with a write that takes a request timeout. pingedRead returns 0 if the connection is closed before the read is sent.
func (m *model) pingedRead(begins time.Duration) time.Duration {
	sent := begins + m.c.RequestTimeout
	switch {
	case m.c.RequestTimeout == 0:
		return m.closedRead()
	case sent >= m.pingedUntil():
		return 0
	}
	return min(m.closedRead(), m.slow(m.pingedUntil()+plan.RepeatAfter-sent)+m.limited+m.sent)
}

// pingedAgain returns how long after the beginning of that attempt the read is sent again at the latest, on the client's clock.
func (m *model) pingedAgain(begins time.Duration) time.Duration {
	return max(0, m.pingedUntil()+plan.RepeatAfter-begins)
}

// RepeatsReads tells whether the client sends a read again whose connection was closed. It is true without a client in the
// configuration, since client-go's own does. Before v0.32 it does not (rest/request.go, isErrRetryableFunc).
func (c *Config) RepeatsReads() bool { return !c.before(32) && (c.Client == nil || c.Client.Repeats()) }

// lostWrite returns the longest true time from when a write leaves the limiter until the client gives its answer up. A request
// timeout ends that time. Without one, only the closing of the connection ends it, and a connection can stay open for as long as
// one likes: then lostWrite returns more than a lease and a leader's work last together.
func (m *model) lostWrite() time.Duration {
	lost := m.slow(m.c.RequestTimeout)
	if lost == 0 {
		lost = m.takeover() + m.slow(m.c.RetryPeriod+m.c.RenewDeadline+plan.LongestStall)
	}
	return max(lost, m.marked)
}

// closedRead returns the longest true time from when a read leaves the limiter to its answer, if its connection is closed under it. The
// read is sent again then, and the request timeout ends it. Its answer may have been lost before, on a connection that lived on: so it
// takes as long as a lost write.
func (m *model) closedRead() time.Duration { return max(m.sent, m.lostWrite()) }

// silent returns the shortest time, on the client's clock, for which nothing was read from the connection when an attempt
// begins, if the attempt's read is sent again and answered later in the same attempt. The connection is closed after the last
// answer by the time closed, or later. The write before the read, and the read itself, each wait for a token and then take a
// request timeout at most, and the process may be frozen meanwhile. It returns 0 if there is no request timeout.
func (m *model) silent(closed time.Duration) time.Duration {
	if m.c.RequestTimeout == 0 {
		return 0
	}
	waits := min(2*m.limited, m.inTurn(m.beforeClosed(), m.lostWrite(), 0)-m.lostWrite())
	return max(0, closed+plan.RepeatAfter-2*m.c.RequestTimeout-m.most(m.e.MaxPause+waits))
}

// attemptClosed returns the longest true time that an attempt takes whose connections are closed, and that no deadline ends.
// read is how long its read takes, from when it leaves the limiter. again is how long after the beginning of the attempt the read is sent
// again at the latest, on the client's clock; 0 if that is not known. If fromFirst is true, the time counts from when the attempt's first call
// leaves the limiter, and no call of the candidate came less than a RetryPeriod before the attempt.
func (m *model) attemptClosed(read, again time.Duration, fromFirst bool) time.Duration {
	read = max(read, m.sent)
	if m.c.Profile.ReadsFirst() {
		return read + m.sent + 2*m.limited
	}
	lost, times := m.lostWrite(), m.sentAgain()
	all := lost + read + m.sent + 3*m.limited
	if m.limited == 0 || times > mostAgain {
		return all
	}
	inTurn := func(sends ...time.Duration) time.Duration {
		if fromFirst {
			return m.fromFirst(lost, sends...)
		}
		return m.inTurn(m.beforeClosed(), append([]time.Duration{lost}, sends...)...)
	}
	// What is sent again takes a token. More is missing later if it takes that just before the next call.
	all = min(all, inTurn(append(append([]time.Duration{read}, make([]time.Duration, times)...), m.sent)...))
	if sent := m.slow(again) - lost; again > 0 && sent > 0 && times == 1 {
		all = min(all, inTurn(sent, m.sent, m.sent)) // it waits within its own time
	}
	return all
}

// mostAgain is how often a read is sent again at most where its attempt's calls are counted together.
const mostAgain = 2

// sentAgain returns how often a read of a candidate is sent again at most, within its request timeout, because its connections are closed.
func (m *model) sentAgain() int {
	switch f := m.c.RequestTimeout; {
	case !m.c.Closes || !m.c.RepeatsReads():
		return 0
	case f == 0:
		return plan.MaxRetries
	default:
		return min(plan.MaxRetries, 1+int(f/plan.LongestStall))
	}
}

// beforeClosed returns what justBefore returns for an attempt before which a read was sent again.
func (m *model) beforeClosed() []used { return m.takenBy(m.ofOutlasting(0) + perAttempt + 1) }

// acquiringClosed returns c, the chain that acquiring has made, with the longest last attempt that closings make possible. The
// attempt begins with a write, so that its candidate has read its own name less than a lease before. Before that it may have had no
// answer for as long as one likes. It returns c as it is where closings make no attempt longer.
func (m *model) acquiringClosed(c Chain) Chain {
	read, again := time.Duration(0), time.Duration(0)
	switch {
	case !m.c.RepeatsReads():
	case m.beginsBeforeClosing(m.silent(m.closesAfter(false))) < m.lease():
		read = m.closedRead()
	default:
		if begins := m.beginsUnread(max(m.silent(m.closesAfter(true)), m.ownRead()), true); begins < m.lease() {
			read, again = m.pingedRead(begins), m.pingedAgain(begins)
		}
	}
	if m.writesOnce() && c.Gap == 0 || read == 0 && m.c.RequestTimeout > 0 {
		return c
	}
	c.Last, c.FirstLost = max(c.Last, m.attemptClosed(read, again, c.Gap == 0)), !m.c.Profile.ReadsFirst()
	return c
}

// closedPoll is a poll in which a connection is closed. The last answer came the time before before it, and the connection is closed that
// long after this answer, closed, or later. If it is closed under the read of the last attempt, that takes the time read, 0 if there is no such
// read, and is sent again the time again after the beginning of the poll at the latest, 0 if that is not known. That attempt begins the time
// soonest after the beginning of the poll or later, and the time gap after the first write that looks the same at the latest.
type closedPoll struct {
	closed, before, read, again, soonest, gap time.Duration
}

// renewedClosed returns the best of c, which ends with a renewal, and of chains in whose last poll connections are closed. The last
// answer before that poll came RetryPeriod before it, or sooner by as long as the process was frozen. A ping can be sent before that
// answer if it is the only one in plan.ReadIdle: that of a renewal, if polls may take so long, or that of the acquiring, just before
// the first poll, if the candidate still takes the lock for its own so long after it has read its own name.
//
// In a first poll the first write that looks the same can be that of the acquiring. In another one an attempt of the same poll has made it.
func (m *model) renewedClosed(c Chain) Chain {
	paused := m.most(m.e.MaxPause)
	late, early := m.closesAfter(false), m.closesAfter(true)
	c = m.inClosedPoll(c, &closedPoll{late, m.c.RetryPeriod + paused, m.closedRead(), 0, time.Second, time.Second})
	c = m.inClosedPoll(c, &closedPoll{late, paused, m.closedRead(), 0, 0, time.Second})
	if m.pingsBetween() {
		read, again := m.pingedRead(m.c.RetryPeriod), m.pingedAgain(m.c.RetryPeriod)
		c = m.inClosedPoll(c, &closedPoll{early, m.c.RetryPeriod + paused, read, again, time.Second, time.Second})
	}
	if m.beginsUnread(plan.ReadIdle-m.answersApart(), false) < m.lease() {
		c = m.inClosedPoll(c, &closedPoll{early, paused, m.pingedRead(0), m.pingedAgain(0), 0, m.acquiredAlone()})
	}
	return c
}

// answersApart returns the longest time, on the client's clock, from when a call is made to when an answer of it is read, or from one
// answer of it to the next.
func (m *model) answersApart() time.Duration {
	return m.most(m.e.MaxRoundTrip + m.e.MaxPause + m.limited + m.slow(m.e.MaxRetryAfter))
}

// acquiredAlone returns the longest time from the write that acquires the lock to the first attempt to renew it, if the answer to that write
// is the first one in plan.ReadIdle: then no other call of its attempt was answered. Nothing is answered after it until the connection is
// closed, so that an attempt of the first poll lasts for two request timeouts. If that is below a second, or if a call may wait for as long as
// plan.ReadIdle itself, acquiredAlone returns a second. So it does for versions whose attempts differ, and with Reruns.
func (m *model) acquiredAlone() time.Duration {
	others := m.e.Reruns || m.c.Profile.ReadsFirst() || m.c.Minor > 0
	if others || m.c.RequestTimeout < time.Second/2 || m.c.RetryPeriod < time.Second || m.answersApart() >= plan.ReadIdle {
		return time.Second
	}
	return min(time.Second, m.least(m.sent))
}

// inClosedPoll returns the best of three chains: c, which ends with a renewal, and two in whose last poll a connection is closed, as p says.
// In one of them it is closed under the read of the last attempt. In the other it is closed before the last attempt, so that the attempt before
// fails just before a tick.
func (m *model) inClosedPoll(c Chain, p *closedPoll) Chain {
	until := p.before + m.c.RenewDeadline
	best := c
	try := func(begins, read, gap time.Duration) {
		begins = max(p.soonest, begins)
		left := m.slow(m.c.RenewDeadline - begins)
		last := Chain{Join: JoinTicked, Gap: gap, FirstLost: true}
		last.Last, last.LastWrite = min(left, m.attemptClosed(read, max(0, p.again-begins), false)), min(left, m.direct)
		if left > 0 && m.better(&last, &best) {
			best = last
		}
	}
	if m.c.RepeatsReads() && p.read > 0 && until > p.closed+plan.RepeatAfter {
		try(m.silent(p.closed)-p.before, p.read, p.gap)
	}
	if until > p.closed-time.Second {
		try(p.closed-p.before, 0, time.Second)
	}
	return best
}

// closesEarly tells whether the closing of a connection can end an attempt to acquire just before its second is over, so that
// the first renewal still writes in that second. The attempt begins with a write, and the answer before it, in which its
// candidate has read its own name, came less than a lease before. It is false without m.c.Closes.
func (m *model) closesEarly() bool {
	begins := m.beginsUnread(max(m.closesAfter(true)-time.Second, m.ownRead()), true)
	pinged := begins < min(m.lease(), m.pingedUntil())
	return m.c.Closes && (pinged || m.beginsBeforeClosing(m.closesAfter(false)-time.Second) < m.lease())
}

// closedRelease returns the longest true time that the read of a release takes if connections are closed under it, and no
// deadline ends it. It returns 0 if no connection can be closed by the time the read must be over, if reads are not sent again,
// and without m.c.Closes.
func (m *model) closedRelease() time.Duration {
	if !m.c.RepeatsReads() || !m.closesRelease() {
		return 0
	}
	return m.closedRead() + m.limited
}

// closesRelease tells whether a connection can be closed under a release, so early that a read of it would be sent again and answered. It is
// false without m.c.Closes. A release begins at most beforePoll and RenewDeadline after an answer with a ping just before it. If it begins as
// late as that it has to begin before the connection is closed: else its read takes no longer than without the closing.
func (m *model) closesRelease() bool {
	open := m.beforePoll()+m.c.RenewDeadline < m.pingedUntil()+plan.RepeatAfter || m.c.Profile.ReleasesBlindly()
	pinged := m.pingsBefore() && m.beforePoll()+m.untilRead() > m.closesAfter(true) && open
	return m.c.Closes && (m.releaseCloses() || pinged)
}

// releaseCloses tells whether a connection can be closed under the read of a release, so early that the read is sent again and answered, if no
// ping was sent before the last answer. The release begins at most RetryPeriod and RenewDeadline after that, and later as untilRead says.
func (m *model) releaseCloses() bool { return m.c.RetryPeriod+m.untilRead() > m.closesAfter(false) }

// untilRead returns how long after the beginning of a leader's last poll the connection is closed at the latest, on the client's clock, if the
// release's read is sent again. The release begins as the poll ends, and later by the longest freeze, by the wait for a token, and by the drain
// if it waits for the work.
func (m *model) untilRead() time.Duration {
	return m.c.RenewDeadline + m.most(m.e.MaxPause+m.returning()+m.limited+m.asleep()) + m.ownTimeout() - plan.RepeatAfter
}

// closedTerm returns the term, named closings, for how much longer the last attempt of c takes because its read is sent again on
// other connections. Its Time is 0 without m.c.Closes, and if the read is not sent again.
func (m *model) closedTerm(c *course) Term {
	t := Term{Name: "closings"}
	if m.c.Closes && c.FirstLost {
		t.Time = min(max(0, c.Last-m.lostWrite()-2*m.sent), m.closedRead()-m.sent)
	}
	return t
}

// closed sets r.Upper. On two objects, where the lock can be taken back, and with a blind release that is late, closings can have more
// effects than are computed: unless r.Unbounded is set, closed then sets r.AtLeast and clears r.Slack, which says that no upper bound is
// known.
func (m *model) closed(r *Result) {
	r.Upper = true
	blind := m.c.ReleaseOnCancel && m.c.Profile.ReleasesBlindly() && m.closesRelease()
	if !r.Unbounded && (m.c.onTwoObjects() || m.c.RenewDeadline > m.lease() || blind) {
		r.AtLeast, r.Slack = true, 0
	}
}
