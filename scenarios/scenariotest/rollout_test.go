package scenariotest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/draw/drawtest"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// TestStrictHoldsInRollouts: a rollout is nothing that strict, whose work ends in time, would not be safe in. The other checks,
// which know nothing of rollouts, find nothing either: processes end as a whole, and nothing ends that has not begun.
func TestStrictHoldsInRollouts(t *testing.T) {
	ends := endings{}
	for name, e := range map[string]Environment{
		"one":     {Profile: machine.Strict, Timings: usual, MaxDrain: 3 * time.Second},
		"frozen":  {Profile: machine.Strict, Timings: usual, Freezes: true},
		"several": {Profile: machine.Strict, Elections: true, Freezes: true},
	} {
		random := rapid.Custom(func(t *rapid.T) *scenarios.Scenario {
			space := e.space(t)
			space.Limits.Rollouts = true
			return &scenarios.Scenario{Name: "rollout", Plan: *drawtest.Plan(t, space), Expect: e.expect()}
		})
		for seed := range 300 {
			s := random.Example(seed)
			s.Seed = uint64(seed)
			require.Empty(t, wrong(s), "%s, seed %d", name, seed)
			_, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{ends}})
			require.NoError(t, err)
		}
	}
	assert.Greater(t, ends[trace.Terminated], 50)
	assert.Positive(t, ends[trace.Killed])
}

// TestPreyIsSilent: nothing is wrong with a scenario that ships as long as there is no planted bug.
func TestPreyIsSilent(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	p := newPrey(t)
	for _, s := range all {
		assert.Empty(t, p.wrong(s.Name), s.Name)
	}
	assert.Contains(t, p.strict, "rollout-ready")
	assert.Equal(t, plan.FaultRollout, p.asShipped["rollout-deadlock"].Faults[0].Kind)
}
