package bound

import (
	"time"

	"interregnum/scenarios/plan"
)

// This file is what Config.Closes adds: docs/derivation.md, "Closings". All of it is upper bounds, since each part is the longest by
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
	if m.c.RetryPeriod+m.c.RenewDeadline+m.most(m.e.MaxPause) < plan.ReadIdle {
		return 0
	}
	return m.c.RetryPeriod
}

// repeatsReads tells whether the client sends a read again whose connection was closed.
func (m *model) repeatsReads() bool { return m.c.Client == nil || m.c.Client.Repeats() }

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

// silent returns the shortest time, on the client's clock, for which nothing was read from the connection when an attempt begins,
// if the attempt's read is sent again and answered later in the same attempt. The connection is closed that long after the last
// answer, or later. The write before the read, and the read itself, each wait for a token and then take a request timeout at most,
// and the process may be frozen meanwhile. It returns 0 if there is no request timeout.
func (m *model) silent(closed time.Duration) time.Duration {
	if m.c.RequestTimeout == 0 {
		return 0
	}
	return max(0, closed+plan.RepeatAfter-2*m.c.RequestTimeout-m.most(m.e.MaxPause+2*m.limited))
}

// attemptClosed returns the longest true time that an attempt takes whose connections are closed, and that no deadline ends.
// rereads tells whether its read may be sent again.
func (m *model) attemptClosed(rereads bool) time.Duration {
	read := m.sent
	if rereads {
		read = m.closedRead()
	}
	if m.c.Profile.ReadsFirst() {
		return read + m.sent + 2*m.limited
	}
	return m.lostWrite() + read + m.sent + 3*m.limited
}

// acquiringClosed returns c, the chain that acquiring has made, with the longest last attempt that closings make possible. The
// attempt begins with a write, so that its candidate has read its own name less than a lease before. Before that it may have had no
// answer for as long as one likes. It returns c as it is where closings make no attempt longer.
func (m *model) acquiringClosed(c Chain) Chain {
	rereads := m.repeatsReads() && m.silent(m.closesAfter(true)) < m.lease()
	if m.writesOnce() && c.Gap == 0 || !rereads && m.c.RequestTimeout > 0 {
		return c
	}
	c.Last, c.FirstLost = max(c.Last, m.attemptClosed(rereads)), !m.c.Profile.ReadsFirst()
	return c
}

// renewedClosed returns the best of c, which ends with a renewal, and of chains in whose last poll connections are closed. The last
// answer before that poll came RetryPeriod before it, or sooner by as long as the process was frozen; after a ping, see beforePoll.
func (m *model) renewedClosed(c Chain) Chain {
	paused := m.most(m.e.MaxPause)
	c = m.pollClosed(c, m.closesAfter(false), m.c.RetryPeriod+paused)
	return m.pollClosed(c, m.closesAfter(true), m.beforePoll()+paused)
}

// pollClosed returns the better of two chains: c, which ends with a renewal, and a chain in whose last poll connections are closed. The
// last answer came before that poll by the time given as before, and a connection is closed that long after it, or later. It
// returns c if no connection can be closed so soon.
func (m *model) pollClosed(c Chain, closed, before time.Duration) Chain {
	until := before + m.c.RenewDeadline
	if until <= closed-time.Second {
		return c
	}
	left := m.c.RenewDeadline - max(0, m.silent(closed)-before)
	rereads := m.repeatsReads() && until > closed+plan.RepeatAfter && left > 0
	if !rereads {
		left = m.c.RenewDeadline
	}
	last := Chain{Join: JoinTicked, Gap: time.Second, FirstLost: true}
	last.Last = min(m.slow(left), m.attemptClosed(rereads))
	last.LastWrite = min(m.slow(left), m.direct)
	if m.better(&last, &c) {
		return last
	}
	return c
}

// closesEarly tells whether the closing of a connection can end the attempt to acquire just before the second is over in which the
// first renewal writes, too: that attempt begins with a write, less than a lease after its candidate has read its own name.
func (m *model) closesEarly() bool { return m.c.Closes && m.lease() > m.closesAfter(true)-time.Second }

// closedRelease returns the longest true time that the read of a release takes if connections are closed under it, and no
// deadline ends it. It returns 0 if no connection can be closed by the time the read must be over, if reads are not sent again,
// and without m.c.Closes. A release begins at most RetryPeriod and RenewDeadline after the last answer, and later by the longest
// freeze, by the wait for a token, and by the drain if it waits for the work. After a ping beforePoll stands for RetryPeriod.
func (m *model) closedRelease() time.Duration {
	f := m.c.RenewDeadline
	if m.c.RequestTimeout > 0 {
		f = min(f, m.c.RequestTimeout)
	}
	after := m.c.RenewDeadline + m.most(m.e.MaxPause+m.returning()+m.limited) + f - plan.RepeatAfter
	late := m.c.RetryPeriod+after > m.closesAfter(false) || m.beforePoll()+after > m.closesAfter(true)
	if !m.c.Closes || !m.repeatsReads() || !late {
		return 0
	}
	return m.closedRead() + m.limited
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

// closed sets r.Upper. On two objects, where the lock can be taken back, and where releases that are late can gather, closings can have more effects than are computed:
// unless r.Unbounded is set, closed then sets r.AtLeast and clears r.Slack, which says that no upper bound is known.
func (m *model) closed(r *Result) {
	r.Upper = true
	if !r.Unbounded && (m.c.onTwoObjects() || m.c.RenewDeadline > m.lease() || m.c.ReleaseOnCancel && m.closedRelease() > 0) {
		r.AtLeast, r.Slack = true, 0
	}
}
