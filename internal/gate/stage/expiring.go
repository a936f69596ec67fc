package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// expiring adds the candidates and faults of the worst case of a lock that expires by itself, and sets the horizon. A leader
// whose last success is answered as late as possible is cut off. Another candidate starts when the entry has run out or was
// released.
func (s *stage) expiring(p *bound.Plan) {
	a := &actor{stage: s, id: "a"}
	s.candidate("a", 0, 0, scenarios.Clock{})
	a.pass(a.trip())
	verb := machine.Create
	if p.Refreshed {
		a.request(verb, answered, 0)
		a.wait(s.cfg.RetryPeriod)
		verb = machine.Refresh
	}
	sent := a.now
	a.setRate(-s.env.MaxDriftPPM)
	a.request(verb, answered, p.Answer-slack)
	heldFrom := a.now
	if s.cfg.Profile.CountsFromSend() {
		a.now, heldFrom = sent, a.now
	}
	a.local = a.sinceOnClock + bound.Local(a.now-a.since, a.driftPPM)
	a.wait(s.cfg.RenewDeadline)
	s.s.Horizon = s.finish("a", a.now+p.Release, s.env.MaxPause)
	if p.Kind == bound.Released {
		s.cutOff("a", heldFrom, a.now-s.near-3)
		s.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, "a", a.now, a.now+s.leg)
		s.candidate("b", a.now+s.leg+1, 0, scenarios.Clock{})
		return
	}
	s.cutOff("a", heldFrom, plan.MaxDuration-s.near)
	s.expires(p, sent)
}

// epoch is what true clocks show when a scenario starts, since 1970: 2000-01-01T00:00:00Z.
const epoch = 946684800 * time.Second

// expires sets the clocks that decide when the last entry runs out, adds a candidate b that starts at that time, and makes b work
// for as long as a. sent is when the request that made or refreshed the entry was sent, in true time. The stage must have the
// candidate a already.
func (s *stage) expires(p *bound.Plan, sent time.Duration) {
	counts := sent + s.leg // when the service has it
	own := s.cfg.Lock.ByCaller(s.cfg.Now)
	if own {
		counts = sent
	}
	// A column of whole units cuts off most just before one is over.
	shift := time.Duration(0)
	if unit := s.cfg.Precision; s.cfg.Lock.ByWallClock() && unit > time.Microsecond {
		shown := epoch + counts
		if !own {
			shown = epoch + bound.Local(counts, s.env.MaxDriftPPM)
		}
		shift = (2*unit - time.Microsecond - shown%unit) % unit
	}
	var clock scenarios.Clock
	if own {
		s.s.Candidates[0].Clock.Offset = shift
		clock.Offset = shift + s.env.MaxClockOffset
	} else {
		s.s.Service = scenarios.Clock{Offset: shift, DriftPPM: s.env.MaxDriftPPM}
	}
	start := max(counts+p.Wait, sent+s.leg) + 3*time.Microsecond
	s.candidate("b", start, 0, clock)
	s.outlast(p, start+8*s.leg, own)
}

// outlast makes b work for as long as a does. As a rule b refreshes its entry; where the service's clock is fast, b's clock is
// then fast too. If b's entry would run out before b refreshes it, b is cut off and frozen instead, so that it works on without
// an entry, as a does. started is when b started to work, in true time; own is true if the candidates' wall clocks decide.
func (s *stage) outlast(p *bound.Plan, started time.Duration, own bool) {
	keeps := s.cfg.LeaseDuration - s.cfg.RetryPeriod - time.Millisecond
	if s.cfg.Lock.ByWallClock() {
		keeps -= s.cfg.Precision
	}
	if keeps > 0 {
		if !own {
			s.rate("b", started, s.env.MaxDriftPPM)
		}
		return
	}
	s.rate("b", started, -s.env.MaxDriftPPM)
	s.cutOff("b", started+s.near, plan.MaxDuration-s.near)
	s.pause("b", started+bound.True(s.cfg.RenewDeadline, -s.env.MaxDriftPPM)+p.Release-9*s.leg, s.env.MaxPause)
}
