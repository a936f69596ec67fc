package electiontest

import (
	"context"
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/electiontest/internal/refusal"
	"interregnum/elector/machine"
	"interregnum/internal/few"
	"interregnum/plan"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

var randomRuns = flag.Int("random", few.Else(10, 20), "how many random scenarios TestParityRandom compares")

// TestParityRandom is TestParityLibrary and TestParityElector in random scenarios, on all kinds of lock and with several
// elections.
func TestParityRandom(t *testing.T) {
	runs := *randomRuns
	if testing.Short() {
		runs /= 4
	}
	const drain = 9 * time.Second
	for _, c := range []struct {
		name string
		scenariotest.Environment
		Options
		run func(context.Context, *Candidate)
	}{
		{"library", scenariotest.Environment{Profile: machine.ClientGo, MaxDrain: drain}, Options{}, library},
		{"objects", scenariotest.Environment{Profile: machine.ClientGo, Locks: plan.Locks()[1:5]}, Options{}, library},
		{"elections", scenariotest.Environment{Profile: machine.ClientGo, Elections: true}, Options{}, library},
		{"client-go", scenariotest.Environment{Profile: machine.ClientGo, MaxDriftPPM: 9000}, Options{Clock: true}, ours},
		{"strict", scenariotest.Environment{Profile: machine.Strict, MaxDriftPPM: 9000, MaxDrain: drain}, Options{Clock: true}, ours},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := scenariotest.Random(c.Environment)
			unexpected := 0
			for seed := range runs {
				s := still(random.Example(seed), seed, c.Clock)
				if !compare(t, c.Options, s, c.run) {
					t.Errorf("seed %d: %v", seed, refusal.Of(undecided(s), c.Clock))
				}
				if t.Failed() {
					_ = s.WriteYAML(t.Output())
					t.Fatalf("seed %d", seed)
				}
				r, err := scenarios.Run(s, scenarios.Options{Brief: true})
				require.NoError(t, err)
				if !r.AsExpected {
					unexpected++
				}
			}
			t.Logf("%d of %d not as expected", unexpected, runs)
			if c.Profile.Name == machine.ClientGo.Name && runs >= 10 {
				assert.Positive(t, unexpected, "the comparison shows little")
			}
		})
	}
}

// still is a scenario whose run draws nothing, and that can be applied.
func still(s *scenarios.Scenario, seed int, clocks bool) *scenarios.Scenario {
	constant := func(d *scenarios.Delay) {
		if d != nil {
			d.Max = d.Min
		}
	}
	constant(&s.Network.Request)
	constant(&s.Network.Response)
	for i := range s.Candidates {
		c := &s.Candidates[i]
		c.RetryPeriod++ // with 10s and 2s an attempt is due just at the deadline, and which comes first is up to the library's select
		if !clocks {
			c.Clock = scenarios.Clock{}
		} else {
			c.RequestTimeout = 0 // HTTP has it by true time
		}
		c.LivenessProbe, c.OnLoss, c.SameElector = nil, "", false
		if i > 0 && c.ID == s.Candidates[i-1].ID {
			c.Rejoin = s.Candidates[i-1].Rejoin
		}
		c.Jitter = new(float64((seed*31+int(c.ID[0])*7)%100) / 100)
	}
	s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool {
		return f.Kind == plan.FaultClock || f.Kind == plan.FaultPause ||
			len(s.Elections) > 0 && f.Kind == plan.FaultCancel // after one the function is called again as a whole
	})
	for i := range s.Faults {
		f := &s.Faults[i]
		constant(f.Request)
		constant(f.Response)
		f.Probability = nil
	}
	return s
}
