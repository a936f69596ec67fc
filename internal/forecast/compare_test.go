package forecast_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/forecast"
)

// comparedOptions are small: of both questions the losses are known to some percent then.
func comparedOptions(seed uint64) *forecast.Options {
	return (&forecast.Options{Seed: seed, Precision: 0.06, MaxWindows: 1500, Workers: 2}).LearnLess()
}

// compared are two questions about an outage of 9 s a day that differ much.
func compared() (questions []*forecast.Question, more float64) {
	return comparedFor(9*sec, 2*sec, 2500*ms)
}

// comparedFor are two questions about a daily outage, and by how much more the second one loses. With RenewDeadline 10 s the leader loses
// the lock if all the attempts that begin before the deadline are in the outage: if the first one begins in its first seconds, less so many
// retry periods as come before the last.
func comparedFor(outage, first, second time.Duration) (questions []*forecast.Question, more float64) {
	b := behaviour.Behaviour{RoundTrip: behaviour.Constant(trip), Episodes: []behaviour.Episode{
		{Kind: behaviour.Outage, Every: day, Lasts: behaviour.Constant(outage), On: behaviour.Everybody},
	}}
	share := func(retry time.Duration) float64 {
		before := math.Ceil(10/retry.Seconds()) - 1
		return (outage.Seconds() - before*retry.Seconds()) / (retry + trip).Seconds()
	}
	for _, retry := range []time.Duration{first, second} {
		q := asked(1, b, timings(15*sec, 10*sec, retry))
		q.Behaviour = &b
		questions = append(questions, &q)
	}
	return questions, (share(second) - share(first)) / day.Seconds()
}

// TestCompareSeldom holds the interval against the truth where one window in 500 differs, so that few of them are seen.
func TestCompareSeldom(t *testing.T) {
	questions, more := comparedFor(9900*ms, 2*sec, 2001*ms)
	missed := 0
	for seed := range uint64(few.Of(40)) {
		o := comparedOptions(seed)
		o.MaxWindows = 800
		c, err := forecast.Compare(context.Background(), questions, o)
		require.NoError(t, err)
		if d := c.Differences[1].Losses; more < d.Low || more > d.High {
			missed++
		}
	}
	assert.LessOrEqual(t, missed, few.Else(3, 5))
}

// TestCompare holds the interval of a difference against the truth, and against the interval that two forecasts give which have
// nothing in common. It makes 20 comparisons, or 5: an interval of 95 % misses the truth in four of them once in a hundred times.
func TestCompare(t *testing.T) {
	questions, more := compared()
	missed, wide := 0, 0
	for seed := range uint64(few.Of(20)) {
		c, err := forecast.Compare(context.Background(), questions, comparedOptions(seed))
		require.NoError(t, err)
		d, a, b := c.Differences[1].Losses, c.Forecasts[0].Losses, c.Forecasts[1].Losses
		assert.Zero(t, c.Differences[0])
		assert.InEpsilon(t, b.Value-a.Value, d.Value, 1e-9)
		assert.Positive(t, d.Low, "that one loses the lock more often is beyond doubt")
		if slack := 0.01 / day.Seconds(); more < d.Low-slack || more > d.High+slack {
			missed++
		}
		if d.High-d.Low > 0.8*math.Hypot(a.High-a.Low, b.High-b.Low) {
			wide++
		}
	}
	assert.LessOrEqual(t, missed, few.Else(2, 3))
	assert.Zero(t, wide)
}

// TestCompareFinds: the same question with an outage that is 0.2 s longer, as a planted error, is no longer within the interval.
func TestCompareFinds(t *testing.T) {
	questions, more := compared()
	longer := *questions[1].Behaviour
	longer.Episodes = []behaviour.Episode{longer.Episodes[0]}
	longer.Episodes[0].Lasts = behaviour.Constant(9200 * ms)
	o := *comparedOptions(1)
	o.MaxWindows = 20_000
	o.Precision = few.Else(0.04, 0.02)
	f, err := forecast.Run(context.Background(), &forecast.Question{
		Candidate: questions[1].Candidate, Replicas: 1, Behaviour: &longer}, &o)
	require.NoError(t, err)
	c, err := forecast.Compare(context.Background(), questions, &o)
	require.NoError(t, err)
	d := c.Differences[1].Losses
	assert.Greater(t, f.Losses.Value-c.Forecasts[0].Losses.Value, d.High)
	assert.InDelta(t, more*day.Seconds(), d.Value*day.Seconds(), 0.03)
}

// TestCompareSame: what is compared with itself does not differ, beyond any doubt but that about outcomes which were seldom seen.
func TestCompareSame(t *testing.T) {
	questions, _ := compared()
	c, err := forecast.Compare(context.Background(), []*forecast.Question{questions[0], questions[0]}, comparedOptions(1))
	require.NoError(t, err)
	assert.Zero(t, c.Differences[1].Losses.Value)
	assert.Less(t, c.Differences[1].Losses.High, 0.01*c.Forecasts[0].Losses.Value)
	assert.Equal(t, c.Forecasts[0].Losses, c.Forecasts[1].Losses)
}

// TestCompareWorkers: the comparison does not depend on how many windows are simulated at a time.
func TestCompareWorkers(t *testing.T) {
	questions, _ := compared()
	var all []*forecast.Comparison
	for _, workers := range []int{1, 3} {
		o := comparedOptions(7)
		o.Workers = workers
		c, err := forecast.Compare(context.Background(), questions, o)
		require.NoError(t, err)
		all = append(all, c)
	}
	assert.Equal(t, all[0].Forecasts, all[1].Forecasts)
	assert.Equal(t, all[0].Differences, all[1].Differences)
}

// TestCompareWants: only questions about the same behaviour are compared.
func TestCompareWants(t *testing.T) {
	questions, _ := compared()
	other := *questions[1]
	other.Behaviour = &behaviour.Behaviour{}
	_, err := forecast.Compare(context.Background(), []*forecast.Question{questions[0], &other}, comparedOptions(1))
	assert.ErrorContains(t, err, "same behaviour")
}

// TestCompareEnds: where the context ends before anything is known, the error says so.
func TestCompareEnds(t *testing.T) {
	questions, _ := compared()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, err := forecast.Compare(ctx, questions, comparedOptions(1))
	assert.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, c)
}
