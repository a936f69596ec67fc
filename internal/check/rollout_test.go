package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// rolling is a run of 100 s whose fault 1 is a rollout that should take 30 s.
func rolling() *trace.Header {
	return &trace.Header{
		Horizon: 100 * time.Second, Candidates: []trace.Candidate{{ID: "a"}, {ID: "b"}, {ID: "c"}},
		Rollouts: []trace.Rollout{{Fault: 1, Within: 30 * time.Second, To: []string{"b", "c"}}},
	}
}

// ofFault is an event about a fault.
func ofFault(second int64, k trace.Kind, fault int32) trace.Event {
	e := at(second, k, trace.Nobody)
	e.Fault = fault
	return e
}

func TestRolloutEnds(t *testing.T) {
	began := ofFault(20, trace.FaultBegan, 1)
	for name, c := range map[string]struct {
		events     []trace.Event
		want       Verdict
		violations []string
	}{
		"over in time":      {one(began, ofFault(40, trace.FaultEnded, 1)), Held, nil},
		"to the instant":    {one(began, ofFault(50, trace.FaultEnded, 1)), Held, nil},
		"late":              {one(began, ofFault(51, trace.FaultEnded, 1)), Violated, []string{"50s..51s b c"}},
		"never over":        {one(began), Violated, []string{"50s..1m40s b c"}},
		"another one's end": {one(began, ofFault(40, trace.FaultEnded, 0)), Violated, []string{"50s..1m40s b c"}},
		"the run is short":  {one(ofFault(70, trace.FaultBegan, 1)), Inconclusive, nil},
		"it has not begun":  {nil, Inconclusive, nil},
		"another has begun": {one(ofFault(20, trace.FaultBegan, 0)), Inconclusive, nil},
	} {
		p := verdictOf(RolloutEnds, rolling(), c.events)
		assert.Equal(t, c.want, p.Verdict, name)
		assert.Equal(t, c.violations, show(p.Violations), name)
		assert.Equal(t, Eventually, p.Kind)
	}
}

// TestRolloutWaitsFor: a violation names the new pods that were not ready when the rollout should have been over.
func TestRolloutWaitsFor(t *testing.T) {
	began := ofFault(20, trace.FaultBegan, 1)
	works := func(second int64, k trace.Kind) trace.Event {
		e := at(second, k, 1)
		e.Incarnation, e.Term = 1, 1
		return e
	}
	for name, c := range map[string]struct {
		leading bool
		events  []trace.Event
		want    string
	}{
		"one has started":           {false, one(began, at(30, trace.RunStarted, 1)), "50s..1m40s c"},
		"at the last instant":       {false, one(began, at(50, trace.RunStarted, 1)), "50s..1m40s c"},
		"an instant later":          {false, one(began, at(51, trace.RunStarted, 1)), "50s..1m40s b c"},
		"one has ended":             {false, one(began, at(30, trace.RunStarted, 1), at(40, trace.Crashed, 1)), "50s..1m40s b c"},
		"one leads":                 {true, one(began, at(30, trace.RunStarted, 1), works(40, trace.WorkStarted)), "50s..1m40s c"},
		"none does any more":        {true, one(began, works(40, trace.WorkStarted), works(45, trace.WorkCancelled)), "50s..1m40s b c"},
		"it does until a bit later": {true, one(began, works(40, trace.WorkStarted), works(51, trace.WorkCancelled)), "50s..1m40s c"},
	} {
		h := rolling()
		h.Rollouts[0].Leading = c.leading
		assert.Equal(t, []string{c.want}, show(verdictOf(RolloutEnds, h, c.events).Violations), name)
	}
}

// TestRolloutOfSeveralElections: a rollout is of processes, and is late once, however many elections these are in.
func TestRolloutOfSeveralElections(t *testing.T) {
	h := rolling()
	h.Elections = []string{"x", "y"}
	h.Candidates = []trace.Candidate{{ID: "a/x", Election: "x"}, {ID: "a/y", Election: "y"}}
	p := verdictOf(RolloutEnds, h, one(ofFault(20, trace.FaultBegan, 1)))
	assert.Equal(t, Violated, p.Verdict)
	assert.Equal(t, []string{"50s..1m40s "}, show(p.Violations))
}

// TestRolloutInHeader: liveness is asked for once a rollout should be over.
func TestRolloutInHeader(t *testing.T) {
	p := &plan.Plan{Horizon: time.Hour, Candidates: make([]plan.Candidate, 2)}
	p.Candidates[0].Lock, p.Candidates[1].Lock = plan.Lease, plan.Lease
	p.Faults = []plan.Fault{
		{Kind: plan.FaultDelete, At: time.Second},
		{Kind: plan.FaultRollout, At: time.Minute, Rollout: plan.Rollout{
			To: []string{"b"}, Readiness: plan.ReadyLeading, Deadline: new(time.Minute),
		}},
	}
	h := Header(p)
	assert.Equal(t, []trace.Rollout{{Fault: 1, Within: time.Minute, To: []string{"b"}, Leading: true}}, h.Rollouts)
	assert.Equal(t, 2*time.Minute, h.Calm)
	assert.False(t, h.Endless)
	p.Faults[1].Deadline = nil
	assert.Equal(t, 11*time.Minute, Header(p).Calm)
	p.Horizon = 11 * time.Minute
	assert.True(t, Header(p).Endless)
	SetHeader(h, &plan.Plan{Candidates: p.Candidates})
	assert.Nil(t, h.Rollouts)
}
