package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// released adds the candidates and faults of a leader and its successor, and sets the horizon. The leader cannot renew; its
// release is applied but never answered, so that it works on while the successor already leads.
func (s *stage) released(p *bound.Plan) {
	a := s.leader(0)
	a.acquire()
	a.renew()
	failing := *a
	a.wait(s.cfg.RenewDeadline)
	s.failPoll(&failing, a.now)
	end := a.now + p.Release
	if !s.cfg.Profile.ReleasesBlindly() {
		a.plain(1) // release reads first, within its deadline
		end = min(a.now+p.Release, end-p.Release+bound.True(s.cfg.RenewDeadline, a.driftPPM))
	}
	s.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, "a", a.now, a.now+s.leg)
	s.candidate("b", a.now+s.leg+1, 0, scenarios.Clock{})
	started := a.now + 5*s.leg + 1
	if p.Release == bound.Forever {
		s.s.Horizon = started + p.Release
		return
	}
	s.s.Horizon = s.finish("a", end, s.env.MaxPause)
}

// failPoll adds the faults that make a poll of leader a fail, which begins at a.now and ends at deadline, in true time. The
// poll's Gets are answered, since a blind release needs the object that was read last. If the profile reads first and no request
// timeout ends before the poll, the poll's first write is lost, and failPoll advances a past that request; otherwise it does not
// advance a.
func (s *stage) failPoll(a *actor, deadline time.Duration) {
	if f := s.cfg.RequestTimeout; s.cfg.Profile.ReadsFirst() && (f == 0 || f >= s.cfg.RenewDeadline) {
		a.plain(1)
		a.request(machine.Update, lost, 0) // and waited for to the end
		return
	}
	end := deadline - s.near - 3
	if !s.cfg.Profile.ReleasesBlindly() {
		end = deadline + s.leg // a tick at the deadline may have the library try once more
	}
	s.fault(errorOn(machine.Update, false), a.id, a.now, end)
}

// wiped adds the candidates and faults that follow the failed last poll of a leader a, and sets the horizon. That poll is over at
// a.now; it began at polled. The candidate b takes over and renews; the release of a blanks b's lease; the candidate c takes the
// blanked lease; and b works on for as long as it can. first and last are when the first and the last of a's writes that look the
// same were applied. All times are true times.
func (s *stage) wiped(p *bound.Plan, a *actor, polled, first, last time.Duration) {
	later := s.cfg.ReleasesLater()
	if later {
		a.pass(s.env.Drain)
	}
	s.cutOff("a", polled, a.now-s.near-3)
	b := s.successor(p, a, first, last)
	b.setRate(-s.env.MaxDriftPPM)
	b.plain(2)
	renewed := b.now + s.leg
	b.request(machine.Update, answered, min(b.longest(), b.direct()))
	wiped := s.readLate(a, renewed+s.leg) + 2*s.leg
	b.wait(s.cfg.RetryPeriod)
	polled = b.now
	b.wait(s.cfg.RenewDeadline)
	s.candidate("c", wiped+1, 0, scenarios.Clock{})
	s.cutOff("b", polled, b.now-s.near-3)
	if later { // the release is no part of the work
		s.cutOff("b", b.now, plan.MaxDuration-s.near)
		s.s.Horizon = s.finish("b", b.now, s.env.MaxPause)
		return
	}
	end := b.now + p.Release
	s.conflicting(b, wiped+1, p.Conflicts)
	b.request(machine.Get, answered, b.longest())
	wait := b.longest() - bound.True(s.cfg.RequestTimeout, b.driftPPM)
	switch local := bound.Local(max(0, wait), b.driftPPM); {
	case s.cfg.Client != nil:
		b.token(b.longest() - b.direct())
	case b.limited() && local > 0:
		b.fault(scenarios.Fault{Kind: plan.FaultDelay, Limiter: local}, "b", b.now, b.now)
	}
	s.cutOff("b", b.now, plan.MaxDuration-s.near)
	s.s.Horizon = s.finish("b", end, s.env.MaxPause)
}

// conflicting adds the faults with which the release of b, which begins at b.now, conflicts so often with a renewal of c, and advances b past
// that. c takes the lock as it starts, at the true time started, and renews at once, and a RetryPeriod after each answer. The answers to
// its first renewals are as late as it takes for the first one of b's release to lie between what b reads and what it writes.
func (s *stage) conflicting(b *actor, started time.Duration, times int) {
	if times == 0 {
		return
	}
	each, longest := s.cfg.RetryPeriod+2*s.leg, min(b.longest(), b.direct()) // no request waits for a token
	if f := s.cfg.RequestTimeout; f > 0 {
		longest = min(longest, f-slack) // which c waits, whose clock runs true
	}
	wanted := b.now + 2*s.leg
	if s.cfg.RetryPeriod < 2*longest {
		wanted += longest / 2
	}
	renews := started + 4*s.leg
	for later := (wanted - s.leg - renews) % each; later > 0; renews += each {
		late := min(later, longest-2*s.leg)
		back := always(late + s.leg)
		s.fault(scenarios.Fault{Kind: plan.FaultDelay, Response: &back}, "c", renews, renews+s.leg)
		renews += late
		later -= late
	}
	for range times {
		b.request(machine.Get, answered, longest)
		b.token(0)
		out := always(longest - s.leg)
		s.fault(scenarios.Fault{Kind: plan.FaultDelay, Request: &out}, b.id, b.now, b.now)
		b.pass(longest)
	}
}

// successor adds candidate b, and returns it at the beginning of its attempt to take over. At that time the release of a is about
// to read the record. If p.HiddenConflict is set, it is about to read it again, after a 409 that hid that its write was applied.
// first and last are when the first and the last of a's writes that look the same were applied, in true time.
func (s *stage) successor(p *bound.Plan, a *actor, first, last time.Duration) *actor {
	if !p.HiddenConflict {
		s.fault(errorOn(machine.Update, false), "a", a.now, a.now+s.leg) // as in failPoll
		return s.observe("b", first, max(last+1, a.now-5*s.leg-time.Microsecond))
	}
	a.plain(1)
	b := &actor{stage: s, id: "b", driftPPM: s.env.MaxDriftPPM}
	b.pass(a.now + s.leg + 1)
	s.candidate("b", b.now, 0, scenarios.Clock{DriftPPM: b.driftPPM})
	a.request(machine.Update, conflict, 0)
	return b
}

// readLate adds the faults with which the release of a, which begins at a.now, reads the record no earlier than at. It returns
// when the release reads it; both are in true time. First, the release's message takes as long as it can. If that is not enough,
// the release's first write also conflicts with the takeover, and it reads again. If that is not enough either, its process is
// frozen before.
func (s *stage) readLate(a *actor, at time.Duration) time.Duration {
	late, most := at-a.now, a.longest()-s.leg
	if late <= s.leg {
		return a.now + s.leg
	}
	if late <= most {
		a.slowOut(late)
		return at
	}
	get := a.longest()
	again := min(get+most+2*s.leg, bound.True(s.cfg.RenewDeadline, a.driftPPM)-slack-2*s.leg)
	if late > again {
		begins := s.near
		if s.cfg.ReleasesLater() {
			begins -= min(begins, s.env.Drain) // so much of the drain is yet to come as it wakes
		}
		s.pause(a.id, a.now, late-again+begins)
		a.pass(late - again)
		s.fault(errorOn(machine.Update, false), a.id, a.now, a.now+s.leg) // of a request that was lost until then: as in failPoll
		late = again
	}
	get = min(get, late-4*s.leg)
	a.request(machine.Get, answered, get)
	a.slowOut(late - get - 2*s.leg)
	return at
}

// slowOut adds the faults with which the candidate's next request arrives at the service only after d, in true time. If a wait in
// the client's limiter or a retry is part of that, it advances a past it; the rest is a delay of the request itself.
func (a *actor) slowOut(d time.Duration) {
	before := a.now
	a.hold(d + a.leg)
	rest := d - (a.now - before)
	if a.cfg.Client != nil { // whose wait may be shorter than that
		rest = min(max(rest, a.leg), a.direct()-a.leg)
	}
	out := always(rest)
	a.fault(scenarios.Fault{Kind: plan.FaultDelay, Request: &out}, a.id, a.now, a.now)
}
