package conn

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/plan"
)

// TestSimulatedIdle: a connection on which no request was under way for 90 s is closed, whatever else was read from it, and the next
// request makes another.
func TestSimulatedIdle(t *testing.T) {
	for _, http1 := range []bool{false, true} {
		for _, retry := range []time.Duration{90*second - 10*time.Millisecond, 90*second + 10*time.Millisecond, 150 * second} {
			for _, frame := range []time.Duration{0, 200 * second} {
				p, _ := one(1, 1)
				p.Horizon = 10 * time.Minute
				c := &p.Candidates[0]
				c.Timings = machine.Timings{LeaseDuration: 1000 * second, RenewDeadline: 500 * second, RetryPeriod: retry}
				c.Client.Dial, c.Client.HTTP1 = second, http1
				if frame > 0 && !http1 {
					p.Faults = []plan.Fault{{Kind: plan.FaultFrame, At: frame}}
				}
				s := simulated{plan: p, givenUp: map[uint64]bool{}}
				_, err := sim.Run(p, &s)
				require.NoError(t, err)
				assert.Equal(t, really(t, p, false), s.happened, "HTTP/1.1: %v, every %v, read at %v", http1, retry, frame)
			}
		}
	}
}
