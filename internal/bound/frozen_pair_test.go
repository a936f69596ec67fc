package bound

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestFrozenTurns: where turns on two objects that take a freeze over a tick are few, no plan is known in which they go on for ever.
func TestFrozenTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	upTo := func(d time.Duration) time.Duration { return time.Duration(r.Int64N(int64(d) + 1)) }
	few, endless := 0, 0
	for range 20_000 {
		c := config(machine.ClientGo, 0, 0, 0)
		c.Lock = plan.ConfigMapsLeases
		c.RetryPeriod = 600*ms + upTo(390*ms)
		c.RenewDeadline = s + 1 + upTo(2*c.RetryPeriod-s)
		c.LeaseDuration = c.RenewDeadline + 1 + upTo(50*ms)
		c.RequestTimeout = upTo(20 * ms)
		e := &Environment{MaxPause: s - c.RetryPeriod + upTo(400*ms), MaxRoundTrip: upTo(20*ms) * time.Duration(r.IntN(2)), MaxDriftPPM: r.Int64N(10_000)}
		if Refused(c) != nil {
			continue
		}
		m := newModel(c, e)
		_, known := m.frozenTurns()
		forEver := m.takesBack() || m.takesBackSlowly() || m.slowTurns() || m.halfReadsLate()
		assert.False(t, known && forEver, "%+v in %+v", *c, *e)
		if known {
			few++
		}
		if forEver {
			endless++
		}
	}
	t.Logf("%d with few turns, %d with turns for ever", few, endless)
	assert.Greater(t, few, 1000)
	assert.Greater(t, endless, 100)
}

// TestTakenFrozen: a lease of a second is over before a second of a slow clock is, so that a record can come back; a freeze over the tick lets a
// lease run out in a poll. There is an upper bound all the same.
func TestTakenFrozen(t *testing.T) {
	for _, lock := range []plan.Lock{plan.ConfigMapsLeases, plan.EndpointsLeases} {
		c := config(machine.ClientGo, 1_138_482_574, 1_138_482_301, 800*ms)
		c.Lock, c.RequestTimeout = lock, 15_263_793
		r := of(t, c, &Environment{MaxPause: 347_282_599, MaxDriftPPM: 5000})
		most, known := r.AtMost()
		assert.True(t, known)
		assert.Greater(t, most, r.Overlap)
		assert.Less(t, most, 10*time.Minute)
	}
}
