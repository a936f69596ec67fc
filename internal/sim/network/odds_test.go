package network

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/plan"
)

// TestOdds: chance is asked only where it decides, and a fault says whether it has a say in the leg.
func TestOdds(t *testing.T) {
	asked := 0
	draw := func() *rand.Rand {
		asked++
		return rand.New(rand.NewPCG(1, 1))
	}
	way := plan.Network{Request: plan.Delay{Min: 3, Max: 3}, Response: plan.Delay{Min: 3, Max: 3}}
	o := NewOdds(&way, plan.RequestLeg)
	assert.False(t, o.Meet(&plan.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}))
	assert.False(t, o.Meet(&plan.Fault{Kind: plan.FaultDelay, Response: &plan.Delay{Min: 9, Max: 9}}))
	assert.False(t, o.Meet(&plan.Fault{Kind: plan.FaultError, Status: 500}))
	assert.False(t, o.Lost(draw))
	assert.Equal(t, time.Duration(3), o.Takes(draw))
	assert.True(t, o.Meet(&plan.Fault{Kind: plan.FaultOutage}))
	assert.True(t, o.Meet(&plan.Fault{Kind: plan.FaultLose, Probability: new(0.5)}))
	assert.True(t, o.Never())
	assert.True(t, o.Lost(draw))
	assert.Zero(t, asked)

	o = NewOdds(&way, plan.RequestLeg)
	assert.True(t, o.Meet(&plan.Fault{Kind: plan.FaultLose, Probability: new(0.5)}))
	assert.True(t, o.Meet(&plan.Fault{Kind: plan.FaultDelay, Request: &plan.Delay{Min: 4, Max: 6}}))
	assert.False(t, o.Never())
	lost := 0
	for seed := range uint64(1000) {
		from := func() *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
		if o.Lost(from) {
			lost++
		}
		takes := o.Takes(from)
		assert.True(t, takes >= 4 && takes <= 6, takes)
	}
	assert.InDelta(t, 500, lost, 100)
}
