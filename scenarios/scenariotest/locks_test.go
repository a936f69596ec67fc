package scenariotest

import (
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestStrictHoldsOnAnnotations: on objects that keep times in whole seconds, too.
func TestStrictHoldsOnAnnotations(t *testing.T) {
	var campaign Campaign
	for _, l := range []plan.Lock{plan.ConfigMap, plan.Endpoints} {
		for name, e := range environments(machine.Strict) {
			e.Locks = []plan.Lock{l}
			t.Run(string(l)+", "+name, func(t *testing.T) {
				terms, _ := holds(t, &campaign, e)
				assert.Greater(t, 10*terms, *strictRuns, "hardly anybody ever led")
			})
		}
	}
}

var kubernetesLocks = []plan.Lock{plan.Lease, plan.ConfigMap, plan.Endpoints, plan.ConfigMapsLeases, plan.EndpointsLeases}

// TestLocksTogether: candidates whose locks are on the same objects, on some of the same and on different ones. What they
// do to each other is not said here; each object by itself is a register with compare-and-swap, and the events make sense.
func TestLocksTogether(t *testing.T) {
	for _, p := range machine.Profiles() {
		if p.OtherClient() { // on a Lease alone
			continue
		}
		random := Random(Environment{Profile: p, Locks: kubernetesLocks, Freezes: true, MaxDriftPPM: 400_000})
		for seed := range 300 {
			s := random.Example(seed)
			s.Seed = uint64(seed)
			stream := check.NewStream(s.Header())
			r, err := scenarios.Run(s, scenarios.Options{Explain: true, Sinks: []trace.Sink{stream}})
			require.NoError(t, err)
			require.Equal(t, check.Held, r.Properties[0].Verdict, "%s, seed %d: %+v", p.Name, seed, r.Properties[0])
			if !p.ContextNone {
				require.Empty(t, stream.Broken(), "%s, seed %d", p.Name, seed)
			}
			if seed%10 > 0 {
				continue
			}
			for o, history := range historiesOf(t, s)[0] {
				require.True(t, porcupine.CheckOperations(register, history), "%s, seed %d, %v", p.Name, seed, trace.Object(o))
			}
		}
	}
}
