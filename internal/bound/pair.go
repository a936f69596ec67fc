package bound

import (
	"time"

	"interregnum/elector/machine"
)

// halfCreated stores in r the worst case of a lock on two objects. A candidate that finds its name in the first object, and no
// second object, makes the second one, even if it wrote the first one long ago. Another candidate can have taken over the first
// object meanwhile, and then overwrites the second. LeaseDuration keeps neither of them from working.
func (m *model) halfCreated(r *Result) {
	r.Plan = Plan{Kind: HalfCreated}
	terms := []Term{{"renewDeadline", m.c.RenewDeadline}}
	if m.c.ReleaseOnCancel && m.c.Profile.Release == machine.ReleaseBelieved && !m.c.ReleasesLater() {
		r.Plan.Release = m.slow(m.releaseTimeout())
		terms = append(terms, Term{"release", m.releaseTimeout()})
	}
	if !m.strict { // which works no longer than this
		m.goneOn(r)
	}
	m.total(r, terms)
}

// goneOn sets r.AtLeast or r.Unbounded for a leader on two objects that is not cut off at RenewDeadline: its overlap can be
// longer than the computed one, or have no end. It stores an upper bound in m.upTo where one is known.
func (m *model) goneOn(r *Result) {
	released, optimistic := m.c.ReleaseOnCancel, !m.c.Profile.ReadsFirst()
	r.AtLeast = true
	switch {
	case optimistic && 2*m.c.RetryPeriod < m.lease():
		// It may keep its belief, and half read its successor's record, until its own lease is over.
		r.endless(HalfRead)
	case optimistic && released:
		r.endless(Gathering) // RetryPeriod and RenewDeadline last for longer than the lease
	case optimistic && m.lease() <= m.c.RetryPeriod:
		r.endless(TakingTurns)
	case optimistic && (m.c.RenewDeadline <= m.lease() || m.attemptsTwice()):
		m.halfReadOnce(r)
	case optimistic && m.c.RenewDeadline > m.lease() && (m.takesBack() || m.slowTurns()):
		r.endless(TakingTurns)
	case optimistic && m.halfReadsLate():
		r.endless(HalfRead)
	case optimistic && m.halfReadsSeldom():
		m.takenSeldom(r)
	case optimistic:
		m.takenFrozen(r)
	case released && m.gaveUp == 0:
		r.endless(Unanswered)
	case released:
		m.blankedBack(r)
	default:
		// Each success but one has won a compare-and-swap on the first object, no more than so many answers before it is
		// acknowledged. The one was the making of the second object, for ever: no renewal follows that another has overtaken.
		m.within(r, m.period()+m.e.Drain)
	}
}

// halfReadOnce sets r.AtLeast and stores in m.upTo an upper bound of the overlap on two objects, where no poll has time for more
// than two attempts. With reruns, and a second that outlasts two leases, it changes nothing, since no limit is known.
//
// A leader keeps its belief for a lease from its last success. A poll that begins a RetryPeriod later has only one optimistic
// update: its first. The poll that follows the acquiring at once can have two, so that each of two leaders takes the lock back
// once. Where a second outlasts two leases, a leader can read a record that looks like the one from which it has taken over, and
// then takes the lock back too.
func (m *model) halfReadOnce(r *Result) {
	turns := time.Duration(1) // of each leader, beside its first
	if m.slow(time.Second) > 2*m.fast(m.lease()) {
		if m.e.Reruns {
			return
		}
		turns += 2*attemptsASecond - 1
	}
	m.within(r, (2*turns+1)*m.period()+m.e.Drain)
}

// halfReadsLate tells whether it finds a plan in which a leader reads its own record so late in the first attempt of a poll that
// its lease, which counts from that reading, lasts until the third attempt. The first attempt writes over the record that the
// second one has half read. The other leader writes half way between two such writes, after the first attempt has read both
// objects; one more answer can be late. Or a lost answer lets one leader read so late. The other leader then takes leases that run out in
// its polls: it reads the record in the first attempt of a poll, and takes the lock in the third one. false means only that it finds none.
func (m *model) halfReadsLate() bool {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline
	late := 2*period - m.lease()
	loses := m.c.RenewDeadline > m.lease() && m.lossy() && late > 0 && late < m.timeout && m.timeout < period
	return 2*period < deadline && (loses || late < min(2*m.answered, period/2)+min(m.direct, deadline))
}

// halfReadsSeldom tells whether each of two leaders can take the lock back at most once before a lease has run out: because it
// has read half of a record, in the poll that follows its acquiring. In a later poll only the first attempt begins with an
// optimistic update, since two RetryPeriods are a lease. A third attempt could do so only if the first had read an own record so
// late that it still counts. The record that a leader has taken over from does not come back within its second.
func (m *model) halfReadsSeldom() bool {
	period, reads := m.c.RetryPeriod, m.longestFailing()+m.most(m.e.MaxPause)
	return m.slow(time.Second) <= m.takeover() &&
		(2*period >= m.c.RenewDeadline || 3*period >= m.c.RenewDeadline && reads <= 2*period-m.lease())
}

// takenSeldom stores in m.upTo an upper bound of the overlap of two leaders that each take the lock back at most once before a
// lease has run out. Before, between and after those two turns there are as many turns as the function turns counts, and the
// first turn of each leader. It stores nothing if the turns cannot be counted.
func (m *model) takenSeldom(r *Result) {
	left := m.slow(m.c.RenewDeadline) + m.e.MaxPause - m.fast(m.lease())
	if n, known := m.turns(m.takeover(), left); known {
		m.counted(r, 3*(n+2)-2, m.e.Drain)
	}
}

// attemptsASecond is how many attempts of a candidate can begin within a second of its clock, at most, where RetryPeriod
// is half a second or more. Each makes two writes at most. Two begin at once where one has acquired the lock, or has
// been held up until a tick; a RetryPeriod lies between the others.
const attemptsASecond = 3

// pairFailover stores in r upper bounds of Failover and Handover, for a lock on two objects.
func (m *model) pairFailover(r *Result) {
	r.Failover = m.e.MaxRoundTrip + pairGet*m.trip + m.retry() + pairGet*m.trip + m.e.MaxPause
	if m.lease() > m.c.RetryPeriod {
		r.Failover += m.slow(m.lease()) + pairGet*m.trip
	}
	r.Failover += m.retry() + (pairGet+pairUpdate)*m.trip
	r.Handover = r.Failover
	if m.c.ReleaseOnCancel {
		// What a release writes first looks like another leader's record.
		r.Handover += m.e.Drain + m.e.MaxPause + (pairGet+pairUpdate)*m.trip + m.e.MaxRoundTrip
	}
}
