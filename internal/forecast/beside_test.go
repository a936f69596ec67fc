package forecast_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/forecast"
)

// TestTakenWithoutDanger: with a lease of 1.5 s, of which others count 1 s or less, the lock is taken in usual times from a leader that was
// answered in time. No branch shows that. Forecasts of few windows that have not seen it say that there may be as many as plain runs count.
func TestTakenWithoutDanger(t *testing.T) {
	t.Parallel()
	usual, _, err := behaviour.ReadFile("outlook/testdata/calm.yaml", nil)
	require.NoError(t, err)
	usual.Episodes = nil
	q := asked(2, *usual)
	q.Candidate.LeaseDuration, q.Candidate.RenewDeadline, q.Candidate.RetryPeriod = 1500*time.Millisecond, sec, 500*time.Millisecond
	plain := judged(t, &q, 20, time.Hour, 0)
	assert.Positive(t, plain.Losses.Low)
	unseen := 0
	for seed := range uint64(10) {
		f, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: seed, Precision: 0.2, MaxWindows: 400, Workers: 1})
		require.NoError(t, err)
		if f.Losses.Value < plain.Losses.Value/100 {
			unseen++
		}
		assert.Greater(t, f.Losses.High, plain.Losses.Low, "seed %d", seed)
		assert.False(t, f.Precise, "seed %d", seed)
	}
	assert.Positive(t, unseen)
	t.Logf("plain %v, %d of 10 have not seen it", plain.Losses, unseen)
}

// TestTakenIsLookedFor: others count 2 s of a lease of 3 s. What may then be taken from a leader that is answered in time begins a branch, so
// that the interval of so rare losses needs no bound of its own for it.
func TestTakenIsLookedFor(t *testing.T) {
	t.Parallel()
	q := asked(2, behaviour.Behaviour{RoundTrip: behaviour.Exponential(100 * ms)}, timings(3*sec, 2500*ms, 500*ms))
	f, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: 1, Precision: 0.1, MaxWindows: 1000, Workers: 1})
	require.NoError(t, err)
	assert.InEpsilon(t, 2.33e-11, f.Losses.Value, 0.1)
	assert.Less(t, f.Losses.High, 1.1*f.Losses.Value)
}

// TestOnlyTogether: one outage of 7 s loses no lock, and two that come together do. Windows end for that at a number that does not depend on
// what was seen of it, with an interval as wide as it is, and the time without a leader, which shutdowns bring, is as precise as was asked.
func TestOnlyTogether(t *testing.T) {
	t.Parallel()
	q := asked(1, behaviour.Behaviour{Episodes: []behaviour.Episode{
		{Kind: behaviour.Outage, Every: day, Lasts: behaviour.Constant(7 * sec), On: behaviour.Everybody},
		{Kind: behaviour.Shutdown, Every: day, Lasts: behaviour.Constant(5 * sec), On: behaviour.Leader},
	}}, func(q *forecast.Question) { q.Restart = new(behaviour.Constant(5 * sec)) })
	windows := map[int]bool{}
	for seed := range uint64(few.Else(2, 4)) {
		f, err := forecast.Run(t.Context(), &q, &forecast.Options{Seed: seed, Precision: 0.02, MaxWindows: 100_000, Workers: 1})
		require.NoError(t, err)
		windows[f.Windows] = true
		require.Positive(t, f.Losses.Value)
		assert.Greater(t, f.Losses.High, 1.1*f.Losses.Value, "seed %d", seed)
		assert.True(t, f.Rare && !f.Precise, "seed %d", seed)
		assert.Less(t, f.Leaderless.High, 1.02*f.Leaderless.Value, "seed %d", seed)
		assert.Less(t, f.Windows, 10_000, "seed %d", seed)
	}
	t.Log(windows)
}
