package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
)

// TestClientMonotone: what a run shows in an environment is no more than the bound of a worse one, in which that run is allowed, too. The
// bounds themselves are not compared: one that is an upper bound can be above that of a worse environment.
func TestClientMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SampledFrom([]func(*rapid.T) (*bound.Config, *bound.Environment){gatetest.DrawClient, gatetest.DrawUsual}).Draw(t, "as")
		c, e := draw(t)
		j, worse := &Judgement{Target: Target{Config: *c}, Environment: *e}, *e
		worsen(t, &worse)
		if bound.Refused(c) != nil || j.bound() != nil {
			return
		}
		than := &Judgement{Target: Target{Config: *c}, Environment: worse}
		if CheckClient(c.Client, &worse) != nil || than.bound() != nil {
			return
		}
		most, known := than.Result.AtMost()
		before, knownBefore := j.Result.AtMost()
		if !known || knownBefore && before <= most {
			return // no run can show more
		}
		shown, err := Judge(j.Target, e)
		require.NoError(t, err)
		require.LessOrEqual(t, shown.Shown, most+orderTime, "%+v with %+v in %+v, and in %+v", *c, *c.Client, *e, worse)
	})
}

// orderTime is by how much a witness may exceed a bound, for the nanoseconds that keep its events apart.
const orderTime = 20 * time.Microsecond

// worsen makes one number of e worse.
func worsen(t *rapid.T, e *bound.Environment) {
	longer := func(d *time.Duration) {
		*d += time.Duration(rapid.Int64Range(1, int64(5*time.Second)).Draw(t, "longer"))
	}
	switch rapid.IntRange(0, 8).Draw(t, "worse") {
	case 0:
		longer(&e.MaxRoundTrip)
	case 1:
		longer(&e.MaxPause)
	case 2:
		longer(&e.Drain)
	case 3:
		longer(&e.MaxRetryAfter)
	case 4:
		e.MaxDriftPPM += rapid.Int64Range(0, bound.MaxDriftPPM-e.MaxDriftPPM).Draw(t, "drift")
	case 5:
		e.OtherQPS += rapid.Float64Range(0, 10).Draw(t, "a second")
	case 6:
		e.OtherBurst += rapid.IntRange(1, 20).Draw(t, "at once")
	case 7:
		e.Reruns = true
	case 8:
		e.HiddenConflicts = true
	}
}
