package text

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/reports"
	"interregnum/scenarios"
)

// story is a run written by hand: events go to a timeline and to the properties.
type story struct {
	scenario *scenarios.Scenario
	timeline *reports.Timeline
	suite    *check.Suite
	horizon  time.Duration
	seq      uint64
	version  uint64
	deleted  bool
}

func newStory(horizon time.Duration, faults []scenarios.Fault, ids ...string) *story {
	h := &trace.Header{Scenario: "story", Seed: 1, Horizon: horizon, Endless: true, EndlessBy: "a fault lasts to the end of the run"}
	s := &scenarios.Scenario{Name: "story", Plan: plan.Plan{Horizon: horizon, Faults: faults}}
	for _, id := range ids {
		h.Candidates = append(h.Candidates, trace.Candidate{
			ID: id, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, ComparesSeconds: true,
		})
		s.Candidates = append(s.Candidates, scenarios.Candidate{ID: id})
	}
	return &story{scenario: s, timeline: reports.NewTimeline(h, faults), suite: check.NewSuite(h), horizon: horizon}
}

// at says that something happened to a candidate.
func (s *story) at(when time.Duration, kind trace.Kind, candidate int32) *trace.Event {
	return s.tell(trace.Event{At: int64(when), Kind: kind, Candidate: candidate, Incarnation: 1, Term: 1})
}

// starts is the start of a Run under an identity.
func (s *story) starts(when time.Duration, candidate int32, identity string) {
	s.tell(trace.Event{
		At: int64(when), Kind: trace.RunStarted, Candidate: candidate, Incarnation: 1, Holder: identity,
	})
}

// writes is a write of the record, by a candidate, that names a holder.
func (s *story) writes(when time.Duration, candidate int32, holder string) {
	e := trace.Event{
		At: int64(when), Kind: trace.Written, Candidate: candidate, Holder: holder,
		Verb: trace.Update, Base: s.version,
	}
	if s.version == 0 || s.deleted {
		e.Verb = trace.Create
	}
	s.version++
	s.deleted = false
	e.Version = s.version
	s.tell(e)
}

// fault is what became of a fault, and whom it is on where that is not everybody.
func (s *story) fault(when time.Duration, kind trace.Kind, fault int32, on ...int32) {
	s.tell(trace.Event{At: int64(when), Kind: kind, Candidate: trace.Nobody, Fault: fault, On: on})
}

func (s *story) tell(e trace.Event) *trace.Event {
	s.seq++
	e.Seq = s.seq
	s.timeline.Observe(&e)
	s.suite.Observe(&e)
	return &e
}

// run is the story's end.
func (s *story) run() *reports.Run {
	r := &scenarios.Result{
		Scenario: "story", Seed: 1, TraceHash: "0123456789abcdef",
		Stats:      scenarios.Stats{Events: s.seq, VirtualNs: int64(s.horizon)},
		Properties: s.suite.Properties(int64(s.horizon)),
	}
	return &reports.Run{Scenario: s.scenario, Result: r}
}

func until(d time.Duration) *time.Duration { return &d }

// lateAck is a leader that counts its lease from a late answer and is then cut off.
func lateAck(ids ...string) *story {
	const ms, sec = time.Millisecond, time.Second
	slow := scenarios.Delay{Min: 9900 * ms, Max: 9900 * ms}
	s := newStory(time.Minute, []scenarios.Fault{
		{Kind: plan.FaultDelay, At: 20 * sec, Until: until(22 * sec), On: ids[:1], Response: &slow},
		{Kind: plan.FaultPartition, At: 22 * sec, On: ids[:1]},
	}, ids...)
	s.starts(0, 0, ids[0])
	s.at(4*ms, trace.BeliefBegan, 0)
	s.writes(4*ms, 0, ids[0])
	s.at(4*ms, trace.WorkStarted, 0)
	for i := range ids[1:] {
		s.starts(time.Duration(i+1)*100*ms, int32(i+1), ids[i+1])
	}
	for k := range 10 {
		s.writes(time.Duration(k+1)*2*time.Second, 0, ids[0])
	}
	s.fault(20*time.Second, trace.FaultBegan, 0, 0)
	s.writes(21968*ms, 0, ids[0])
	s.fault(22*time.Second, trace.FaultEnded, 0)
	s.fault(22*time.Second, trace.FaultBegan, 1, 0)
	s.writes(37968*ms, 1, ids[1])
	s.at(37968*ms, trace.BeliefBegan, 1)
	s.at(37968*ms, trace.WorkStarted, 1)
	for k := range 2 {
		s.writes(time.Duration(k+20)*2*time.Second, 1, ids[1])
	}
	s.at(41912*ms, trace.WorkCancelled, 0)
	s.at(41912*ms, trace.BeliefEnded, 0)
	s.at(41912*ms, trace.WorkEnded, 0)
	s.at(41912*ms, trace.RunReturned, 0)
	for k := range 9 {
		s.writes(time.Duration(k+22)*2*time.Second, 1, ids[1])
	}
	s.scenario.Name = "late-ack"
	s.scenario.About = "The answer to a renewal comes late; the lease is counted from it."
	s.scenario.Expect = map[string]scenarios.Expectation{
		check.SingleWork: scenarios.ExpectViolated, check.SafetyWindow: scenarios.ExpectViolated,
	}
	return s
}

// rich has one of everything.
func rich() *story {
	const sec = time.Second
	drift := int64(-200)
	half := 0.5
	late := 99*sec + 900*time.Millisecond
	s := newStory(100*sec, []scenarios.Fault{
		{Kind: plan.FaultLose, At: 2 * sec, Until: until(9 * sec), Leg: plan.ResponseLeg, Probability: &half},
		{Kind: plan.FaultError, At: 4 * sec, Until: until(12 * sec), On: []string{"alpha"},
			Verb: machine.Update, Status: 504, Applied: true},
		{Kind: plan.FaultClock, At: 6 * sec, On: []string{"alpha", "b"}, Jump: 5 * sec, DriftPPM: &drift},
		{Kind: plan.FaultPause, At: 20 * sec, Until: until(45 * sec), On: []string{plan.RoleLeader}},
		{Kind: plan.FaultPause, At: 50 * sec, Until: until(60 * sec), On: []string{"gamma"}},
		{Kind: plan.FaultDelete, At: 62 * sec},
		{Kind: plan.FaultCrash, At: 70 * sec, On: []string{"alpha"}},
		{Kind: plan.FaultRestart, At: late, On: []string{"alpha"}, Identity: plan.NewIdentity},
		{Kind: plan.FaultCancel, At: 80 * sec, On: []string{plan.RoleFollower}},
		{Kind: plan.FaultOutage, At: 90 * sec},
	}, "alpha", "b", "gamma")
	s.starts(0, 0, "alpha")
	s.starts(sec, 1, "b")
	s.starts(2*sec, 2, "gamma")
	s.writes(sec, 0, "alpha")
	s.at(sec, trace.BeliefBegan, 0)
	s.at(sec, trace.WorkStarted, 0)
	s.fault(2*sec, trace.FaultBegan, 0)
	s.fault(4*sec, trace.FaultBegan, 1, 0)
	s.fault(6*sec, trace.FaultBegan, 2, 0, 1)
	s.fault(9*sec, trace.FaultEnded, 0)
	s.fault(12*sec, trace.FaultEnded, 1)
	s.fault(20*sec, trace.FaultBegan, 3, 0)
	s.at(20*sec, trace.Paused, 0)
	s.writes(36*sec, 1, "b")
	s.at(36*sec, trace.BeliefBegan, 1)
	s.at(36*sec, trace.WorkStarted, 1)
	s.fault(45*sec, trace.FaultEnded, 3)
	s.at(45*sec, trace.Resumed, 0)
	s.at(46*sec, trace.BeliefEnded, 0)
	s.at(46*sec, trace.WorkCancelled, 0)
	s.at(49*sec, trace.WorkEnded, 0)
	s.fault(50*sec, trace.FaultBegan, 4, 2)
	s.at(50*sec, trace.Paused, 2)
	s.at(55*sec, trace.BeliefEnded, 1)
	s.at(55*sec, trace.WorkCancelled, 1)
	s.writes(55*sec, 1, "")
	s.writes(56*sec, 0, "alpha")
	s.tell(trace.Event{At: int64(56 * sec), Kind: trace.WorkStarted, Incarnation: 1, Term: 2})
	s.at(56*sec, trace.BeliefBegan, 0)
	s.at(57*sec, trace.WorkEnded, 1)
	s.fault(60*sec, trace.FaultEnded, 4)
	s.at(60*sec, trace.Resumed, 2)
	s.fault(62*sec, trace.FaultBegan, 5)
	s.tell(trace.Event{At: int64(62 * sec), Kind: trace.Deleted, Candidate: trace.Nobody, Fault: 5})
	s.deleted = true
	s.writes(63*sec, 2, "gamma")
	s.at(63*sec, trace.BeliefBegan, 2)
	s.at(63*sec, trace.WorkStarted, 2)
	s.fault(70*sec, trace.FaultBegan, 6, 0)
	s.at(70*sec, trace.Crashed, 0)
	s.tell(trace.Event{At: int64(70 * sec), Kind: trace.WorkEnded, Incarnation: 1, Term: 2})
	s.at(70*sec, trace.BeliefEnded, 0)
	s.fault(80*sec, trace.FaultBegan, 8, 1)
	s.at(80*sec, trace.RunReturned, 1)
	s.fault(90*sec, trace.FaultBegan, 9)
	s.fault(late, trace.FaultBegan, 7, 0)
	s.tell(trace.Event{At: int64(late), Kind: trace.RunStarted, Incarnation: 2, Holder: "alpha-2"})
	return s
}
