package scenariotest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw/drawtest"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// rollingOut are environments of scenarios with rollouts.
var rollingOut = map[string]Environment{
	"drains":  {Profile: machine.Strict, Timings: usual, MaxDrain: 3 * time.Second},
	"frozen":  {Profile: machine.Strict, Timings: usual, Freezes: true},
	"several": {Profile: machine.Strict, Elections: true, Freezes: true},
}

// rolling draws scenarios with a rollout, if there are enough candidates. Where the plan says what becomes of it, rollout-ends is asked.
func rolling(e Environment) func(seed int) *scenarios.Scenario {
	random := rapid.Custom(func(t *rapid.T) *scenarios.Scenario {
		space := e.space(t)
		space.Limits.Rollouts = true
		return &scenarios.Scenario{Name: "rollout", Plan: *drawtest.Plan(t, space), Expect: e.expect()}
	})
	return func(seed int) *scenarios.Scenario {
		s := random.Example(seed)
		s.Seed = uint64(seed)
		for i := range s.Faults {
			if want := becomesOf(&s.Plan, &s.Faults[i]); want != "" {
				if s.Expect == nil {
					s.Expect = map[string]scenarios.Expectation{}
				}
				s.Expect[check.RolloutEnds] = want
			}
		}
		return s
	}
}

// becomesOf says what becomes of a rollout by the plan alone, "" for not known. With pods that are ready once their processes run it
// ends when as many have started one after the other as it replaces, if nothing keeps them from running: f then gets that time for its
// deadline. Two pods are never ready at once that are ready only while they lead the same election, if work is never of two.
func becomesOf(p *plan.Plan, f *plan.Fault) scenarios.Expectation {
	if f.Kind != plan.FaultRollout {
		return ""
	}
	want := scenarios.ExpectViolated
	if f.Readiness != plan.ReadyLeading {
		within := max(1, time.Duration(len(f.To))*f.Startup)
		f.Deadline, want = &within, scenarios.ExpectHeld
	}
	known := len(f.To) > 1 && len(p.Elections) == 0 && !slices.ContainsFunc(p.Faults, func(o plan.Fault) bool { return o.Kind == plan.FaultPause })
	if want == scenarios.ExpectHeld {
		known = !slices.ContainsFunc(p.Faults, func(o plan.Fault) bool { return stopsAny(f.To, &o) }) &&
			!slices.ContainsFunc(p.Candidates, func(c plan.Candidate) bool { return c.OnLoss == plan.LossExit || c.LivenessProbe != nil })
	}
	if !known || f.At+f.Within() >= p.Horizon {
		return ""
	}
	return want
}

// stopsAny tells whether a fault may end or freeze one of those processes.
func stopsAny(ids []string, f *plan.Fault) bool {
	switch f.Kind {
	case plan.FaultCrash, plan.FaultRestart, plan.FaultPause:
		return len(f.On) == 0 || f.NamesRole() || slices.ContainsFunc(f.On, func(id string) bool { return slices.Contains(ids, id) })
	}
	return false
}

// TestStrictHoldsInRollouts: a rollout is nothing that strict, whose work ends in time, would not be safe in, and what becomes of it is
// what the plan says. The other checks, which know nothing of rollouts, find nothing either: processes end as a whole, and nothing ends
// that has not begun.
func TestStrictHoldsInRollouts(t *testing.T) {
	ends, asked := endings{}, map[scenarios.Expectation]int{}
	for name, e := range rollingOut {
		draw := rolling(e)
		for seed := range 300 {
			s := draw(seed)
			require.Empty(t, wrong(s), "%s, seed %d", name, seed)
			asked[s.Expect[check.RolloutEnds]]++
			_, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{ends}})
			require.NoError(t, err)
		}
	}
	t.Log(asked)
	assert.Greater(t, ends[trace.Terminated], 50)
	assert.Positive(t, ends[trace.Killed])
	assert.Greater(t, asked[scenarios.ExpectHeld], 30)
	assert.Greater(t, asked[scenarios.ExpectViolated], 10)
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
