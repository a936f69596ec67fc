package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
)

// TestStrictWithClient: waits for tokens make no overlap of strict longer, and its witness has none.
func TestStrictWithClient(t *testing.T) {
	c := bound.Config{
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
		Profile: machine.Strict, Client: &plan.Client{QPS: 5, Burst: 10, Retries: true},
	}
	j, err := Judge(Target{Config: c}, &bound.Environment{MaxRoundTrip: time.Second, Drain: 7 * time.Second, OtherQPS: 3, OtherBurst: 20})
	require.NoError(t, err)
	assert.Equal(t, 2*time.Second, j.Result.Overlap)
	assert.InDelta(t, 2*time.Second, j.Shown, float64(stage.Agree))
}
