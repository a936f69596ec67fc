package scenariotest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/few"
	"interregnum/plan"
	"interregnum/scenarios"
)

var crippledRuns = few.Else(750, 3000)

// TestCrippledGeneratorIsBlind takes from the random scenarios what one witness needs. The campaign must notice; with
// nothing taken it has seen all.
func TestCrippledGeneratorIsBlind(t *testing.T) {
	without := func(kinds ...plan.FaultKind) func(*scenarios.Scenario) {
		return func(s *scenarios.Scenario) {
			s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool { return slices.Contains(kinds, f.Kind) })
		}
	}
	for name, c := range map[string]struct {
		cripple func(*scenarios.Scenario)
		blind   []string
	}{
		"nothing taken":   {func(*scenarios.Scenario) {}, nil},
		"no lost answers": {without(plan.FaultLose, plan.FaultPartition, plan.FaultOutage), []string{check.AnswerLostAfterApply}},
		"no errors":       {without(plan.FaultError), []string{check.AppliedButRefused}},
		"no pauses":       {without(plan.FaultPause), []string{check.PauseAcrossExpiry}},
		"no drift": {func(s *scenarios.Scenario) {
			for i := range s.Candidates {
				s.Candidates[i].Clock.DriftPPM = 0
			}
			s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool { return f.DriftPPM != nil })
		}, []string{check.ExpiredByDrift}},
		"no faults": {func(s *scenarios.Scenario) { s.Faults = nil }, []string{
			check.AnswerLostAfterApply, check.ReleaseRacedATakeover, check.PauseAcrossExpiry, check.AppliedButRefused,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			e := frozen(machine.Strict)["frozen, drift"]
			err := crippled(t, e, c.cripple).Blind()
			if c.blind == nil {
				assert.NoError(t, err)
				return
			}
			require.Error(t, err)
			assert.Contains(t, err.Error(), fmt.Sprintf("blind: none of %d runs showed ", crippledRuns))
			for _, witness := range c.blind {
				assert.Contains(t, err.Error(), witness)
			}
		})
	}
}

func crippled(t *testing.T, e Environment, cripple func(*scenarios.Scenario)) *Campaign {
	var campaign Campaign
	campaign.In(e)
	random := Random(e)
	for seed := range crippledRuns {
		s := random.Example(seed)
		s.Seed = uint64(seed)
		cripple(s)
		_, err := campaign.Run(s, scenarios.Options{Brief: true})
		require.NoError(t, err)
	}
	return &campaign
}

// TestWitnessesOfAnEnvironment: nothing is asked of a campaign that its environment cannot show.
func TestWitnessesOfAnEnvironment(t *testing.T) {
	every := Environment{Profile: machine.Strict, Freezes: true, MaxDriftPPM: 1, Clients: true}
	assert.Equal(t, check.Witnesses(), every.Witnesses())
	calm := Environment{Profile: machine.Strict}
	assert.NotContains(t, calm.Witnesses(), check.PauseAcrossExpiry)
	assert.NotContains(t, calm.Witnesses(), check.ExpiredByDrift)
	assert.NotContains(t, calm.Witnesses(), check.ConnectionLost)
	var none Campaign
	assert.NoError(t, none.Blind())
	none.In(calm)
	assert.ErrorContains(t, none.Blind(), "blind: none of 0 runs showed answer-lost-after-apply, ")
}
