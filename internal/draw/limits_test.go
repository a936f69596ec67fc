package draw

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/plan"
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

// TestLimitsOfFreezesAndClocks: processes are frozen for no longer than MaxPause in all, and the clocks that decide when
// a lock expires are no farther apart than MaxClockOffset, not by a nanosecond, also in plans that were changed at random.
func TestLimitsOfFreezesAndClocks(t *testing.T) {
	spaces := map[string]Space{
		"caller":   {Profile: machine.ClientGo, Locking: Locking{Lock: plan.SQLTTL, Now: plan.CallerNow}},
		"database": {Profile: machine.ClientGo, Locking: Locking{Lock: plan.SQLTTL, Now: plan.DatabaseNow}},
	}
	for _, p := range machine.Profiles() {
		if p.ByWallClock() {
			spaces[p.Name] = Space{Profile: p}
		}
	}
	assert.Len(t, spaces, 7)
	for now, space := range spaces {
		for _, limit := range []time.Duration{0, 1, time.Microsecond, time.Second} {
			space.Limits = Limits{MaxPause: max(1, limit), MaxClockOffset: limit}
			freezes, jumps := 0, 0
			for seed := range uint64(1000) {
				from := rand.New(rand.NewPCG(seed, 0))
				drawn := space.Plan(from)
				var sheet Sheet
				sheet.Mutate(&space, drawn, from)
				for _, p := range []*plan.Plan{drawn, &sheet.Plan} {
					var frozen time.Duration
					for i := range p.Faults {
						f := &p.Faults[i]
						if f.Kind == plan.FaultPause {
							freezes++
							frozen += *f.Until - f.At
						}
						if f.Jump != 0 {
							jumps++
						}
					}
					if !assert.LessOrEqual(t, frozen, space.Limits.MaxPause, "%v, %v, seed %d", now, limit, seed) ||
						!assert.LessOrEqual(t, space.Apart(p), limit, "%v, %v, seed %d", now, limit, seed) {
						return
					}
				}
			}
			assert.Positive(t, freezes)
			// Of a Lease every clock decides. Of a row only the callers' does, or the database's, so that the other jumps.
			assert.Equal(t, limit > 0 || space.Lock.ByWallClock(), jumps > 0, "%s, %v", now, limit)
		}
	}
}
