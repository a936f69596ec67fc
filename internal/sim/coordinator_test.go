package sim

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// anyCoordinated is a plan of coordinated candidates and a coordinator, which faults meet as they do all others.
func anyCoordinated() *rapid.Generator[*plan.Plan] {
	return rapid.Custom(func(t *rapid.T) *plan.Plan {
		p := anyPlan().Filter(func(p *plan.Plan) bool { return len(p.Elections) == 0 && p.Candidates[0].Lock == plan.Lease }).Draw(t, "plan")
		for i := range p.Candidates {
			c := &p.Candidates[i]
			c.Profile, c.Lock, c.Coordinated, c.BinaryVersion = machine.ClientGo, plan.Lease, true, "1.36"
		}
		p.Coordinator = &plan.Coordinator{StartAt: drawTime(t, "starts", 5*sec)}
		for i := range p.Faults {
			f := &p.Faults[i]
			if len(f.On) == 1 && f.Kind != plan.FaultCancel && f.Kind != plan.FaultRollout && rapid.Bool().Draw(t, "the coordinator's") {
				f.On = []string{plan.CoordinatorID}
			}
		}
		require.NoError(t, p.Validate())
		return p
	})
}

// TestCoordinatedIsAFunctionOfItsPlan: twice the same events, whatever happens to the coordinator; a process that is
// frozen or dead does nothing.
func TestCoordinatedIsAFunctionOfItsPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyCoordinated().Draw(t, "plan")
		first, second := play(t, p), play(t, p)
		require.Equal(t, first.events, second.events)
		var off [8]bool
		for i := range first.events {
			e := &first.events[i]
			switch e.Kind {
			case trace.Paused, trace.Crashed:
				off[e.Candidate] = true
			case trace.Resumed, trace.RunStarted:
				off[e.Candidate] = false
			case trace.RequestSent:
				require.False(t, off[e.Candidate], "event %d", e.Seq)
			}
		}
	})
}

// TestFrozenCoordinator: what came while it was frozen is done when it wakes.
func TestFrozenCoordinator(t *testing.T) {
	appointed := func(c *plan.Candidate) { c.Coordinated, c.BinaryVersion = true, "1.36" }
	wakes := 100 * sec
	setup := with(round(aPlan(120*sec, who("a", 0, appointed), who("b", 2*sec, appointed)), ms),
		plan.Fault{Kind: plan.FaultPause, At: 20 * sec, Until: &wakes, On: []string{plan.CoordinatorID}},
		fault(plan.FaultCrash, 30*sec, "a"),
	)
	setup.Coordinator = &plan.Coordinator{}
	r := play(t, setup)
	i := slices.IndexFunc(r.events, func(e trace.Event) bool { return e.Kind == trace.WorkStarted && e.Candidate == 1 })
	require.GreaterOrEqual(t, i, 0)
	assert.Greater(t, r.events[i].At, int64(wakes))
	assert.Less(t, r.events[i].At, int64(wakes+10*sec))
}

// TestPostsLeaveNothingBehind: an hour of coordinated elections, with lost requests, needs no more room for messages than
// are on their way at once.
func TestPostsLeaveNothingBehind(t *testing.T) {
	appointed := func(c *plan.Candidate) { c.Coordinated, c.BinaryVersion = true, "1.36" }
	until, often := 3000*sec, 0.3
	setup := with(round(aPlan(3600*sec, who("a", 0, appointed), who("b", 2*sec, appointed)), ms),
		plan.Fault{Kind: plan.FaultLose, At: 60 * sec, Until: &until, Probability: &often},
	)
	for at := 20 * sec; at < until; at += 20 * sec {
		setup.Faults = append(setup.Faults, fault(plan.FaultRestart, at, []string{"a", "b"}[at/(20*sec)%2]))
	}
	setup.Coordinator = &plan.Coordinator{}
	require.NoError(t, setup.Validate())
	written := tape{}
	w := newWorld(setup, []trace.Sink{&written})
	runAll(w)
	others := slices.DeleteFunc(written.events, func(e trace.Event) bool { return e.Kind == trace.CandidacyWritten })
	assert.Greater(t, w.Count-uint64(len(others)), uint64(100))
	room, used := w.coordinated.Underway()
	assert.Less(t, room, 20)
	assert.Zero(t, used, "all have arrived")
}
