package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestDialledTooLong: a request whose connection is made only as TCP sends its first packet again, and which is answered, takes longer than a
// round trip may. It is outside of an environment that has shorter ones.
func TestDialledTooLong(t *testing.T) {
	for _, c := range []struct {
		until  time.Duration
		within bool
	}{
		{6 * time.Second, true}, // the partition is over before a connection is made
		{7500 * time.Millisecond, false},
	} {
		s := &scenarios.Scenario{Name: "dialled", Plan: scenarios.Plan{
			Seed: 1, Horizon: 15 * time.Second,
			Network: scenarios.Network{Request: always(longestLeg), Response: always(longestLeg)},
			Candidates: []scenarios.Candidate{{
				ID: "a", Profile: machine.ClientGo, Lock: plan.Lease, RequestTimeout: 5 * time.Second, Client: &plan.Client{HTTP1: true},
				Timings: machine.Timings{LeaseDuration: 30 * time.Second, RenewDeadline: 20 * time.Second, RetryPeriod: 2 * time.Second},
				Jitter:  new(0.0),
			}},
			Faults: []scenarios.Fault{{Kind: plan.FaultPartition, At: time.Second, Until: &c.until, On: []string{"a"}}},
		}}
		outside := watched(t, s).outside(s, &bound.Environment{MaxRoundTrip: 100 * time.Millisecond})
		assert.Equal(t, c.within, outside == "", "%v: %s", c.until, outside)
	}
}
