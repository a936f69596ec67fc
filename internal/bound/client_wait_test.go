package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestClientWait: how long a request waits for a token at most, and how long a call takes. Each number follows from derivation.md, section 9, by hand.
func TestClientWait(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	const releases, closes = 1, 2
	usual, slow, repeats := plan.Client{QPS: 5, Burst: 10}, plan.Client{QPS: 0.1, Burst: 1}, plan.Client{QPS: 5, Burst: 10, Retries: true}
	for name, c := range map[string]struct {
		client     plan.Client
		e          Environment
		does       int
		wait, trip time.Duration
	}{
		"a burst, and eight calls at once":           {usual, Environment{OtherBurst: 20}, 0, 3600 * ms, 3600 * ms},
		"six where no attempt outlasts a tick":       {usual, Environment{OtherBurst: 6}, 0, 400 * ms, 400 * ms},
		"eight where a freeze may have one do":       {usual, Environment{OtherBurst: 6, MaxPause: 1900 * ms}, 0, 800 * ms, 800 * ms},
		"nine after a freeze over a tick":            {usual, Environment{OtherBurst: 20, MaxPause: 3 * s}, 0, 3800 * ms, 3800 * ms},
		"a read sent again on another connection":    {repeats, Environment{OtherBurst: 20}, closes, 3800 * ms, 3800 * ms},
		"a burst and a rate":                         {usual, Environment{OtherBurst: 20, OtherQPS: 1}, 0, 3600 * ms, 3600 * ms},
		"a rate that leaves too few tokens":          {usual, Environment{OtherBurst: 20, OtherQPS: 4.5}, 0, 6 * s, 6 * s},
		"a rate alone is a burst of one":             {plan.Client{QPS: 5, Burst: 6}, Environment{OtherQPS: 1}, 0, 200 * ms, 200 * ms},
		"a release: the bucket, and a token left":    {usual, Environment{OtherBurst: 20}, releases, 4400 * ms, 4400 * ms},
		"a release with eight conflicts":             {plan.Client{QPS: 5, Burst: 30}, Environment{OtherBurst: 40}, releases, 6800 * ms, 6800 * ms},
		"a release in each period":                   {plan.Client{QPS: 2, Burst: 30}, Environment{OtherBurst: 40}, releases, 21 * s, 21 * s},
		"reruns: each request costs two":             {usual, Environment{OtherBurst: 20, Reruns: true}, 0, 8200 * ms, 8200 * ms},
		"few tokens: a QPS is a float32":             {slow, Environment{OtherBurst: 20}, 0, 209999996871, 209999996871},
		"repeated ten times, each for a token":       {repeats, Environment{OtherBurst: 20, MaxRetryAfter: s, MaxRoundTrip: 100 * ms}, 0, 4200 * ms, 57300 * ms},
		"the same on a clock that is a fifth slower": {repeats, Environment{OtherBurst: 20, MaxRetryAfter: s, MaxRoundTrip: 100 * ms, MaxDriftPPM: 200_000}, 0, 5250 * ms, 71350 * ms},
	} {
		config := &Config{
			Timings: machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}, Profile: machine.ClientGo, Client: &c.client,
			ReleaseOnCancel: c.does == releases, Closes: c.does == closes,
		}
		// Each wait is rounded up, and on a slow clock once more.
		for what, x := range map[string]struct{ want, got time.Duration }{"wait": {c.wait, ClientWait(config, &c.e)}, "trip": {c.trip, ClientTrip(config, &c.e)}} {
			assert.GreaterOrEqual(t, x.got, x.want, "%s: %s", name, what)
			assert.Less(t, x.got, x.want+100, "%s: %s", name, what)
		}
	}
}

// TestWaitsAttackedDrifting: nor do calls wait for longer than computed where the client's clock drifts, as it likes from call to call.
func TestWaitsAttackedDrifting(t *testing.T) {
	longer := 0
	rapid.Check(t, func(t *rapid.T) {
		client, e := drawTraffic(t)
		gaps := make([]time.Duration, rapid.IntRange(1, 4).Draw(t, "gaps"))
		for i := range gaps {
			gaps[i] = drawGap(t, client)
		}
		calm := withLimiter(client, e, time.Hour).waits(nil, gaps, nil, nil)
		e.MaxDriftPPM = rapid.SampledFrom([]int64{1000, 200_000, 500_000}).Draw(t, "drift")
		m := withLimiter(client, e, time.Hour)
		computed := m.waits(nil, gaps, nil, nil)
		if computed > calm+1e-6 {
			longer++
		}
		shown := slices.Clone(gaps)
		for i := range shown {
			shown[i] = rapid.SampledFrom([]time.Duration{m.least(gaps[i]), gaps[i], m.most(gaps[i])}).Draw(t, "shown")
		}
		best := climb(client, e, shown, 0, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		require.LessOrEqual(t, best, time.Duration(math.Ceil(computed*1e9))+time.Microsecond, "%+v %+v %v as %v", *client, *e, gaps, shown)
	})
	assert.Positive(t, longer)
}
