package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// TestHiddenConflict: the witness shows what is computed where a conflict hides that a release was applied. Of random configurations one
// in 5,000 has that plan.
func TestHiddenConflict(t *testing.T) {
	const s = time.Second
	c := &bound.Config{
		Timings: machine.Timings{LeaseDuration: 60 * s, RenewDeadline: 15 * s, RetryPeriod: 5 * s},
		Profile: machine.ClientGo, Lock: plan.Lease, ReleaseOnCancel: true,
	}
	r := prediction(t, c, &bound.Environment{MaxRoundTrip: time.Millisecond, HiddenConflicts: true})
	assert.True(t, r.Plan.HiddenConflict)
}
