package scenariotest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// TestStreamsAreSound: the events of a run make sense together, and the record counts its holders, whatever the
// candidates do.
func TestStreamsAreSound(t *testing.T) {
	for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.ClientGoNext, machine.Strict} {
		t.Run(p.Name, func(t *testing.T) {
			random := Random(Environment{Profile: p, Freezes: true, MaxDriftPPM: 400_000, MaxDrain: 20 * time.Second})
			for seed := range 1000 {
				s := random.Example(seed)
				s.Seed = uint64(seed)
				stream, transitions := check.NewStream(s.Header()), check.NewTransitions(s.Header())
				_, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{stream, transitions}})
				require.NoError(t, err)
				require.Empty(t, stream.Broken(), "seed %d", seed)
				require.Empty(t, transitions.Broken(), "seed %d", seed)
			}
		})
	}
}
