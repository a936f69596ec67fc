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

const (
	// rareOf is how rare a loss is: one of so many polls. docs/method/forecast-truth.md has the arithmetic, f⁵ = 10⁻⁸ with f = p² (2 − p).
	rareOf = 1e8
	// rareError is the p of that.
	rareError = 0.1154506
	// rarePrecision is how precisely it is estimated.
	rarePrecision = 0.1
)

func rareQuestion() *Question {
	return &Question{Replicas: 1, Candidate: plan.Candidate{
		Profile: machine.ClientGo, Lock: plan.Lease,
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
	}, Behaviour: &behaviour.Behaviour{
		RoundTrip: behaviour.Constant(10 * time.Millisecond), Errors: []behaviour.Error{{Status: 500, Probability: rareError}},
	}}
}

// TestRare: what happens once in 10⁸ polls is estimated to a tenth by few windows.
func TestRare(t *testing.T) {
	assert.InEpsilon(t, 1/rareOf, math.Pow(rareError*rareError*(2-rareError), 5), 1e-3)
	f, err := Run(context.Background(), rareQuestion(), &Options{Seed: 1, Precision: rarePrecision, MaxWindows: 20_000, Workers: 2})
	require.NoError(t, err)
	assert.True(t, f.Precise, "%v after %d windows", f.Losses, f.Windows)
	assert.InEpsilon(t, 4.8464e-9, f.Losses.Value, 2*rarePrecision)
}

// BenchmarkRare estimates what happens once in 10⁸ polls to a tenth, and tells what counting would cost: the polls of which so many lose
// the lock that the interval of their number is as narrow, simulated one after the other by one core.
func BenchmarkRare(b *testing.B) {
	for i := range b.N {
		f, err := Run(context.Background(), rareQuestion(), &Options{Seed: uint64(i), Precision: rarePrecision, MaxWindows: 20_000, Workers: 2})
		require.NoError(b, err)
		require.True(b, f.Precise)
	}
	each := b.Elapsed().Seconds() / float64(b.N)
	polls := rareOf * (z / rarePrecision) * (z / rarePrecision)
	brute := polls * secondsOfPoll(b)
	b.ReportMetric(polls, "polls-to-count")
	b.ReportMetric(brute/86400, "days-of-counting")
	b.ReportMetric(brute/each, "times-as-fast")
}

// secondsOfPoll returns how long it takes to simulate a poll.
func secondsOfPoll(b *testing.B) float64 {
	const polls = 20_000
	set, err := newSetting(rareQuestion())
	require.NoError(b, err)
	set.lasts = 0 // no poll is looked into
	p, w := newPlay(set), &window{from: set.warm, to: set.warm + polls*2*time.Second, seed: 1}
	began := time.Now()
	require.NoError(b, p.run(w, nil))
	return time.Since(began).Seconds() / polls
}
