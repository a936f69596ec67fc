package rest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/plan"
	"interregnum/scenarios"
)

// TestShipped runs the scenarios that ship with clients on the library's client too. Those of a connection that stalls or is closed are not
// among them: the connections here are of HTTP/1.1; nor is what the service's seats do.
func TestShipped(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	var shown []string
	for _, s := range all {
		apart := func(f plan.Fault) bool { return f.Kind == plan.FaultStall || f.Seats > 0 }
		if s.Candidates[0].Client == nil || slices.ContainsFunc(s.Faults, apart) {
			continue
		}
		if simulate(t, &s.Plan).closed > 0 {
			continue
		}
		shown = append(shown, s.Name)
		for i := range s.Candidates {
			// No tick and no timeout ends with a poll: there the library itself is not reproducible.
			s.Candidates[i].RenewDeadline -= 7 * time.Millisecond
		}
		assert.Empty(t, difference(runLibrary(t, &s.Plan, map[string]int{}), simulate(t, &s.Plan)), s.Name)
	}
	assert.Equal(t, []string{"client-brownout-timeout", "client-burst", "client-burst-apart", "client-throttled"}, shown)
}
