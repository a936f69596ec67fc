package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/internal/gate/stage"
)

// TestPastPing: an answer that comes just after a ping, to a request before it, leaves the connection to be closed, and the next attempt may
// begin RetryPeriod later. Where all other calls before are lost, none begins at that time: the gate took these timings for safe.
func TestPastPing(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		lease, deadline, trip time.Duration
		want                  Verdict
	}{
		{32 * s, 14500 * ms, 1500 * ms, Unsafe}, {32 * s, 14 * s, 2 * s, Unsafe}, {31 * s, 14500 * ms, 1500 * ms, Safe},
	} {
		target := Target{Config: bound.Config{Timings: machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: s}, Profile: machine.ClientGo}}
		target.RequestTimeout = 8250 * ms
		target.SetClient(&ClientSaid{Kind: "controller-runtime"}, true)
		e := &bound.Environment{MaxRoundTrip: c.trip}
		j, err := Judge(target, e)
		require.NoError(t, err)
		require.Equal(t, c.want, j.Verdict, "%+v", c)
		if c.want == Safe { // no attempt begins so late with a write
			continue
		}
		assert.Equal(t, s/2, j.Result.Overlap, "%+v", c)
		assert.InDelta(t, s/2, j.Shown, float64(stage.Agree), "%+v", c)
		assert.Empty(t, gatetest.Watched(t, j.Witness).Outside(j.Witness, e))
	}
}
