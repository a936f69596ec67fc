package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
)

// TestDriftTakesNothing: clocks that may drift can also run true, so that a bound with waits for tokens is no less with drift than without.
func TestDriftTakesNothing(t *testing.T) {
	cases, compared := drawnBy(gatetest.DrawUsual), 0
	for seed := 1; seed <= few.Of(160000); seed++ {
		a := cases.Example(seed)
		a.c.ReleaseOnCancel, a.e.MaxRetryAfter, a.e.MaxDriftPPM = false, 0, 0
		if a.e.OtherQPS == 0 {
			continue
		}
		calm, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		a.e.MaxDriftPPM = 10
		drifting, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if !calm.Unbounded && !drifting.Unbounded && calm.Overlap > calm.Calm().Overlap {
			compared++
			assert.GreaterOrEqual(t, drifting.Overlap, calm.Overlap-time.Microsecond, "%+v in %+v with %+v", *a.c, *a.e, *a.c.Client)
		}
	}
	assert.Greater(t, compared, few.Of(200))
}
