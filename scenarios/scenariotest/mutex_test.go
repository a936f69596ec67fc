package scenariotest

import (
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

const mutexRuns = 300

func turnsOf(t *testing.T, s *scenarios.Scenario) []porcupine.Operation {
	h := newTurns()
	_, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{h}})
	require.NoError(t, err)
	return h.history
}

// TestStrictIsAMutex has an independent oracle judge the election, as a lock that guards work.
func TestStrictIsAMutex(t *testing.T) {
	for name, e := range environments(machine.Strict) {
		t.Run(name, func(t *testing.T) {
			random := Random(e)
			uses := 0
			for seed := range mutexRuns {
				s := random.Example(seed)
				s.Seed = uint64(seed)
				history := turnsOf(t, s)
				require.True(t, porcupine.CheckOperations(mutex, history), "seed %d", seed)
				uses += len(history)
			}
			t.Logf("%d uses", uses)
		})
	}
}

// TestClientGoIsAMutexWhereItIsSafe: 15/8/2 s leave 5 s of LeaseDuration over (docs/method/model.md). Quick round trips, a
// client timeout of a second, names of one's own, no release and no requests but whole ones cost less than that.
func TestClientGoIsAMutexWhereItIsSafe(t *testing.T) {
	random := Random(Environment{Profile: machine.ClientGo, Timings: machine.Timings{
		LeaseDuration: 15 * time.Second, RenewDeadline: 8 * time.Second, RetryPeriod: 2 * time.Second,
	}})
	uses := 0
	for seed := range mutexRuns {
		s := random.Example(seed)
		s.Seed = uint64(seed)
		for i := range s.Candidates {
			c := &s.Candidates[i]
			c.Identity, c.ReleaseOnCancel, c.RequestTimeout = "", false, time.Second
		}
		s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool { return f.Kind == plan.FaultDelay })
		history := turnsOf(t, s)
		require.True(t, porcupine.CheckOperations(mutex, history), "seed %d", seed)
		uses += len(history)
	}
	t.Logf("%d uses", uses)
}

// TestMutexOracleCanFail: in each of these two leaders of client-go work at once, and no two of strict.
func TestMutexOracleCanFail(t *testing.T) {
	for _, name := range []string{
		"h01-late-ack", "h02-retry-on-top", "h03-release-before-stop", "h04-release-wipes-successor", "h06-clock-rates",
		"h08-work-outlives-context", "h09-seen-not-obeyed", "h13-lock-deleted", "h16-retry-in-disguise",
	} {
		t.Run(name, func(t *testing.T) {
			s, err := scenarios.Named(name)
			require.NoError(t, err)
			assert.False(t, porcupine.CheckOperations(mutex, turnsOf(t, s)))
			for i := range s.Candidates {
				s.Candidates[i].Profile = machine.Strict
			}
			assert.True(t, porcupine.CheckOperations(mutex, turnsOf(t, s)))
		})
	}
}

// TestMutexAgreesWithSingleWork: two ways to the same verdict, on runs of client-go of which some break it. Work of one
// candidate that drains while its next term begins counts for the mutex alone, so that nothing drains here.
func TestMutexAgreesWithSingleWork(t *testing.T) {
	random := Random(Environment{Profile: machine.ClientGo})
	broken := 0
	for seed := range mutexRuns {
		s := random.Example(seed)
		s.Seed = uint64(seed)
		h := newTurns()
		r, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{h}})
		require.NoError(t, err)
		i := slices.IndexFunc(r.Properties, func(p check.Property) bool { return p.Name == check.SingleWork })
		held := r.Properties[i].Verdict == check.Held
		require.Equal(t, held, porcupine.CheckOperations(mutex, h.history), "seed %d", seed)
		if !held {
			broken++
		}
	}
	assert.Positive(t, broken)
	t.Logf("%d of %d runs broken", broken, mutexRuns)
}
