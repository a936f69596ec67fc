package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/plan"
)

// TestKinds: what is said of each kind of lock goes together.
func TestKinds(t *testing.T) {
	seen := map[plan.Lock]bool{"": true}
	for _, l := range plan.Locks() {
		assert.False(t, seen[l], "%s: its name is its own", l)
		seen[l] = true
		assert.NotEmpty(t, l.KeptIn(), l)
		assert.NotEmpty(t, l.Objects(), l)
		assert.False(t, l.Expires() && l.Forgets(), "%s: a lock that expires has no object to forget", l)
		assert.True(t, l.Expires() || !l.Watched() && !l.ByWallClock(), "%s: only what expires runs out at the service", l)
	}
	assert.Nil(t, plan.Lock("zookeeper").Objects())
}
