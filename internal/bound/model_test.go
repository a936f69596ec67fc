package bound

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// TestScale compares with arithmetic that has no limits.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, int64(25*MaxDuration)).Draw(t, "d"))
		ppm := rapid.Int64Range(-MaxDriftPPM, MaxDriftPPM).Draw(t, "ppm")
		exact := func(numerator, denominator int64) time.Duration {
			x := new(big.Int).Mul(big.NewInt(int64(d)), big.NewInt(numerator))
			return time.Duration(x.Quo(x, big.NewInt(denominator)).Int64())
		}
		assert.Equal(t, exact(million, million+ppm), True(d, ppm))
		assert.Equal(t, exact(million+ppm, million), Local(d, ppm))
	})
}

// TestTicked compares the search for a chain of JoinTicked with trying every schedule on a coarse grid: after none can a
// successor start sooner. That the one found exists is what its witness shows (package stage).
func TestTicked(t *testing.T) {
	const step = 100 * ms
	rapid.Check(t, func(t *rapid.T) {
		grid := func(what string, low, high int) time.Duration {
			return time.Duration(rapid.IntRange(low, high).Draw(t, what)) * step
		}
		c := config(machine.ClientGo, 0, 0, grid("retryPeriod", 10, 25))
		c.RenewDeadline = c.RetryPeriod*12/10 + grid("renewDeadline", 1, 60)
		c.LeaseDuration = c.RenewDeadline + grid("leaseDuration", 1, 100)
		if rapid.Bool().Draw(t, "times out") {
			c.RequestTimeout = grid("requestTimeout", 1, 40)
		}
		m := newModel(c, &Environment{MaxRoundTrip: grid("maxRoundTrip", 0, 20)})
		if m.timeout == 0 && c.RequestTimeout > 0 {
			return // as long as the deadline
		}
		found := m.chain()
		assert.GreaterOrEqual(t, m.ahead(&found), m.enumerated(step), "%+v", found)
	})
}

// enumerated is how soon a successor can start after the best of all schedules on a grid. A schedule is when each attempt of a poll
// begins; true clocks, no freeze.
func (m *model) enumerated(step time.Duration) time.Duration {
	best := -m.takeover()
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline
	var lengths []time.Duration
	for _, l := range m.failing(m.answered) {
		for d := l.low; d <= l.high; d += step {
			lengths = append(lengths, d)
		}
	}
	seen := map[time.Duration]bool{}
	var from func(begun time.Duration)
	from = func(begun time.Duration) {
		if seen[begun] || begun >= deadline {
			return
		}
		seen[begun] = true
		for _, took := range lengths {
			next := max(begun+took, (begun/period+1)*period)
			if next < deadline && next-begun < time.Second {
				c := m.last(Chain{Join: JoinTicked, Gap: next - begun}, deadline-next)
				best = max(best, m.ahead(&c))
			}
			from(next)
		}
	}
	from(0)
	return best
}
