package draw

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// TestLimitOfRoundTrips: no message takes longer than half of MaxRoundTrip, with a fault or without.
func TestLimitOfRoundTrips(t *testing.T) {
	for _, limit := range []time.Duration{1, 2 * time.Microsecond, time.Millisecond, 3 * time.Millisecond, time.Second} {
		space := Space{Profile: machine.ClientGo, Limits: Limits{MaxRoundTrip: limit}}
		faults := 0
		for seed := range uint64(300) {
			p := space.Plan(rand.New(rand.NewPCG(seed, 0)))
			legs := []*plan.Delay{&p.Network.Request, &p.Network.Response}
			for i := range p.Faults {
				if f := &p.Faults[i]; f.Kind == plan.FaultDelay {
					legs = append(legs, f.Request, f.Response)
					faults++
				}
			}
			for _, leg := range legs {
				if leg != nil && !assert.LessOrEqual(t, leg.Max, limit/2, "limit %v, seed %d", limit, seed) {
					return
				}
			}
		}
		assert.Positive(t, faults)
	}
}
