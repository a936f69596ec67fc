// Package stage makes scenarios that show worst cases, from what package bound has computed.
//
// Words of this package: a witness is a scenario that shows a worst case. A stage is a witness in the making. An actor is one
// of its candidates at an instant: its methods add faults to the stage, and advance the actor to the instant at which what
// they describe is over.
package stage

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// Witness returns the scenario that shows the worst case r, which package bound computed for c and e, to within a fraction of a
// millisecond. If the simulated world cannot show r, the scenario shows the worst case that it can show.
func Witness(c *bound.Config, e *bound.Environment, r *bound.Result) *scenarios.Scenario {
	s := newStage(c, e)
	s.witness(r)
	return s.s
}

// witness completes the stage's scenario: it adds candidates and faults that show the worst case r, and sets name, expectations
// and horizon. Where the wall clocks need it, it also makes the network faster.
func (s *stage) witness(r *bound.Result) {
	c := s.cfg
	r = r.Playable()
	s.expects()
	switch {
	case r.Plan.Kind == bound.Unstopped:
		s.unstopped(&r.Plan)
		return
	case c.Profile.EndsInTime():
		s.wallClock(&r.Plan)
	case c.Lock.Expires():
		s.expiring(&r.Plan)
	case r.Plan.Kind == bound.HalfCreated:
		s.halfCreated(&r.Plan)
	case c.Profile.CountsFromRenewal(), r.Plan.Kind == bound.NoLease:
		s.strict()
	case r.Plan.Kind == bound.Released:
		s.released(&r.Plan)
	default:
		s.expired(&r.Plan)
	}
	if r.Plan.Endless == bound.Unanswered && r.Plan.Kind == bound.Released {
		return
	}
	s.round()
}

// expects sets the scenario's name, and what is expected of a witness: that two work at once.
func (s *stage) expects() {
	s.s.Name = "gate-witness"
	s.s.Expect = map[string]scenarios.Expectation{
		"single-work": scenarios.ExpectViolated, "single-belief": scenarios.ExpectAny,
		"safety-window": scenarios.ExpectAny, "fenced-writes": scenarios.ExpectAny, "liveness": scenarios.ExpectAny,
	}
}

// strict adds the candidates and faults of a leader that is cut off after its last write was applied, and of a follower that
// takes over. It also sets the horizon. It is the worst case of the profile strict, for which that write is the acquiring, and of
// bound.NoLease.
func (s *stage) strict() {
	a := s.leader(0)
	a.plain(1)
	sent := a.now
	a.plain(1)
	s.cutOff("a", a.now+s.leg, plan.MaxDuration-s.near)
	if !s.cfg.Profile.CountsFromRenewal() {
		sent = a.now
	}
	end := sent + bound.True(s.cfg.RenewDeadline, a.driftPPM)
	s.pause("a", end, s.env.MaxPause)
	s.s.Horizon = end + s.env.MaxPause + s.env.Drain
	s.observe("b", sent+s.leg, 0)
}

// expired adds the candidates and faults of a leader that is cut off after its last success, and of a successor that finds the
// lease run out, and sets the horizon. For the kind Wiped, the leader's late release also blanks its successor's lease.
func (s *stage) expired(p *bound.Plan) {
	a, first, last := s.success(p)
	if !p.Acquiring {
		a.wait(s.cfg.RetryPeriod)
	}
	polled := a.now
	a.wait(s.cfg.RenewDeadline)
	if p.Kind == bound.Wiped {
		s.wiped(p, a, polled, first, last)
		return
	}
	s.takenOver(a, polled, first, last, s.env.MaxPause-s.spent(p.Chain.SetupPause))
}

// takenOver adds the end of a leader whose last poll began at polled and is over: it is cut off from then on, is frozen for pause as its work
// would end, and a successor finds its lease run out. first and last are when the writes that look the same are applied. It sets
// the horizon. All are in true time.
func (s *stage) takenOver(a *actor, polled, first, last, pause time.Duration) {
	s.observe("b", first, last+1)
	s.cutOff(a.id, polled, plan.MaxDuration-s.near)
	s.s.Horizon = s.finish(a.id, a.now, pause)
}

// leader adds the candidate a, whose clock is as slow as it can be, with that draw of jitter, and returns it at its start.
func (s *stage) leader(jitter float64) *actor {
	a := &actor{stage: s, id: "a", driftPPM: -s.env.MaxDriftPPM}
	s.candidate(a.id, 0, jitter, scenarios.Clock{DriftPPM: a.driftPPM})
	return a
}

// round makes the horizon whole seconds, some seconds later.
func (s *stage) round() { s.s.Horizon = (s.s.Horizon + 5*time.Second).Truncate(time.Second) }

// success adds the leader a and the faults up to its last success. It returns a, advanced to the end of that success, and when
// the first and the last of the writes that look the same are applied, in true time.
func (s *stage) success(p *bound.Plan) (a *actor, first, last time.Duration) {
	a = s.leader(0)
	if p.Acquiring {
		first, last = s.acquiring(a, &p.Chain)
	} else {
		first, last = s.chain(a, &p.Chain)
	}
	return a, first, last
}

// chain adds the faults of a chain that ends with a renewal, and advances a to the handling of that renewal's answer. It changes
// the candidate that was added last: it sets Clock.Offset and, as the chain needs it, Jitter, Rejoin and SameElector. It returns
// when the first and the last of the writes that look the same are applied, in true time.
func (s *stage) chain(a *actor, c *bound.Chain) (first, last time.Duration) {
	me := &s.s.Candidates[len(s.s.Candidates)-1]
	second := slack
	switch c.Join {
	case bound.JoinAcquired:
		first, second = s.acquireSlowly(a, c)
	case bound.JoinRetried:
		first = s.retried(a, me)
	case bound.JoinRerun:
		wins := a.trip()
		if s.cfg.Profile.ReadsFirst() {
			wins += a.trip()
		}
		first, second = s.rerun(a, me, bound.Local(wins, a.driftPPM)+2)
		a.plain(int(wins / a.trip()))
	case bound.JoinTicked:
		first, second = s.ticked(a, c)
	}
	if c.Join != bound.JoinTicked {
		a.polled = a.local
	}
	me.Clock.Offset = second
	return first, a.last(c)
}

// retried adds the faults with which a leader acquires the lock twice within a second, and renews it until just before that
// second is over. It advances a past the last renewal, sets the jitter of candidate c, and returns when the first write is
// applied, in true time.
func (s *stage) retried(a *actor, c *scenarios.Candidate) (first time.Duration) {
	goal := time.Second - slack - time.Microsecond
	a.plain(1)
	first = a.now + a.leg
	a.request(machine.Create, hidden, 0)
	renewals := time.Duration(math.Ceil(float64(time.Second)/float64(s.cfg.RetryPeriod))) - 2
	trips, renewal := 2*a.trip(), a.trip()
	if s.cfg.Profile.ReadsFirst() {
		renewal = trips
	}
	wait := func() time.Duration {
		each := bound.Local(renewal, a.driftPPM) + s.cfg.RetryPeriod + 1
		return goal - a.local - bound.Local(trips, a.driftPPM) - max(0, renewals)*each
	}
	for renewals > 0 && wait() < s.cfg.RetryPeriod {
		renewals--
	}
	jitter := jitterFor(s.cfg.RetryPeriod, wait())
	c.Jitter = &jitter
	a.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	a.plain(2)
	for range renewals {
		a.renew()
	}
	return first
}

// ticked adds the faults of a poll in which two attempts begin less than a second apart because of its ticks, and advances a to
// the second of the two. It returns when the first of their writes is applied, in true time, and the offset that the wall clock
// must have for both attempts to be in one second.
func (s *stage) ticked(a *actor, c *bound.Chain) (first, offset time.Duration) {
	a.acquire()
	a.renew()
	a.polled, a.ticking = a.local, a.local
	a.setRate(s.env.MaxDriftPPM)
	for i, took := range c.Setup {
		pause := time.Duration(0)
		if i == len(c.Setup)-1 {
			pause = c.SetupPause
		}
		if took > 0 && pause == 0 {
			took += 2 * time.Microsecond // surely past the tick, and not much more than planned
		}
		s.setUp(a, bound.True(took, a.driftPPM), pause)
	}
	a.setRate(-s.env.MaxDriftPPM)
	gap := a.tick() - a.local
	margin := min(slack, max(0, time.Second-gap)/2) // the second attempt is in the same second, after however short a freeze
	offset = time.Second - a.local%time.Second + margin
	if gap < c.Gap-time.Millisecond {
		return a.mark(bound.True(min(c.Gap, time.Second-time.Microsecond), a.driftPPM)), offset
	}
	begun := a.local
	first = a.mark(0)
	a.wait(begun + gap - a.local)
	return first, offset
}

// spent returns how long a freeze must be to have the effect of a freeze of length pause that begins exactly when it is needed: a
// little longer, since a freeze begins a little early, but no longer than MaxPause. For a pause of 0 it returns 0.
func (s *stage) spent(pause time.Duration) time.Duration {
	if pause == 0 {
		return 0
	}
	return min(pause+s.near+2*time.Microsecond, s.env.MaxPause)
}

// setUp adds the faults of an attempt that fails after the time given as took and, if pause is not 0, of a freeze after it. It
// advances a to the poll's next attempt. If the profile drops ticks, it sets a.ticking to the end of this attempt. took and pause
// are in true time.
func (s *stage) setUp(a *actor, took, pause time.Duration) {
	tick := a.tick()
	a.fail(took, false)
	if s.cfg.Profile.DropsTicks() { // and starts its ticker only then
		a.ticking, tick = a.local, a.local+s.cfg.RetryPeriod
	}
	if pause > 0 {
		if took == 0 {
			a.wait(max(0, tick-a.local)) // and is frozen over that
		}
		a.pass(s.pause(a.id, a.now, s.spent(pause)) - a.now)
	}
	if a.local < tick {
		a.wait(tick - a.local)
	}
}

// tick returns what the candidate's clock will show at the next tick of the poll.
func (a *actor) tick() time.Duration { return tickAfter(a.local, a.ticking, a.cfg.RetryPeriod) }

// tickAfter returns when the next tick after now comes of a ticker that began to tick at begun, with a period.
func tickAfter(now, begun, period time.Duration) time.Duration {
	return begun + ((now-begun)/period+1)*period
}
