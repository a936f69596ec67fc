package scenariotest

import (
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestStoreIsLinearizable has an independent oracle judge the lock service, under every fault.
func TestStoreIsLinearizable(t *testing.T) {
	operations := 0
	for _, p := range machine.Profiles() {
		random := Random(Environment{Profile: p, Freezes: true})
		for seed := range 60 {
			s := random.Example(seed)
			s.Seed = uint64(seed)
			history := historyOf(t, s)
			require.True(t, porcupine.CheckOperations(register, history), "%s, seed %d", p.Name, seed)
			operations += len(history)
		}
	}
	all, err := scenarios.Library()
	require.NoError(t, err)
	several := Random(elections(machine.ClientGo)["elections, frozen"])
	for seed := range 30 {
		all = append(all, several.Example(seed))
	}
	for _, s := range all {
		for election, objects := range historiesOf(t, s) {
			for o, history := range objects {
				if trace.Object(o).Expires() {
					continue // it is no register; single-record has a model of it
				}
				require.True(t, porcupine.CheckOperations(register, history), "%s, %v, %d", s.Name, trace.Object(o), election)
			}
		}
	}
	t.Logf("%d operations", operations)
}

// TestOracleIsBounded: an hour in which every other answer is lost leaves hundreds of writes without an end.
func TestOracleIsBounded(t *testing.T) {
	s := &scenarios.Scenario{Name: "half-deaf"}
	s.Horizon = time.Hour
	s.Network = scenarios.Network{
		Request: scenarios.Delay{Max: 400 * time.Millisecond}, Response: scenarios.Delay{Max: 400 * time.Millisecond},
	}
	half, rejoin := 0.5, time.Second
	s.Faults = []scenarios.Fault{{Kind: plan.FaultLose, At: 5 * time.Second, Leg: plan.ResponseLeg, Probability: &half}}
	for i := range 8 {
		s.Candidates = append(s.Candidates, scenarios.Candidate{
			ID: string(rune('a' + i)), StartAt: time.Duration(i) * time.Millisecond,
			Profile: machine.Strict, Lock: plan.Lease, Timings: usual, RequestTimeout: time.Second, Rejoin: &rejoin,
		})
	}
	history := historyOf(t, s)
	require.Greater(t, len(history), 1000)
	assert.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(register, history, time.Minute))
}

// TestOracleCanFail spoils a history as a broken store would. Stores that are broken in these and other ways are run by
// make mutants.
func TestOracleCanFail(t *testing.T) {
	for name, spoil := range map[string]func(c *call, previous call) bool{
		"lost update": func(c *call, previous call) bool {
			c.base = previous.base
			return c.changed && previous.changed && c.base != previous.version
		},
		"stale read": func(c *call, previous call) bool {
			c.version = previous.base
			return !c.changed && previous.changed
		},
		"version reuse": func(c *call, _ call) bool {
			c.version = c.base
			return c.changed
		},
		"foreign holder": func(c *call, _ call) bool {
			c.holder = "nobody"
			return !c.changed
		},
		"holder not kept": func(c *call, _ call) bool {
			c.asked = "nobody"
			return c.changed
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := scenarios.Named("healthy-failover")
			require.NoError(t, err)
			history := historyOf(t, s)
			require.True(t, porcupine.CheckOperations(register, history))
			for i := len(history) - 1; i > 0; i-- {
				spoilt := history[i].Output.(call)
				if spoilt.status != 200 || history[i-1].Output.(call).status != 200 {
					continue
				}
				if spoil(&spoilt, history[i-1].Output.(call)) {
					history[i].Output = spoilt
					assert.False(t, porcupine.CheckOperations(register, history))
					return
				}
			}
			t.Fatal("nothing to spoil")
		})
	}
}
