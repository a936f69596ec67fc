package rest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// TestShipped runs the scenarios that ship with clients on the library's client too. Those of a connection that stalls are not
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
		shown = append(shown, s.Name)
		for i := range s.Candidates {
			// Otherwise the poll ends with its fifth attempt, or with its second timeout, and what the library then does is up to chance.
			s.Candidates[i].RenewDeadline--
		}
		assert.Empty(t, difference(runLibrary(t, &s.Plan, map[string]int{}), simulate(t, &s.Plan)), s.Name)
	}
	assert.Equal(t, []string{"client-brownout-timeout", "client-burst", "client-burst-apart", "client-throttled"}, shown)
}
