package sim

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// anyCoordinated is a plan of coordinated candidates and a coordinator, which faults meet as they do all others.
func anyCoordinated() *rapid.Generator[*Plan] {
	return rapid.Custom(func(t *rapid.T) *Plan {
		p := anyPlan().Filter(func(p *Plan) bool { return len(p.Elections) == 0 && p.Candidates[0].Lock == Lease }).Draw(t, "plan")
		for i := range p.Candidates {
			c := &p.Candidates[i]
			c.Profile, c.Lock, c.Coordinated, c.BinaryVersion = machine.ClientGo, Lease, true, "1.36"
		}
		p.Coordinator = &Coordinator{StartAt: drawTime(t, "starts", 5*sec)}
		for i := range p.Faults {
			f := &p.Faults[i]
			if len(f.On) == 1 && f.Kind != FaultCancel && rapid.Bool().Draw(t, "the coordinator's") {
				f.On = []string{CoordinatorID}
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
		plan := anyCoordinated().Draw(t, "plan")
		first, second := play(t, plan), play(t, plan)
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
	appointed := func(c *Candidate) { c.Coordinated, c.BinaryVersion = true, "1.36" }
	wakes := 100 * sec
	plan := aPlan(120*sec, who("a", 0, appointed), who("b", 2*sec, appointed)).round(ms).with(
		Fault{Kind: FaultPause, At: 20 * sec, Until: &wakes, On: []string{CoordinatorID}},
		fault(FaultCrash, 30*sec, "a"),
	)
	plan.Coordinator = &Coordinator{}
	r := play(t, plan)
	i := slices.IndexFunc(r.events, func(e trace.Event) bool { return e.Kind == trace.WorkStarted && e.Candidate == 1 })
	require.GreaterOrEqual(t, i, 0)
	assert.Greater(t, r.events[i].At, int64(wakes))
	assert.Less(t, r.events[i].At, int64(wakes+10*sec))
}
