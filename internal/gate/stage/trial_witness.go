package stage

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// tries tells whether a trial plays what is judged: client-go v0.37 with a limiter and one object, whose polls have a second or more between two
// ticks, and without a release. All of its calls take at least a little, which the environment must allow.
func (s *stage) tries() bool {
	c := s.cfg
	return c.Client.Limits() && c.Minor == 0 && !c.Profile.ReadsFirst() && !c.Profile.EndsInTime() && !c.Profile.DropsTicks() && !c.ReleaseOnCancel &&
		!c.Lock.Expires() && s.gets() == 1 && c.RetryPeriod >= time.Second && bound.True(2*s.leg+1, -s.env.MaxDriftPPM) <= s.env.MaxRoundTrip
}

// tried completes the stage with the longest overlap that a trial finds, if that is longer than an overlap that is known. Its leader is cut off
// after the last success that counts, and a follower takes the lock over.
func (s *stage) tried(known time.Duration) {
	t := s.newTrial()
	if o := t.longestCourse(); o.overlap > known {
		t.play(&o.course)
		s.played(t)
	}
}

// played completes the stage with what a trial has played last.
func (s *stage) played(t *trial) {
	s.expects()
	a := s.leader(0)
	began := t.made[t.first].began
	s.s.Candidates[0].Clock.Offset = time.Second - began%time.Second + slack
	for _, o := range t.traffic {
		if o.At <= t.made[t.last].left {
			s.traffic(a.id, o)
		}
	}
	var first, last time.Duration
	for i := range t.made[:t.last+1] {
		m := &t.made[i]
		arrives := a.plays(m)
		if i == t.first {
			first = arrives
		}
		last = arrives
	}
	if t.polls {
		a.wait(s.cfg.RetryPeriod)
	}
	polled := a.now
	a.wait(s.cfg.RenewDeadline)
	s.takenOver(a, polled, first, last, s.env.MaxPause)
	s.round()
}

// plays adds the faults of a call, and advances a to its end. It returns when the call arrives at the service, in true time.
func (a *actor) plays(m *madeCall) (arrives time.Duration) {
	a.wait(m.left - a.local)
	arrives = a.now + a.leg
	switch {
	case m.ends == triedLost && m.applied:
		a.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, a.id, a.now, arrives)
	case m.ends == triedLost:
		a.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.RequestLeg}, a.id, a.now, arrives)
	default:
		if m.ends == triedFails {
			a.fault(scenarios.Fault{Kind: plan.FaultError, Status: 500, Applied: m.applied}, a.id, a.now, arrives)
		}
		if takes := bound.True(m.over-m.left, a.driftPPM); takes > a.trip() {
			back := always(takes - a.leg)
			a.fault(scenarios.Fault{Kind: plan.FaultDelay, Response: &back}, a.id, a.now, arrives)
		}
	}
	a.wait(m.over - a.local)
	return arrives
}
