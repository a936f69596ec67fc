package forecast

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/scenarios/plan"
)

// anyQuestion draws a question whose answer is that losses are frequent.
func anyQuestion(r *rand.Rand) *Question {
	b := &behaviour.Behaviour{
		RoundTrip: behaviour.Exponential(time.Duration(10+r.IntN(400)) * time.Millisecond),
		Errors:    []behaviour.Error{{Status: 503, Probability: 0.3 * r.Float64()}, {Probability: 0.02 * r.Float64()}},
	}
	kinds := behaviour.Kinds()
	for range 1 + r.IntN(2) {
		e := behaviour.Episode{
			Kind: kinds[r.IntN(len(kinds))], Every: time.Duration(10+r.IntN(50)) * time.Minute, On: behaviour.Everybody,
			Lasts: behaviour.Exponential(time.Duration(1+r.IntN(10)) * time.Second),
		}
		if !e.Kind.OnMessages() {
			e.On = behaviour.Leader
		}
		if e.Kind == behaviour.Brownout {
			e.Factor = 2 + 10*r.Float64()
		}
		b.Episodes = append(b.Episodes, e)
	}
	retry := time.Duration(500+r.IntN(1500)) * time.Millisecond
	q := &Question{Replicas: 1 + r.IntN(3), Behaviour: b, Candidate: plan.Candidate{
		Lock: plan.Lease, Profile: machine.ClientGo, ReleaseOnCancel: r.IntN(2) == 0,
		Timings: machine.Timings{LeaseDuration: 8 * retry, RenewDeadline: 4 * retry, RetryPeriod: retry},
	}}
	if r.IntN(2) == 0 {
		q.Candidate.RequestTimeout = 2 * retry
	}
	if r.IntN(2) == 0 {
		d := behaviour.Constant(5 * time.Second)
		q.Restart = &d
	}
	return q
}

// campaignOf returns a campaign of a question that has run so many windows. plainly: it counts what it sees, and branches nowhere.
func campaignOf(t *testing.T, q *Question, plainly bool, seed uint64, windows int) *campaign {
	set, err := newSetting(q)
	require.NoError(t, err)
	if plainly {
		set.lasts = 0
	}
	c, err := newCampaign(set, &Options{Seed: seed, MaxWindows: windows, Workers: 2})
	require.NoError(t, err)
	c.fewest = 60
	_, err = compare(context.Background(), []*campaign{c}, c.o)
	require.NoError(t, err)
	return c
}

// apart returns by how many standard errors two estimates differ.
func apart(a, b Estimate) float64 {
	se := math.Hypot(a.High-a.Low, b.High-b.Low) / (2 * z)
	if se == 0 {
		return 0
	}
	return (a.Value - b.Value) / se
}

// TestBranchesAgreeWithPlainRuns compares what branches say with what plain runs of the same windows count, in random questions.
// A bias of a tenth would be noticed.
func TestBranchesAgreeWithPlainRuns(t *testing.T) {
	t.Parallel()
	const cases = 30
	r := rand.New(rand.NewPCG(1, 1))
	var all, biased [metrics]float64
	for i := range cases {
		q := anyQuestion(r)
		branched, plain := campaignOf(t, q, false, uint64(i), 1000), campaignOf(t, q, true, uint64(1000+i), 2500)
		for _, m := range []metric{losses, leaderless, restarts} {
			// What plain runs see of usual times is too rare to be compared.
			a, b := sum(branched.set, branched.samples[1:], m, branched.usual), sum(plain.set, plain.samples[1:], m, plain.usual)
			d := apart(a, b)
			assert.Less(t, math.Abs(d), 4.5, "case %d: metric %d is %v by branches and %v plainly", i, m, a, b)
			all[m] += d / math.Sqrt(cases)
			a.Value *= 1.1
			biased[m] += apart(a, b) / math.Sqrt(cases)
		}
	}
	for _, m := range []metric{losses, leaderless} {
		t.Logf("metric %d: %.2f standard errors apart in all, with a bias of a tenth %.2f", m, all[m], biased[m])
		assert.Less(t, math.Abs(all[m]), 4.0)
		assert.Greater(t, biased[m], 4.0, "a bias of a tenth would not be noticed")
	}
}

// TestStrataAreAll: the strata of an episode leave out no length and count none twice, their weights sum to 1, and all windows together
// with usual times are all time.
func TestStrataAreAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 30 {
		q := anyQuestion(r)
		set, err := newSetting(q)
		require.NoError(t, err)
		all := set.strata()
		usual := set.usual(all, uint64(i))
		weight, until := make([]float64, len(q.Behaviour.Episodes)), make([]float64, len(q.Behaviour.Episodes))
		inWindows := 0.0
		for _, s := range all {
			if s.episode < 0 {
				assert.InDelta(t, 1, s.rate*usualPolls*q.Candidate.RetryPeriod.Seconds(), 1e-9, "usual windows fill usual times")
				continue
			}
			assert.InDelta(t, until[s.episode], s.above, 1e-15, "no length is left out, or counted twice")
			until[s.episode] = s.below
			share := s.rate / q.Behaviour.Episodes[s.episode].Rate()
			assert.InDelta(t, s.below-s.above, share, 1e-9)
			weight[s.episode] += share
			inWindows += s.rate * s.length
		}
		for k := range weight {
			assert.InDelta(t, 1, until[k], 1e-15)
			assert.InDelta(t, 1, weight[k], 1e-9)
		}
		assert.InDelta(t, 1, usual*(1+inWindows), 1e-9)
	}
}

// TestSameBytes makes a forecast with one worker and with three.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	q := anyQuestion(rand.New(rand.NewPCG(2, 2)))
	one, err := Run(context.Background(), q, &Options{Seed: 1, MaxWindows: 2000, Workers: 1})
	require.NoError(t, err)
	three, err := Run(context.Background(), q, &Options{Seed: 1, MaxWindows: 2000, Workers: 3})
	require.NoError(t, err)
	assert.Equal(t, one, three)
}
