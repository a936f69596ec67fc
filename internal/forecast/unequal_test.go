package forecast

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// TestCompareUnequal: if a comparison is interrupted, one campaign has windows that the other one has not.
func TestCompareUnequal(t *testing.T) {
	b := &behaviour.Behaviour{RoundTrip: behaviour.Constant(10 * time.Millisecond), Episodes: []behaviour.Episode{
		{Kind: behaviour.Outage, Every: time.Hour, Lasts: behaviour.Constant(9 * time.Second), On: behaviour.Everybody}}}
	var questions []*Question
	for _, retry := range []time.Duration{2 * time.Second, 2500 * time.Millisecond} {
		questions = append(questions, &Question{Replicas: 1, Behaviour: b, Candidate: plan.Candidate{Profile: machine.ClientGo, Lock: plan.Lease,
			Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: retry}}})
	}
	c, err := Compare(context.Background(), questions, &Options{Seed: 1, Precision: 1, MaxWindows: 1000, Workers: 1})
	require.NoError(t, err)
	for _, s := range c.campaigns[0].samples {
		s.add(&outcome{})
	}
	assert.False(t, math.IsNaN(c.Between(0, 1).Losses.Value))
	for _, s := range c.campaigns[0].samples {
		s.rate = 0
	}
	assert.False(t, math.IsNaN(c.Between(0, 1).Losses.Value))
}
