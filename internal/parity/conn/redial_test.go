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

// TestSimulatedRedials: a request that needs a connection in a partition is sent as its dial's first packet gets through, 1, 3, 7 or 15 s after the
// dial began, or as that of an earlier dial does, whose request was given up. After 30 s the dial is in vain.
func TestSimulatedRedials(t *testing.T) {
	for name, c := range map[string]struct {
		heals, timeout time.Duration
		http1          bool
		next           string
	}{
		"after 1 s":               {heals: 10500 * ms, next: "11s update"},
		"after 7 s":               {heals: 13500 * ms, next: "17s update"},
		"after 15 s":              {heals: 17500 * ms, next: "25s update"},
		"not at all":              {heals: 27 * second, next: "40s get"},
		"after 15 s, HTTP/1.1":    {heals: 17500 * ms, http1: true, next: "25s update"},
		"first dial":              {heals: 16800 * ms, timeout: 6500 * ms, next: "17s get"},
		"first dial, HTTP/1.1":    {heals: 16800 * ms, timeout: 6500 * ms, http1: true, next: "17s get"},
		"second dial":             {heals: 17200 * ms, timeout: 6500 * ms, next: "17.5s get"},
		"second dial, third call": {heals: 23200 * ms, timeout: 6500 * ms, next: "23.5s update"},
		"first dial, third call":  {heals: 24200 * ms, timeout: 6500 * ms, next: "25s update"},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := one(1, 1)
			p.Horizon, p.Network = 59*second, plan.Network{} // at no request's time: the library may or may not send one at the horizon
			a := &p.Candidates[0]
			a.Timings = machine.Timings{LeaseDuration: 200 * second, RenewDeadline: 120 * second, RetryPeriod: 10 * second}
			a.RequestTimeout, a.Client.HTTP1 = c.timeout, c.http1
			p.Faults = []plan.Fault{{Kind: plan.FaultReset, At: 8 * second}, {Kind: plan.FaultPartition, At: 9 * second, Until: new(c.heals)}}
			s := simulated{plan: p, givenUp: map[uint64]bool{}}
			_, err := sim.Run(p, &s)
			require.NoError(t, err)
			assert.Equal(t, s.happened[4:], really(t, p, false)[4:], "after what happens at once, in any order")
			assert.Equal(t, c.next, s.happened[4])
		})
	}
}
