package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// named adds the faults by which candidate a writes its name into the record without knowing it, and advances a to the attempt
// after that. Its Create is applied and answered by an error. Its next attempt reads that record, and its Update fails, so that
// the attempt after that begins with an optimistic update. jitter is the candidate's draw for its waits.
func (s *stage) named(a *actor, jitter float64) {
	s.readsOwnName(a, jitter)
	a.request(machine.Update, refused, 0)
	a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
}

// readsOwnName adds the faults by which candidate a writes its name into the record without knowing it, and advances a to the answer by
// which it reads that: its Create is applied and answered by an error. jitter is its draw for the wait between.
func (s *stage) readsOwnName(a *actor, jitter float64) {
	a.plain(1)
	a.request(machine.Create, hidden, 0)
	a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	a.plain(1)
}

// writesOnce tells whether an attempt to acquire the lock makes at most one write: either the profile reads first, or RetryPeriod
// is at least a lease, so that a candidate that finds its own name sees the lease run out before it tries again.
func (s *stage) writesOnce() bool {
	return s.cfg.Profile.ReadsFirst() || s.cfg.RetryPeriod >= s.cfg.Lease()
}

// newSecond returns an offset of the candidate's wall clock with which a second of that clock began just before now, by slack.
func (a *actor) newSecond() time.Duration { return time.Second - a.local%time.Second + slack }

// acquireSlowly adds the faults of an acquiring that is so slow that its write and the first renewal are in the same second, as
// chain c has it, and advances a past it. If an attempt makes only one write, that is a Create with a late answer; otherwise a
// reads its own name first (see named). It returns when the first write of that second is applied, in true time, and the offset
// that the wall clock must have for this.
func (s *stage) acquireSlowly(a *actor, c *bound.Chain) (first, offset time.Duration) {
	gap := min(c.Gap, time.Second-slack-time.Microsecond)
	if s.writesOnce() {
		a.plain(1)
		first = a.now + a.leg
		a.request(machine.Create, answered, min(bound.True(gap, a.driftPPM)-a.now, a.direct()))
		return first, slack
	}
	s.named(a, 0)
	offset, first = a.newSecond(), a.now+a.leg
	from := theGet
	if a.cfg.Client.Limits() && a.env.MaxRetryAfter == 0 {
		from = theUpdate // as late as may be: the more may come before the renewal
	}
	a.succeed(bound.True(gap, a.driftPPM), a.answer(), c.AcquireLost, from)
	return first, offset
}

// acquiring adds the faults of a chain that ends with the acquiring of the lock, and advances a past it. It returns when the
// first and the last of the writes that look the same are applied, in true time. The candidate of a must be the one that was
// added last. As the chain needs it, acquiring sets that candidate's Clock.Offset, its Jitter and, for an elector that runs
// again, Rejoin and SameElector. It sets none of them if an attempt makes only one write and the chain joins nothing.
func (s *stage) acquiring(a *actor, c *bound.Chain) (first, last time.Duration) {
	me := &s.s.Candidates[len(s.s.Candidates)-1]
	switch {
	case c.Join == bound.JoinRetried:
		first = s.retriedUnheard(a, me)
	case c.Join == bound.JoinRerun:
		first, me.Clock.Offset = s.rerun(a, me, 0)
	case s.writesOnce():
		a.plain(1)
		first = a.request(machine.Create, answered, a.direct())
		return first, first
	default:
		s.named(a, 0)
		first = a.now + a.leg
		me.Clock.Offset = a.newSecond()
	}
	from := theFirst
	if c.Join == bound.JoinNone {
		from = theGet
	}
	return first, a.succeed(c.Last-slack, a.answer(), c.FirstLost, from)
}

// retriedUnheard adds the faults with which a's attempts to acquire the lock fail, until just before the end of a second, and
// advances a past them. The write of the first attempt is applied all the same; retriedUnheard returns when, in true time. me is
// the candidate of the actor: its jitter and its clock's offset are set.
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

// fails adds the faults with which an attempt of a candidate that has read its own name fails, and advances a past that
// attempt. The parameter first is the outcome of the attempt's first write; a second write, which a profile that reads first
// does not make, is refused. fails returns when the first write arrives at the service, in true time.
func (s *stage) fails(a *actor, first outcome) (applied time.Duration) {
	if s.cfg.Profile.ReadsFirst() {
		a.plain(1)
		applied = a.now + a.leg
		a.request(machine.Update, first, 0)
		return applied
	}
	applied = a.now + a.leg
	a.request(machine.Update, first, 0)
	a.plain(1)
	a.request(machine.Update, refused, 0)
	return applied
}
