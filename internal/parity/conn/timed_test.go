package conn

import (
	"testing"
	"time"

	"interregnum/plan"
)

// timed returns plans whose client has a request timeout over HTTP/2. In a third of them that is half of RenewDeadline, so that two
// lost requests fill a poll to the nanosecond. In another third the client has a limiter, for which requests wait. None has both: as the
// second request and the poll end at one instant, the library may or may not begin another attempt, which takes a token.
func timed(draw func(uint64) *plan.Plan) func(uint64) *plan.Plan {
	return func(seed uint64) *plan.Plan {
		p := draw(seed)
		_, d := one(seed, 11)
		c := &p.Candidates[0]
		c.RequestTimeout = between(d, second, 2*c.RenewDeadline)
		switch d.IntN(3) {
		case 0:
			c.RenewDeadline = c.RenewDeadline.Truncate(2 * time.Nanosecond)
			c.RequestTimeout = plan.HalfOf(c.RenewDeadline)
		case 1:
			c.Client.QPS, c.Client.Burst = 0.3+d.Float64(), 1+d.IntN(4)
		}
		return p
	}
}

// TestSimulatedTimeouts: what TestSimulated, TestSimulatedResets and TestSimulatedPartitions compare, with request timeouts and limiters.
func TestSimulatedTimeouts(t *testing.T) {
	t.Run("stalls", func(t *testing.T) { compared(t, 100, 20, timed(stalling), false) })
	t.Run("resets", func(t *testing.T) { compared(t, 100, 20, timed(resetting), true) })
	t.Run("partitions", func(t *testing.T) { compared(t, 300, 20, timed(cutting), false) })
}
