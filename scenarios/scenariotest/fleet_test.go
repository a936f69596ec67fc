package scenariotest

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestFleetOfTerms runs -strict.runs random fleets of strict candidates in each environment without a freeze, and judges
// them by nothing but when the work of each term began and ended: none of the project's checkers has a say.
func TestFleetOfTerms(t *testing.T) {
	terms, again := 0, 0
	all := environments(machine.Strict)
	for _, lock := range []plan.Lock{plan.ConfigMap, plan.Endpoints} {
		all[string(lock)] = Environment{Profile: machine.Strict, Locks: []plan.Lock{lock}, Timings: usual, MaxDrain: 4 * time.Second}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		random := Random(all[name])
		for seed := *strictFirst; seed < *strictFirst+*strictRuns; seed++ {
			s := random.Example(seed)
			s.Seed = uint64(seed)
			r, err := scenarios.Run(s, scenarios.Options{})
			require.NoError(t, err)
			terms += len(r.Terms)
			for i := range s.Candidates {
				if s.Candidates[i].SameElector {
					again++
					break
				}
			}
			for i := range r.Terms {
				for j := range r.Terms[i+1:] {
					a, b := &r.Terms[i], &r.Terms[i+1+j]
					from, to := max(a.StartedNs, b.StartedNs), min(ends(s, a), ends(s, b))
					require.LessOrEqual(t, to, from, "%s, seed %d: %s and %s work at once for %v", name, seed, a.Candidate,
						b.Candidate, time.Duration(to-from))
				}
			}
		}
	}
	t.Logf("%d terms of work, %d scenarios with a Run of the same elector again", terms, again)
	assert.Positive(t, again)
}

func ends(s *scenarios.Scenario, term *scenarios.Term) int64 {
	if term.EndedNs == nil {
		return int64(s.Horizon)
	}
	return *term.EndedNs
}

// TestExitWhenStopped is a program that ignores its context and exits a second after OnStoppedLeading: 1,500 leaders are cut
// off at random instants, 15/10/2 s, and none of them is there any more when the next one starts.
func TestExitWhenStopped(t *testing.T) {
	const exit = time.Second
	least := time.Hour
	for seed := range uint64(1500) {
		s := &scenarios.Scenario{}
		s.Name, s.Seed, s.Horizon = "exit-when-stopped", seed, 90*time.Second
		s.Network.Request = scenarios.Delay{Min: time.Millisecond, Max: 300 * time.Millisecond}
		s.Network.Response = s.Network.Request
		for _, id := range []string{"a", "b"} {
			s.Candidates = append(s.Candidates, scenarios.Candidate{
				ID: id, Profile: machine.Strict, Lock: plan.Lease, Timings: usual, Drain: time.Hour,
			})
		}
		s.Candidates[1].StartAt = 5 * time.Second
		at := 20*time.Second + time.Duration(seed)*7_654_321
		s.Faults = []scenarios.Fault{{Kind: plan.FaultPartition, At: at, On: []string{"a"}}}
		r, err := scenarios.Run(s, scenarios.Options{})
		require.NoError(t, err)
		require.Len(t, r.Terms, 2)
		require.NotNil(t, r.Terms[0].StoppedNs)
		least = min(least, time.Duration(r.Terms[1].StartedNs-*r.Terms[0].StoppedNs)-exit)
	}
	t.Logf("to spare, at least: %v", least)
	assert.Positive(t, least)
}
