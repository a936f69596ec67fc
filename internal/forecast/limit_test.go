package forecast_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/forecast"
)

// TestBeyond: what ends the run of a client by an exception is refused, and the same with another client is not.
func TestBeyond(t *testing.T) {
	outage := episodes(behaviour.Episode{Kind: behaviour.Outage, Every: day, Lasts: behaviour.Constant(sec), On: behaviour.Everybody})
	refusing := episodes(behaviour.Episode{Kind: behaviour.Brownout, Every: day, Lasts: behaviour.Constant(sec), On: behaviour.Everybody, Factor: 1,
		Errors: []behaviour.Error{{Status: 429, Probability: 0.1}}})
	for _, c := range []struct {
		behaviour behaviour.Behaviour
		what      string
		in        []machine.Profile
	}{
		{outage, "an outage", []machine.Profile{machine.Python, machine.CSharp}},
		{errorsOf(502, 0.01), "an error with status 502", []machine.Profile{machine.Python}},
		{refusing, "an error with status 429", []machine.Profile{machine.Python}},
		{errorsOf(500, 0.01), "", nil},
	} {
		for _, p := range []machine.Profile{machine.Python, machine.CSharp, machine.Java, machine.ClientGo} {
			q := asked(1, c.behaviour)
			q.Candidate.Profile = p
			_, err := forecast.Run(t.Context(), &q, (&forecast.Options{Seed: 1, Precision: 1, MaxWindows: 100, Workers: 1}).LearnLess())
			if slices.ContainsFunc(c.in, func(x machine.Profile) bool { return x.Name == p.Name }) {
				require.EqualError(t, err, c.what+" cannot be counted with profile "+p.Name+": its client then throws an exception, which ends its run")
			} else {
				require.NoError(t, err)
			}
		}
	}
}

// TestMaxWindows: no more windows are simulated than may be, however few these are; fewer than there are sorts are refused.
func TestMaxWindows(t *testing.T) {
	sorts := behaviour.Behaviour{Episodes: []behaviour.Episode{
		{Kind: behaviour.Outage, Every: time.Hour, Lasts: behaviour.Uniform(5*sec, 30*sec)},
		{Kind: behaviour.Crash, Every: time.Hour, Lasts: behaviour.Constant(sec), On: behaviour.One},
	}}
	a, b := asked(2, sorts), asked(2, sorts)
	b.Behaviour, b.Candidate.LeaseDuration = a.Behaviour, 30*sec
	for _, most := range few.Else([]int{15, 16, 100, 1001}, []int{15, 16, 100, 1001, 3205}) {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			c, err := forecast.Compare(t.Context(), []*forecast.Question{&a, &b}, (&forecast.Options{Seed: 1, Precision: 1e-9, MaxWindows: most, Workers: 2}).LearnLess())
			require.NoError(t, err)
			for _, f := range c.Forecasts {
				assert.Equal(t, most, f.Windows)
			}
			assert.Equal(t, c.Differences[1], c.Between(0, 1))
			back := c.Between(1, 0)
			assert.InDelta(t, -c.Differences[1].Losses.Value, back.Losses.Value, 1e-12)
		})
	}
	_, err := forecast.Run(t.Context(), &a, &forecast.Options{Seed: 1, Precision: 1, MaxWindows: 14, Workers: 1})
	require.EqualError(t, err, "14 windows at most: want 15 or more, one of each sort")
}

// TestLongGaps: a process that is back after hours, now and then, is waited for.
func TestLongGaps(t *testing.T) {
	outage := episodes(behaviour.Episode{Kind: behaviour.Outage, Every: day, Lasts: behaviour.Constant(30 * sec), On: behaviour.Everybody})
	back := make([]time.Duration, 1000)
	for i := range back {
		if back[i] = 5 * sec; i < 9 {
			back[i] = 3 * time.Hour
		}
	}
	q := asked(1, outage)
	q.Restart = new(behaviour.Samples(back))
	f, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: 1, Precision: 0.1, MaxWindows: 20_000, Workers: 2})
	require.NoError(t, err)
	assert.Greater(t, f.Gaps.Worst, 3*time.Hour)
	assert.Zero(t, f.CutOff)
	// The lease runs on from the first look, 5 s or 3 h after the loss; the outage may end later than that first look.
	truth := (0.991*37.4 + 0.009*10_816.6) / day.Seconds()
	assert.Less(t, f.Leaderless.Low, truth)
	assert.Greater(t, f.Leaderless.High, truth)
}

// TestLongOutage: the end of a gap that an outage of an hour makes is known.
func TestLongOutage(t *testing.T) {
	q := asked(2, episodes(behaviour.Episode{Kind: behaviour.Outage, Every: 100 * day, Lasts: behaviour.Constant(time.Hour), On: behaviour.Everybody}))
	f, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: 1, Precision: 0.1, MaxWindows: 500, Workers: 2})
	require.NoError(t, err)
	assert.Zero(t, f.CutOff)
	assert.Less(t, f.Leaderless.High, 1.3*f.Leaderless.Value)
	assert.InEpsilon(t, 3600/(100*day).Seconds(), f.Leaderless.Value, 0.02)
	assert.InEpsilon(t, 3600, f.Gaps.P50.Value, 0.01)
}

// TestFollowedGaps: where a gap outlasts what is simulated nobody knows how much time is without a leader.
func TestFollowedGaps(t *testing.T) {
	q := asked(1, errorsOf(500, 0.96))
	f, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: 1, Precision: 0.1, MaxWindows: 500, Workers: 2})
	require.NoError(t, err)
	assert.Positive(t, f.CutOff)
	assert.InDelta(t, 1, f.Leaderless.High, 1e-12)
	assert.LessOrEqual(t, f.Leaderless.Value, 1.0)
}

// TestLongRoundTrips: windows meet all phases of a poll, also where an answer takes many times as long as RetryPeriod.
func TestLongRoundTrips(t *testing.T) {
	q := asked(2, behaviour.Behaviour{RoundTrip: behaviour.Constant(9 * sec)})
	f, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: 1, Precision: 0.02, MaxWindows: 5000, Workers: 2})
	require.NoError(t, err)
	truth := 1/11.0 + 1/12.2
	assert.InEpsilon(t, truth, f.Requests.Value, 0.02)
}

// TestTooOften: episodes after which an election never settles before the next one are refused, and so are those that take too many polls; and whatever is simulated ends with its context.
func TestTooOften(t *testing.T) {
	crashes := func(every time.Duration) forecast.Question {
		return asked(2, episodes(behaviour.Episode{Kind: behaviour.Crash, Every: every, Lasts: behaviour.Constant(ms), On: behaviour.One}))
	}
	q := crashes(2 * ms)
	_, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: 1, Precision: 0.1, MaxWindows: 100, Workers: 1})
	assert.ErrorContains(t, err, "episodes come every 2ms on average, and after one it takes 58s until all has settled: want one in 8.")
	q = asked(2, episodes(behaviour.Episode{Kind: behaviour.Outage, Every: 3650 * day, Lasts: behaviour.Constant(365 * day), On: behaviour.Everybody}))
	_, err = forecast.Run(t.Context(), &q, &forecast.Options{Seed: 1, Precision: 0.1, MaxWindows: 100, Workers: 1})
	assert.ErrorContains(t, err, "an episode (outage) that lasts 8760h0m0s takes 15768000 polls of 2s, in each of many windows: want 555h33m20s at most")
	q = crashes(9 * sec)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = forecast.Run(ctx, &q, &forecast.Options{Seed: 1, Precision: 0.1, MaxWindows: 100, Workers: 1})
	assert.ErrorIs(t, err, context.Canceled)
}
