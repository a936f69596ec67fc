package scenariotest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// endings counts why processes end.
type endings map[trace.Cause]int

func (n endings) Observe(e *trace.Event) {
	if e.Kind == trace.Crashed {
		n[e.Cause]++
	}
}

func (n endings) Wants() trace.KindSet { return trace.KindsOf(trace.Crashed) }

// TestElectionsAreNotBlind: random processes with several elections exit and are killed by probes, and with client-go
// violations are found in each election.
func TestElectionsAreNotBlind(t *testing.T) {
	ends, violated := endings{}, map[string]int{}
	for _, e := range elections(machine.ClientGo) {
		random := Random(e)
		for seed := range 200 {
			s := random.Example(seed)
			s.Seed = uint64(seed)
			r, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{ends}})
			require.NoError(t, err)
			for _, p := range r.Properties {
				if p.Name != check.SingleWork {
					continue
				}
				for _, v := range p.Violations {
					violated[v.Election]++
				}
			}
		}
	}
	for _, why := range []trace.Cause{trace.NoCause, trace.Exited, trace.ProbeFailed} {
		assert.Positive(t, ends[why], why.String())
	}
	for _, name := range []string{"e1", "e2", "e3"} {
		assert.Positive(t, violated[name], name)
	}
	t.Log(ends, violated)
}
