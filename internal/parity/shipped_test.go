package parity

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// TestShipped runs the scenarios that ship on the unmodified library too: the hazards are its own. Their times are
// round, so that a tick and a deadline may fall on one instant, where the library may send one request more; what it
// writes, and when the work runs, must be equal all the same.
func TestShipped(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	shown := 0
	for _, s := range all {
		if !showable(&s.Plan) {
			continue
		}
		shown++
		t.Run(s.Name, func(t *testing.T) {
			library, simulated := runLibrary(t, &s.Plan, nil), simulate(t, &s.Plan, nil)
			assert.Empty(t, firstDifference("write", library.writes, simulated.writes))
			assert.Empty(t, firstDifference("term", library.terms, simulated.terms))
		})
	}
	assert.GreaterOrEqual(t, shown, 16)
}

// showable tells whether the library can show a plan on one fake clock.
func showable(p *plan.Plan) bool {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if c.Profile != machine.ClientGo || c.Lock != plan.Lease || c.Clock.DriftPPM != 0 || c.Jitter == nil {
			return false
		}
		if c.Coordinated || c.Election != "" {
			return false // there is no coordinator here, and one Lease
		}
	}
	return !slices.ContainsFunc(p.Faults, func(f plan.Fault) bool {
		return f.Kind == plan.FaultPause || f.Kind == plan.FaultClock
	})
}
