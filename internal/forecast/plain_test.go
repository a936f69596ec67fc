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
	"interregnum/internal/few"
	"interregnum/plan"
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

// pair returns two campaigns of a question, with the same windows, so many each. The second one counts what it sees, and branches nowhere.
// The first one learns from few windows: they are compared with nothing, and a bias of branches does not hang on how well they are chosen.
func pair(t *testing.T, q *Question, seed uint64, windows int) (branched, plain *campaign) {
	o := &Options{Seed: seed, MaxWindows: windows, Workers: 2, learning: learning / 4}
	var both []*campaign
	for _, plainly := range []bool{false, true} {
		set, err := newSetting(q)
		require.NoError(t, err)
		if plainly {
			set.lasts = 0
		}
		c, err := newCampaign(context.Background(), set, o)
		require.NoError(t, err)
		c.fewest = min(c.fewest, 60)
		for _, s := range c.samples {
			s.keeps = true
		}
		both = append(both, c)
	}
	_, err := compare(context.Background(), both, o)
	require.NoError(t, err)
	return both[0], both[1]
}

// episodesOnly returns the campaign without usual times: what plain runs see of them is too rare to be compared.
func (c *campaign) episodesOnly() *campaign {
	calm := *c
	calm.samples = nil
	for _, s := range c.samples {
		if s.episode >= 0 {
			calm.samples = append(calm.samples, s)
		}
	}
	return &calm
}

var (
	plainCases = few.Else(2, 20)    // how many random questions TestBranchesAgreeWithPlainRuns asks
	plainBias  = few.Else(0.5, 0.1) // which share of a figure it would notice as a bias
)

// TestBranchesAgreeWithPlainRuns compares what branches say with what plain runs of the same windows count, in random questions.
// A bias of plainBias would be noticed.
func TestBranchesAgreeWithPlainRuns(t *testing.T) {
	t.Parallel()
	cases := float64(plainCases)
	r := rand.New(rand.NewPCG(1, 1))
	var all, biased [metrics]float64
	for i := range plainCases {
		branched, plain := pair(t, anyQuestion(r), uint64(i), few.Else(250, 1000))
		branched, plain = branched.episodesOnly(), plain.episodesOnly()
		for _, m := range []metric{losses, leaderless, restarts} {
			more := plain.more(branched, m)
			known := sum(branched.set, branched.samples, m, branched.usual)
			se := (more.High - more.Low) / (2 * z)
			if se == 0 {
				continue
			}
			assert.Less(t, math.Abs(more.Value/se), 4.5, "case %d: metric %d is %v by branches, %v more than plainly", i, m, known, more)
			all[m] += more.Value / se / math.Sqrt(cases)
			biased[m] += (more.Value + plainBias*known.Value) / se / math.Sqrt(cases)
		}
	}
	for _, m := range []metric{losses, leaderless} {
		t.Logf("metric %d: %.2f standard errors apart in all, with a bias of %v %.2f", m, all[m], plainBias, biased[m])
		assert.Less(t, math.Abs(all[m]), 4.0)
		assert.Greater(t, biased[m], 4.0, "a bias of %v would not be noticed", plainBias)
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
		usual, err := set.usual(t.Context(), all, uint64(i))
		require.NoError(t, err)
		weight, until := make([]float64, len(q.Behaviour.Episodes)), make([]float64, len(q.Behaviour.Episodes))
		inWindows, alone := 0.0, 0.0
		for _, s := range all {
			if s.episode < 0 {
				assert.InDelta(t, 1, s.rate*usualPolls*q.Candidate.RetryPeriod.Seconds(), 1e-9, "usual windows fill usual times")
				continue
			}
			share := s.rate / q.Behaviour.Episodes[s.episode].Rate()
			if !s.further {
				assert.InDelta(t, until[s.episode], s.above, 1e-15, "no length is left out, or counted twice")
				until[s.episode], alone = s.below, share
			} else {
				assert.InDelta(t, s.below-s.above, alone+share, 1e-9, "with and without a further episode they are all")
				assert.Equal(t, until[s.episode], s.below)
			}
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
	one, err := Run(context.Background(), q, (&Options{Seed: 1, MaxWindows: few.Else(300, 2000), Workers: 1}).LearnLess())
	require.NoError(t, err)
	three, err := Run(context.Background(), q, (&Options{Seed: 1, MaxWindows: few.Else(300, 2000), Workers: 3}).LearnLess())
	require.NoError(t, err)
	assert.Equal(t, one, three)
}
