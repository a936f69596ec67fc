package bound

import (
	"slices"
	"time"
)

// mostTicks bounds the ticks of a poll whose attempts are computed one by one: a poll has fewer ticks than this; see followed.
const mostTicks = 1000

// taking says when an attempt that takes the lock back can begin, in the poll that has read the other leader's record. All times
// are on the leader's clock.
type taking struct {
	// begins has the ranges of times, from the beginning of the poll, at which such an attempt can begin. unfrozen and reads have
	// one element for each range: unfrozen is the latest beginning without a freeze, and reads is the latest time at which the
	// poll can have read the record.
	begins          []interval
	unfrozen, reads []time.Duration
	// after is the shortest time from the reading of the record to such an attempt.
	after time.Duration
}

// last returns the latest time, from the beginning of the poll, at which an attempt that takes the lock back can begin; 0 if none
// can.
func (t *taking) last() time.Duration {
	last := time.Duration(0)
	for _, b := range t.begins {
		last = max(last, b.high)
	}
	return last
}

// followed tells whether attempts of a poll are computed one by one. This is done for a lock on one object, a profile that keeps
// ticks, and fewer than mostTicks ticks in a poll.
func (m *model) followed() bool {
	return m.c.RenewDeadline/m.c.RetryPeriod < mostTicks && !m.c.Profile.DropsTicks() && !m.c.onTwoObjects()
}

// taking returns when a leader can take the lock back. can is false if it never can. The leader must have read the other's record
// a lease before its poll ends. From then on it does not believe that the lock is its own, so that each attempt is a single Get
// until that lease is over.
func (m *model) taking() (t taking, can bool) {
	lease, deadline := m.lease(), m.c.RenewDeadline
	if !m.followed() {
		last := []time.Duration{deadline - 1}
		return taking{[]interval{{lease, deadline - 1}}, last, []time.Duration{deadline - lease}, lease}, !m.attemptsTwice() && !m.attemptsEarly()
	}
	answer, lost := m.calling()
	pause, by := m.most(m.e.MaxPause), deadline-lease
	spans := m.beginning(func(s span) []interval {
		lengths := []interval{{0, min(3*max(answer, lost), by-s.low)}} // until it has read
		if s.from < 0 {
			return lengths
		}
		write := time.Duration(0)
		if s.high+pause >= lease { // that may be over
			write = answer
		}
		if lost > 0 {
			lengths = append(lengths, interval{m.timeout, lost + write})
		}
		return append(lengths, interval{0, answer + write})
	})
	t.after = deadline
	for _, s := range spans {
		if m.late(s) < lease {
			continue
		}
		s.low = max(s.low, lease)
		reads := time.Duration(0)
		for _, r := range spans {
			if r.low+lease <= m.late(s) {
				update := answer // it may try to renew before it reads
				if lost > 0 && m.timeout <= by-r.low {
					update = lost
				}
				reads = max(reads, min(m.late(r)+update+answer, by))
			}
		}
		t.begins, t.unfrozen = append(t.begins, interval{s.low, m.late(s)}), append(t.unfrozen, s.high)
		t.reads, t.after = append(t.reads, reads), min(t.after, max(lease, s.low-reads))
	}
	return t, len(t.begins) > 0
}

// calling returns two times of a request in a poll, on the leader's clock. answer is the longest time for a request that is
// answered. lost is the longest time for one whose answer is lost; it is 0 if the client gives up such a request no later than
// answers come, or not before its poll is over.
func (m *model) calling() (answer, lost time.Duration) {
	if m.lossy() {
		lost = min(m.most(m.gaveUp), m.c.RenewDeadline)
	}
	return min(m.most(m.trip), m.c.RenewDeadline), lost
}

// beginning returns when the attempts of a poll without a freeze can begin: each at a tick, or as the attempt before it ends.
// lengths returns, for an attempt that begins in a span, the ranges of how long it can take.
func (m *model) beginning(lengths func(span) []interval) []span {
	spans := []span{{from: -1}}
	for i := 0; i < len(spans); i++ {
		spans = m.follow(spans, i, m.nextTick(spans[i].low), lengths(spans[i]))
	}
	return spans
}

// late returns the latest time at which an attempt of span s can begin if the process is frozen for MaxPause, but within the
// poll. A freeze makes no tick later.
func (m *model) late(s span) time.Duration {
	return min(s.high+m.most(m.e.MaxPause), m.c.RenewDeadline-1)
}

// joins returns the soonest time in a poll, on the leader's clock, at which an attempt can begin so that another one follows
// within a second. can is false if no attempt can be followed so soon; soonest is then 0. soonest is also 0 where attempts are
// not computed one by one (see followed).
func (m *model) joins() (soonest time.Duration, can bool) {
	if !m.outlasts(m.longestFailing()) {
		return 0, false
	}
	if !m.followed() {
		return 0, true
	}
	before, _ := m.attempts()
	for _, s := range m.beginning(func(span) []interval { return before }) {
		if x := max(s.low, m.nextTick(s.low)-time.Second+1); x <= m.late(s) {
			return x, true
		}
	}
	return 0, false
}

// renewsLittle tells whether no leader can take the lock back twice: it can do so neither after a turn in which it has not
// renewed, nor after a turn in which the other leader has renewed. false means only that this is not shown, as for a
// RetryPeriod below a second.
func (m *model) renewsLittle(t taking) bool {
	pause, after, period := m.e.MaxPause, m.fast(t.after), m.fast(m.c.RetryPeriod)
	if m.c.RetryPeriod < time.Second || t.after+m.least(after) <= m.c.RenewDeadline {
		return false
	}
	needs := after - m.slow(m.c.RetryPeriod+t.last()-t.after)
	_, renewed := m.lasting()
	if m.slow(m.c.RenewDeadline-m.lease())+pause < needs && renewed+pause < needs+period {
		return true
	}
	return m.sharesFreezes(t, after, renewed)
}

// sharesFreezes tells what renewsLittle tells, where a freeze must delay each attempt that takes the lock back, since it begins after the last tick
// of its poll. Each turn needs that freeze, and what else makes it long enough; two turns without a renewal share MaxPause. after is the shortest
// true time from when the other leader has read the record to when it takes the lock. renewed is the longest true time from the first of a
// leader's writes that look like its last one to its last answer.
func (m *model) sharesFreezes(t taking, after, renewed time.Duration) bool {
	reads := m.slow(t.last() - t.after)
	over := m.fast(max(0, m.lease()-slices.Max(t.unfrozen)))
	rest := after - m.slow(m.c.RetryPeriod) - reads
	answer := min(m.direct, m.slow(m.c.RenewDeadline-m.lease()))
	alone, renews := over+max(0, rest-answer), over+rest+m.fast(m.c.RetryPeriod)-renewed
	return m.lastTick() < m.lease() && 2*alone > m.e.MaxPause && renews > m.e.MaxPause
}
