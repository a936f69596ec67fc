package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// TestTwoReleases shows why a result can be a lower limit: two releases that are late at the same time wipe two leases, and
// a leader that still tries to renew takes the lock again.
func TestTwoReleases(t *testing.T) {
	s, err := scenarios.ReadFile("testdata/two-releases.yaml")
	require.NoError(t, err)
	c := &bound.Config{
		Timings: machine.Timings{
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		},
		Profile: machine.ClientGo, ReleaseOnCancel: true,
	}
	e := &bound.Environment{MaxRoundTrip: 5 * time.Second}
	w := watched(t, s)
	require.Empty(t, w.outside(s, e))
	assert.Equal(t, 36911*time.Millisecond, w.score())
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	assert.Equal(t, 27*time.Second, r.Overlap)
	assert.True(t, r.AtLeast)
}
