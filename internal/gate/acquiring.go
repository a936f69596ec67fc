package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// named plays a candidate whose name is written into the record without its knowing: its Create is applied and answered
// by an error. The candidate reads that record in its next attempt, which fails, so that the attempt after that begins
// with the optimistic update.
func (s *stage) named(a *actor, jitter float64) {
	a.pass(a.trip())
	a.request(machine.Create, hidden, 0)
	a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	a.pass(a.trip())
	a.request(machine.Update, refused, 0)
	a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
}

// writesOnce tells whether an attempt to acquire the lock makes at most one write.
func (s *stage) writesOnce() bool {
	return s.cfg.Profile.ReadsFirst() || s.cfg.RetryPeriod >= s.cfg.Lease()
}

// newSecond returns the offset of the candidate's wall clock with which a second of it begins now.
func (a *actor) newSecond() time.Duration { return time.Second - a.local%time.Second + slack }

// acquireSlowly plays an acquiring of the lock whose write is in the same second as the first renewal. It returns when
// the first write of that second is applied, and the offset of the wall clock with which that is so.
func (s *stage) acquireSlowly(a *actor, c *bound.Chain) (first, offset time.Duration) {
	gap := min(c.Gap, time.Second-slack-time.Microsecond)
	if s.writesOnce() {
		a.pass(a.trip())
		first = a.now + a.leg
		a.request(machine.Create, answered, min(bound.True(gap, a.driftPPM)-a.now, a.direct()))
		return first, slack
	}
	s.named(a, 0)
	offset, first = a.newSecond(), a.now+a.leg
	a.attempt(bound.True(gap, a.driftPPM), a.answer(), c.AcquireLost)
	return first, offset
}

// acquiring plays a chain that ends with the acquiring of the lock. It returns when the first and the last of the
// writes that look the same were applied.
func (s *stage) acquiring(a *actor, c *bound.Chain) (first, last time.Duration) {
	me := &s.s.Candidates[len(s.s.Candidates)-1]
	switch {
	case c.Join == bound.JoinRetried:
		first = s.retriedUnheard(a, me)
	case c.Join == bound.JoinRerun:
		first = s.rerun(a, me, 0)
	case s.writesOnce():
		a.pass(a.trip())
		first = a.request(machine.Create, answered, a.direct())
		return first, first
	default:
		s.named(a, 0)
		first = a.now + a.leg
		me.Clock.Offset = a.newSecond()
	}
	return first, a.attempt(c.Last-slack, a.answer(), c.FirstLost)
}

// retriedUnheard plays attempts to acquire the lock that fail, up to just before the end of a second; the write of the
// first one is applied all the same. It returns when that write is applied. me is the actor's candidate, whose jitter
// and clock it sets.
func (s *stage) retriedUnheard(a *actor, me *scenarios.Candidate) (first time.Duration) {
	goal := time.Second - slack - time.Microsecond
	fails := bound.Local(3*a.trip(), a.driftPPM) + 2
	waits := 1 + (goal-1)/(s.cfg.RetryPeriod*21/10)
	jitter := jitterFor(s.cfg.RetryPeriod, goal/waits-fails)
	me.Jitter = &jitter
	s.named(a, jitter)
	me.Clock.Offset = a.newSecond()
	for i := range waits {
		if i == 0 {
			first = s.fails(a, hidden)
		} else {
			s.fails(a, refused)
		}
		a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	}
	return first
}

// fails plays an attempt that fails, of a candidate that has read its own name. first is what becomes of its first
// write. It returns when that write arrives at the service.
func (s *stage) fails(a *actor, first outcome) (applied time.Duration) {
	if s.cfg.Profile.ReadsFirst() {
		a.pass(a.trip())
		applied = a.now + a.leg
		a.request(machine.Update, first, 0)
		return applied
	}
	applied = a.now + a.leg
	a.request(machine.Update, first, 0)
	a.pass(a.trip())
	a.request(machine.Update, refused, 0)
	return applied
}
