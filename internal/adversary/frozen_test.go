package adversary

import (
	"testing"
	"time"

	"interregnum/plan"

	"github.com/stretchr/testify/assert"
)

// TestFrozen: freezes that come together count once, and only those of the candidate.
func TestFrozen(t *testing.T) {
	freeze := func(on string, at, until time.Duration) plan.Fault {
		return plan.Fault{Kind: plan.FaultPause, On: []string{on}, At: at, Until: &until}
	}
	all := []plan.Fault{
		freeze("a", 30, 50), freeze("a", 10, 20), freeze("a", 15, 25), freeze("b", 0, 100), freeze("a", 16, 18),
		{Kind: plan.FaultPause, On: []string{"a"}, At: 90}, {Kind: plan.FaultPartition, On: []string{"a"}},
	}
	for want, span := range map[time.Duration][2]time.Duration{0: {0, 10}, 15: {0, 26}, 35: {0, 70}, 5: {17, 22}, 45: {0, 100}} {
		assert.Equal(t, want, frozen(all, "a", span[0], span[1]), "%v", span)
	}
}
