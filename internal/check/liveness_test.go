package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// alive is a run of 100 s whose last fault ends after 20 s, and in which a leader must work within 30 s of that.
func alive() *trace.Header {
	return &trace.Header{
		Horizon: 100 * time.Second, Calm: 20 * time.Second, Failover: 30 * time.Second,
		Candidates: []trace.Candidate{{ID: "a"}, {ID: "b", Rejoins: true}},
	}
}

func lives(h *trace.Header, events ...trace.Event) Property {
	return *verdictOf(Liveness, h, events)
}

func at(second int64, k trace.Kind, candidate int32) trace.Event {
	return trace.Event{At: second * int64(time.Second), Kind: k, Candidate: candidate}
}

func TestLivenessHeld(t *testing.T) {
	started := at(0, trace.RunStarted, 0)
	for name, events := range map[string][]trace.Event{
		"in time":        {started, at(50, trace.WorkStarted, 0)},
		"all along":      {started, at(5, trace.WorkStarted, 0), at(60, trace.WorkCancelled, 0)},
		"to the instant": {started, at(5, trace.WorkStarted, 0), at(20, trace.WorkCancelled, 0), at(50, trace.WorkStarted, 0)},
	} {
		assert.Equal(t, Held, lives(alive(), events...).Verdict, name)
	}
}

func TestLivenessViolated(t *testing.T) {
	started := at(0, trace.RunStarted, 0)
	never := lives(alive(), started)
	assert.Equal(t, Violated, never.Verdict)
	assert.Equal(t, []Violation{{FromNs: 50e9, ToNs: 100e9, Candidates: []string{}}}, never.Violations)

	late := lives(alive(), started, at(51, trace.WorkStarted, 0))
	assert.Equal(t, Violated, late.Verdict)
	assert.Equal(t, int64(time.Second), late.OverlapNs)

	lost := lives(alive(), started, at(5, trace.WorkStarted, 0), at(20, trace.WorkCancelled, 0))
	assert.Equal(t, Violated, lost.Verdict, "it stopped at the very instant")

	resting := lives(alive(), at(0, trace.RunStarted, 1), at(30, trace.RunReturned, 1))
	assert.Equal(t, Violated, resting.Verdict, "it is to run again, and did not")
}

func TestLivenessInconclusive(t *testing.T) {
	started := at(0, trace.RunStarted, 0)
	endless, short := alive(), alive()
	endless.Endless = true
	short.Horizon = 40 * time.Second
	named, shorter := alive(), alive()
	named.Endless, named.EndlessBy = true, "a fault lasts to the end of the run"
	shorter.Horizon = 10 * time.Second
	for _, c := range []struct {
		why string
		p   Property
	}{
		{"something lasts to the end of the run", lives(endless, started)},
		{"a fault lasts to the end of the run", lives(named, started, at(30, trace.WorkStarted, 0))},
		{"the run ends before a leader is due", lives(short, started)},
		{"the run ends before the last fault is over and the last candidate has started", lives(shorter, started)},
		{"all candidates have left", lives(alive(), started, at(30, trace.RunReturned, 0))},
		{"all candidates have left", lives(alive(), started, at(30, trace.Crashed, 0))},
	} {
		assert.Equal(t, Inconclusive, c.p.Verdict, c.why)
		assert.Equal(t, c.why, c.p.Why)
		assert.Equal(t, Eventually, c.p.Kind)
	}
	assert.Empty(t, lives(alive(), started).Why, "violated")
}

// TestEndlessBy: a header says what lasts to the end of the run.
func TestEndlessBy(t *testing.T) {
	p := &plan.Plan{Horizon: time.Minute, Candidates: []plan.Candidate{{ID: "a"}}}
	assert.Empty(t, Header(p).EndlessBy)
	p.Faults = []plan.Fault{{Kind: plan.FaultOutage, At: time.Second}}
	assert.Equal(t, "a fault lasts to the end of the run", Header(p).EndlessBy)
}

// TestLivenessInRollout: while a rollout goes on that should be over, liveness says nothing.
func TestLivenessInRollout(t *testing.T) {
	h := alive()
	h.Rollouts = []trace.Rollout{{Fault: 1, Within: time.Second}}
	started, over, other := at(0, trace.RunStarted, 0), at(10, trace.FaultEnded, trace.Nobody), at(10, trace.FaultEnded, trace.Nobody)
	over.Fault = 1
	assert.Equal(t, Violated, lives(h, started, over).Verdict)
	assert.Equal(t, Inconclusive, lives(h, started, other).Verdict, "another fault's end")
	over.At = 21e9
	assert.Equal(t, Inconclusive, lives(h, started, over).Verdict, "too late")
	over.At, over.Kind = 10e9, trace.FaultVoid
	assert.Equal(t, Violated, lives(h, started, over).Verdict, "it did nothing")
}
