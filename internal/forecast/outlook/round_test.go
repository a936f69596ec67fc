package outlook

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/forecast"
	"interregnum/plan"
)

// TestLess: of candidates that were looked at together the difference comes from the same random numbers, and its interval is narrower than that
// of two forecasts which have nothing to do with each other.
func TestLess(t *testing.T) {
	b := &behaviour.Behaviour{RoundTrip: behaviour.Constant(10 * time.Millisecond), Episodes: []behaviour.Episode{
		{Kind: behaviour.Outage, Every: 24 * time.Hour, Lasts: behaviour.Constant(9 * time.Second), On: behaviour.Everybody}}}
	var questions []*forecast.Question
	var all []*Candidate
	for i, deadline := range []time.Duration{10 * time.Second, 9500 * time.Millisecond} {
		questions = append(questions, &forecast.Question{Replicas: 2, Behaviour: b, Candidate: plan.Candidate{Profile: machine.ClientGo, Lock: plan.Lease,
			Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: deadline, RetryPeriod: 2 * time.Second}}})
		all = append(all, &Candidate{Target: &Target{}, place: i})
	}
	c, err := forecast.Compare(t.Context(), questions, &forecast.Options{Seed: 1, Precision: 0.05, MaxWindows: 600, Workers: 2})
	require.NoError(t, err)
	for i, one := range all {
		one.Target.Forecast = c.Forecasts[i]
	}
	independent := all[0].Less(all[1])
	for _, one := range all {
		one.round = c
	}
	paired := all[0].Less(all[1])
	assert.InDelta(t, independent.Losses.Value, paired.Losses.Value, 1e-9)
	assert.Less(t, paired.Losses.High-paired.Losses.Low, (independent.Losses.High-independent.Losses.Low)/4)
	back := all[1].Less(all[0])
	assert.InDelta(t, -paired.Losses.Value, back.Losses.Value, 1e-9)
}
