package tutorial_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

// mixedRuns is how many random scenarios each line of the table in tutorials/strict.md is about.
const mixedRuns = 3000

// mixed is what a fleet showed: in how many scenarios two candidates worked at once, and how often the one that had led
// before had the profile strict.
type mixed struct{ scenarios, byStrict int }

// observe runs random scenarios in which the candidates have the profiles by turns; release is of those that are not strict.
// No two have one name, nobody deletes the Lease.
func observe(t *testing.T, release bool, profiles ...machine.Profile) (seen mixed) {
	random := scenariotest.Random(scenariotest.Environment{
		Profile: machine.Strict, MaxDrain: 3 * time.Second,
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
	})
	for seed := range mixedRuns {
		s := random.Example(seed)
		s.Seed = uint64(seed)
		strict := map[string]bool{}
		for i := range s.Candidates {
			c := &s.Candidates[i]
			c.Identity, c.Profile = "", profiles[i%len(profiles)]
			strict[c.ID] = c.Profile == machine.Strict
			c.ReleaseOnCancel = strict[c.ID] || release
		}
		s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool { return f.Kind == "delete" })
		r, err := scenarios.Run(s, scenarios.Options{})
		require.NoError(t, err)
		i := slices.IndexFunc(r.Properties, func(p check.Property) bool { return p.Name == check.SingleWork })
		overlaps := r.Properties[i].Violations
		if len(overlaps) > 0 {
			seen.scenarios++
		}
		for _, v := range overlaps {
			first := slices.IndexFunc(r.Terms, func(x scenarios.Term) bool {
				return slices.Contains(v.Candidates, x.Candidate) && x.StartedNs < v.FromNs && (x.EndedNs == nil || *x.EndedNs > v.FromNs)
			})
			require.GreaterOrEqual(t, first, 0)
			if strict[r.Terms[first].Candidate] {
				seen.byStrict++
			}
		}
	}
	return seen
}

// TestMixedLosses: what the page says that a strict leader loses beside old replicas, and that it does not among strict ones.
func TestMixedLosses(t *testing.T) {
	for _, name := range []string{"one-name", "longer-lease", "late-acquire", "runs-again"} {
		s, err := scenarios.ReadFile("../../testdata/regress/mixed-fleet-" + name + ".yaml")
		require.NoError(t, err)
		mixed, err := scenarios.Run(s, scenarios.Options{})
		require.NoError(t, err)
		for i := range s.Candidates {
			s.Candidates[i].Profile = machine.Strict
		}
		alone, err := scenarios.Run(s, scenarios.Options{})
		require.NoError(t, err)
		i := slices.IndexFunc(alone.Properties, func(p check.Property) bool { return p.Name == check.SingleWork })
		assert.Equal(t, check.Violated, mixed.Properties[i].Verdict, name)
		assert.Equal(t, check.Held, alone.Properties[i].Verdict, name)
	}
}

// TestMixedFleets: the table of tutorials/strict.md is what is seen, and no strict leader works beside another.
func TestMixedFleets(t *testing.T) {
	var table strings.Builder
	for _, fleet := range []struct {
		name     string
		release  bool
		profiles []machine.Profile
	}{
		{"old alone, `ReleaseOnCancel`", true, []machine.Profile{machine.ClientGo}},
		{"old and strict by turns, `ReleaseOnCancel`", true, []machine.Profile{machine.ClientGo, machine.Strict}},
		{"old alone, no release", false, []machine.Profile{machine.ClientGo}},
		{"old and strict by turns, no release of the old", false, []machine.Profile{machine.ClientGo, machine.Strict}},
		{"strict alone", false, []machine.Profile{machine.Strict}},
	} {
		seen := observe(t, fleet.release, fleet.profiles...)
		fmt.Fprintf(&table, "| %s | %d | %d |\n", fleet.name, seen.scenarios, seen.byStrict)
		assert.Zero(t, seen.byStrict, fleet.name)
	}
	assert.Contains(t, read(t, "tutorials/strict.md"), table.String())
}
