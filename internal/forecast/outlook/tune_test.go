package outlook

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/bound"
	"interregnum/internal/forecast"
	"interregnum/internal/gate"
)

// made returns forecasts of which all is known: leadership is lost once a month, ten times less for each further second of
// RenewDeadline above ten, and then nobody leads for LeaseDuration. Intervals are a tenth of the value wide, up and down.
func made(_ context.Context, questions []*forecast.Question, _ *forecast.Options) (*forecast.Comparison, error) {
	around := func(x float64) forecast.Estimate { return forecast.Estimate{Value: x, Low: 0.9 * x, High: 1.1 * x} }
	c := &forecast.Comparison{}
	for _, q := range questions {
		losses := math.Pow(10, min(0, 10-q.Candidate.RenewDeadline.Seconds())) / Month.Seconds()
		lease := q.Candidate.LeaseDuration.Seconds()
		c.Forecasts = append(c.Forecasts, &forecast.Forecast{
			Losses: around(losses), Leaderless: around(losses * lease), Requests: around(1 / q.Candidate.RetryPeriod.Seconds()),
			Gaps: forecast.Gaps{P50: around(lease), P99: around(lease), Seen: 1000}, Precise: true,
		})
		c.Differences = append(c.Differences, forecast.Difference{})
	}
	return c, nil
}

// tuned returns what a tuner finds.
func tuned(t *testing.T, wanted Thresholds, change func(*gate.Wish)) *Tuning {
	w := &gate.Wish{Config: bound.Config{Profile: machine.ClientGo}, Candidates: 3, MaxLease: 60 * time.Second}
	if change != nil {
		change(w)
	}
	e := gate.DefaultEnvironment()
	tuner := Tuner{
		Wish: w, Environment: e, Site: &Site{Behaviour: &behaviour.Behaviour{}, Replicas: 3, Thresholds: wanted}, Options: &forecast.Options{MaxWindows: 1000},
		Compare: made, Start: func(string) (func(*forecast.Forecast), func()) { return func(*forecast.Forecast) {}, func() {} },
	}
	r, err := tuner.Tune(t.Context())
	require.NoError(t, err)
	return r
}

// rate returns so many a month, as thresholds have it.
func rate(n float64) *float64 {
	n /= Month.Seconds()
	return &n
}

// TestTune: of all configurations that the gate calls safe, none with a shorter worst failover keeps to the threshold than the one that is
// chosen, to a second of the tolerated outage.
func TestTune(t *testing.T) {
	r := tuned(t, Thresholds{MaxLosses: rate(2e-4)}, nil)
	require.NotNil(t, r.Best)
	assert.GreaterOrEqual(t, r.Best.Config.RenewDeadline, 14*time.Second, "1e-4 a month, with an interval to 1.1e-4")
	assert.Equal(t, Met, r.Best.Target.Verdict)
	assert.Empty(t, r.Undecided())
	shorter := r.Candidates[0]
	for _, c := range r.Candidates {
		if c.Failover < r.Best.Failover {
			assert.Equal(t, Violated, c.Target.Verdict, "%+v", c.Config)
			shorter = c
		}
		assert.Equal(t, gate.Safe, c.Target.Judgement.Verdict)
	}
	assert.Less(t, r.Best.Outage-shorter.Outage, 3*time.Second)
	best := r.Best
	r = tuned(t, Thresholds{MaxLosses: rate(1.05 * math.Pow(10, 10-best.Config.RenewDeadline.Seconds()))}, nil)
	require.NotNil(t, r.Best)
	assert.Greater(t, r.Best.Failover, best.Failover)
	require.NotEmpty(t, r.Undecided(), "the threshold lies within the interval")
	assert.Equal(t, best.Config, r.Undecided()[0].Config)
}

// TestTuneObstacles: where two wishes contradict each other, either is named, with what there is without it.
func TestTuneObstacles(t *testing.T) {
	gap := 12 * time.Second
	r := tuned(t, Thresholds{MaxLosses: rate(2e-4), MaxGapP99: &gap}, nil)
	assert.Nil(t, r.Best)
	flags := map[string]*Candidate{}
	for _, o := range r.Obstacles {
		flags[o.Flag] = o.Instead
	}
	require.Contains(t, flags, MaxGapP99)
	require.Contains(t, flags, MaxLosses)
	assert.LessOrEqual(t, flags[MaxLosses].Config.LeaseDuration, 12*time.Second)
	assert.GreaterOrEqual(t, flags[MaxGapP99].Config.RenewDeadline, 14*time.Second)

	slow := 0.05
	r = tuned(t, Thresholds{MaxLosses: rate(2)}, func(w *gate.Wish) { w.MaxQPS, w.MaxLease = slow, 20*time.Second })
	assert.Nil(t, r.Best)
	require.NotEmpty(t, r.Obstacles)
	assert.Contains(t, r.Obstacles[0].Text, "--max-qps 0.05")
}

// TestWorse: a target is worse than another if it is no better in anything, for certain if the intervals say so; equal ones are not.
func TestWorse(t *testing.T) {
	of := func(overlap time.Duration, losses, gap, requests, half float64) *Target {
		around := func(x float64) forecast.Estimate {
			return forecast.Estimate{Value: x, Low: x - half, High: x + half}
		}
		return &Target{
			Judgement: &gate.Judgement{Result: &bound.Result{Overlap: overlap}},
			Forecast: &forecast.Forecast{
				Losses: around(losses), Leaderless: around(losses), Requests: around(requests), Gaps: forecast.Gaps{P99: around(gap), Seen: 1},
			},
		}
	}
	good := of(-time.Second, 5, 5, 5, 0.1)
	for _, c := range []struct {
		name           string
		other          *Target
		worse, certain bool
	}{
		{"in all", of(time.Second, 6, 6, 6, 0.1), true, true},
		{"in one, and equal else", of(time.Second, 5, 5, 5, 0.1), true, false},
		{"perhaps", of(time.Second, 5.1, 6, 6, 0.1), true, false},
		{"better in one", of(time.Second, 6, 6, 4, 0.1), false, false},
		{"equal", of(-time.Minute, 5, 5, 5, 0.1), false, false},
		{"no gap was seen", func() *Target { x := of(time.Second, 6, 0, 6, 0.1); x.Forecast.Gaps.Seen = 0; return x }(), false, false},
	} {
		targets := []*Target{good, c.other}
		weigh(targets, (&forecast.Comparison{Forecasts: []*forecast.Forecast{good.Forecast, c.other.Forecast}}).Between)
		assert.Nil(t, good.Worse, c.name)
		require.Equal(t, c.worse, c.other.Worse != nil, c.name)
		if c.worse {
			assert.Equal(t, c.certain, c.other.Worse.Certain, c.name)
			assert.Same(t, good, c.other.Worse.Than)
		}
	}
	endless := of(time.Second, 6, 6, 6, 0.1)
	endless.Result.Unbounded = true
	targets := []*Target{endless, of(time.Hour, 7, 7, 7, 0.1)}
	weigh(targets, (&forecast.Comparison{Forecasts: []*forecast.Forecast{targets[0].Forecast, targets[1].Forecast}}).Between)
	assert.Nil(t, targets[1].Worse, "an overlap of an hour is better than one without end")
}
