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

// refusing returns plans in which the service also refuses requests now and then, with 429 or 503, and mostly asks to wait. Some of
// those with 503 it carries out. No request timeout is half of RenewDeadline: whether the library begins another attempt as the second request
// and the poll end at one instant then shows, since the service answers it.
func refusing(draw func(uint64) *plan.Plan) func(uint64) *plan.Plan {
	return func(seed uint64) *plan.Plan {
		p := draw(seed)
		_, d := one(seed, 13)
		if c := &p.Candidates[0]; c.RequestTimeout == plan.HalfOf(c.RenewDeadline) {
			c.RequestTimeout += between(d, ms, second)
		}
		for at := between(d, second, 40*second); at < p.Horizon; at += between(d, second, 60*second) {
			f := plan.Fault{Kind: plan.FaultThrottle, At: at, RetryAfter: new([]time.Duration{0, 1, 1, 2, 5, 12}[d.IntN(6)] * second)}
			if d.IntN(3) == 0 {
				f.Kind, f.Status, f.Applied = plan.FaultError, 503, d.IntN(2) == 0
			}
			if f.Kind == plan.FaultError && d.IntN(4) == 0 {
				f.RetryAfter = nil
			}
			at += between(d, ms, 15*second)
			f.Until = new(at)
			p.Faults = append(p.Faults, f)
		}
		return p
	}
}

// reading returns plans in which something else is read on the connection now and then.
func reading(draw func(uint64) *plan.Plan) func(uint64) *plan.Plan {
	return func(seed uint64) *plan.Plan {
		p := draw(seed)
		_, d := one(seed, 17)
		for at := between(d, second, 40*second); at < p.Horizon; at += between(d, ms, 60*second) {
			p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultFrame, At: at})
		}
		return p
	}
}

// refusalAt returns the last fault of the plan by which the service refuses a request at that time, nil if it carries it out.
func refusalAt(p *plan.Plan, at time.Duration) (by *plan.Fault) {
	for i := range p.Faults {
		f := &p.Faults[i]
		if (f.Kind == plan.FaultThrottle || f.Kind == plan.FaultError) && at >= f.At && at < *f.Until {
			by = f
		}
	}
	return by
}

// TestSimulatedRefusals: what TestSimulated, TestSimulatedResets and TestSimulatedPartitions compare, with answers that ask to wait, and with
// request timeouts and limiters too.
func TestSimulatedRefusals(t *testing.T) {
	t.Run("stalls", func(t *testing.T) { compared(t, 100, 20, refusing(stalling), false) })
	t.Run("resets", func(t *testing.T) { compared(t, 100, 20, refusing(resetting), true) })
	t.Run("partitions", func(t *testing.T) { compared(t, 300, 15, refusing(cutting), false) })
	t.Run("stalls, timeouts", func(t *testing.T) { compared(t, 100, 20, refusing(timed(stalling)), false) })
	t.Run("resets, timeouts", func(t *testing.T) { compared(t, 100, 20, refusing(timed(resetting)), true) })
}

// TestGetRefusedAndLost: a GET that was refused so often that it is sent again for the last time, and then lost, is not repeated, and what follows has a random wait.
func TestGetRefusedAndLost(t *testing.T) {
	assert.Zero(t, compareFrom(t, 7_700_112, 1, reading(refusing(resetting)), true))
}

// TestRefusedBeforeTheEnd: an attempt to acquire fails just before the run ends, and the next one may fall into the run or not.
func TestRefusedBeforeTheEnd(t *testing.T) {
	assert.Zero(t, compareFrom(t, 9_900_816, 1, reading(refusing(timed(resetting))), true))
}

// TestSimulatedReading: and with something else that is read on the connection.
func TestSimulatedReading(t *testing.T) {
	t.Run("stalls", func(t *testing.T) { compared(t, 100, 20, reading(stalling), false) })
	t.Run("resets", func(t *testing.T) { compared(t, 100, 20, reading(resetting), true) })
	t.Run("partitions", func(t *testing.T) { compared(t, 300, 15, reading(cutting), false) })
	t.Run("refusals", func(t *testing.T) { compared(t, 100, 20, reading(refusing(timed(stalling))), false) })
}

// TestRefusedAndStalled: a refusal is an answer: the connection is closed 45 s after it was read. A write that waits for its Retry-After meanwhile is
// sent on the stalled connection, and fails as that is closed.
func TestRefusedAndStalled(t *testing.T) {
	p, _ := one(1, 1)
	p.Horizon, p.Network = 2*time.Minute, plan.Network{}
	p.Candidates[0].Timings = machine.Timings{LeaseDuration: 200 * second, RenewDeadline: 120 * second, RetryPeriod: 10 * second}
	p.Faults = []plan.Fault{
		{Kind: plan.FaultThrottle, At: 9 * second, Until: new(11 * second), RetryAfter: new(3 * second)},
		{Kind: plan.FaultStall, At: 12 * second},
	}
	s := simulated{plan: p, givenUp: map[uint64]bool{}}
	_, err := sim.Run(p, &s)
	require.NoError(t, err)
	assert.Contains(t, s.happened, "10s refuses update: 429")
	assert.Contains(t, s.happened, "55s get")
	assert.Equal(t, really(t, p, false), s.happened)
}
