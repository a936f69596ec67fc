package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	tokens "golang.org/x/time/rate"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// crowd is other traffic: how many requests come before each of some calls, and how long before it. One more comes so long before the
// first call, unless that is 0.
type crowd struct {
	count []int
	early []time.Duration
	one   time.Duration
}

// waited returns for how long the calls from number from on wait on the real limiter, in all. What other traffic may not come by the bound is
// left out. gaps are the times between the token of one call and the next call.
func (c *crowd) waited(client *plan.Client, e *Environment, gaps []time.Duration, from int) (all time.Duration) {
	now := time.Unix(1_000_000, 0)
	bucket := tokens.NewLimiter(tokens.Limit(float32(client.QPS)), client.Burst)
	others := tokens.NewLimiter(tokens.Limit(e.OtherQPS), e.MostAtOnce()) // which lets as much pass as may come
	last := now.Add(-time.Hour)
	come := func(count int, at time.Time) {
		if at.Before(last) {
			at = last
		}
		for last = at; count > 0 && others.AllowN(at, 1); count-- {
			bucket.ReserveN(at, 1)
		}
	}
	if c.one > 0 {
		come(1, now.Add(-c.one))
	}
	for i := range len(gaps) + 1 {
		if i > 0 {
			now = now.Add(gaps[i-1])
		}
		at := now.Add(-c.early[i])
		if i > 0 && at.Before(now.Add(-gaps[i-1])) {
			at = now.Add(-gaps[i-1])
		}
		come(c.count[i], at)
		wait := bucket.ReserveN(now, 1).DelayFrom(now)
		if i >= from {
			all += wait
		}
		now = now.Add(wait)
	}
	return all
}

// drawTraffic draws a client and other traffic.
func drawTraffic(t *rapid.T) (*plan.Client, *Environment) {
	client := &plan.Client{
		QPS:   rapid.SampledFrom([]float64{0.5, 1, 5, 20, 50}).Draw(t, "qps"),
		Burst: rapid.SampledFrom([]int{1, 2, 3, 5, 10, 30}).Draw(t, "burst"),
	}
	e := &Environment{OtherBurst: rapid.SampledFrom([]int{0, 1, 2, 3, 5, 9, 10, 11, 20, 45, 100}).Draw(t, "other burst")}
	e.OtherQPS = client.QPS * rapid.SampledFrom([]float64{0, 0, 0.1, 0.33, 0.6, 0.9}).Draw(t, "other qps")
	return client, e
}

// drawGap draws as long as that many tokens take.
func drawGap(t *rapid.T, client *plan.Client) time.Duration {
	many := rapid.SampledFrom([]float64{0, 0.01, 0.5, 1, 2.3, 10, 50}).Draw(t, "tokens")
	return time.Duration(many / client.QPS * float64(time.Second))
}

// withLimiter returns the model of a configuration with that client.
func withLimiter(client *plan.Client, e *Environment, period time.Duration) *model {
	return newModel(&Config{Timings: machine.Timings{LeaseDuration: 15 * period, RenewDeadline: 10 * period, RetryPeriod: period},
		Profile: machine.ClientGo, Client: client}, e)
}

// TestWaitsAttacked: on the limiter that client-go has no other traffic makes calls wait for longer than computed, be it drawn or climbed
// to. Some makes them wait as long, or but for a token where other traffic has a rate.
func TestWaitsAttacked(t *testing.T) {
	var reached, closest, beyond [2]int
	rapid.Check(t, func(t *rapid.T) {
		client, e := drawTraffic(t)
		gaps := make([]time.Duration, rapid.IntRange(0, 5).Draw(t, "gaps"))
		for i := range gaps {
			gaps[i] = drawGap(t, client)
		}
		before := make([]time.Duration, rapid.IntRange(0, 3).Draw(t, "calls before"))
		var own []used
		ago := time.Duration(0)
		for i := range before {
			if rapid.Bool().Draw(t, "sooner") {
				before[i] = drawGap(t, client)
			}
			ago += before[i]
			own = append(own, used{float64(i + 1), ago})
		}
		computed := withLimiter(client, e, time.Hour).waits(own, gaps, nil, nil)
		slices.Reverse(before)
		best := climb(client, e, append(before, gaps...), len(before), rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		most := time.Duration(math.Ceil(computed*1e9)) + time.Microsecond
		require.LessOrEqual(t, best, most, "%+v %+v %v", *client, *e, gaps)
		with := 0
		if e.OtherQPS > 0 {
			with = 1
		}
		beyond[with]++
		if computed-best.Seconds() < 1e-6 {
			reached[with]++
		} else if computed-best.Seconds() < 1/client.QPS {
			closest[with]++
		}
	})
	t.Logf("without a rate and with one, of %d: %d reached, %d but for a token", beyond, reached, closest)
	assert.Greater(t, reached[0], beyond[0]*3/5) // some 88 %, of a few drawn
	assert.Greater(t, reached[1]+closest[1], beyond[1]/2)
}

// TestBacklogAttacked: nor does what a candidate has asked for before, however often, make it wait for longer.
func TestBacklogAttacked(t *testing.T) {
	longest := 0.0
	rapid.Check(t, func(t *rapid.T) {
		client, e := drawTraffic(t)
		if e.OtherQPS == 0 && rapid.Bool().Draw(t, "faster") {
			e.OtherQPS = client.QPS * 0.95
		}
		period := time.Duration(rapid.Float64Range(0.1, 12).Draw(t, "tokens in a period") / client.QPS * float64(time.Second))
		within := make([]time.Duration, perAttempt-1)
		for i := range within {
			within[i] = drawGap(t, client)
		}
		m := withLimiter(client, e, period)
		var gaps []time.Duration
		attempts := rapid.IntRange(1, 8).Draw(t, "attempts before")
		for range attempts {
			gaps = append(append(gaps, within...), period)
		}
		gaps = append(gaps, within...)
		m.limited = max(1, m.limited)
		computed := m.waits(m.carried(0, period), within, nil, nil)
		best := climb(client, e, gaps, perAttempt*attempts, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		most := time.Duration(math.Ceil(computed*1e9)) + time.Microsecond
		require.LessOrEqual(t, best, most, "%+v %+v %v", *client, *e, gaps)
		if computed > 0 && !m.bounded() {
			longest = max(longest, best.Seconds()/computed)
		}
	})
	t.Logf("at most %.2f of the bound", longest)
	assert.Greater(t, longest, 0.8)
}

// TestBacklogReached: a candidate whose calls follow each other finds what came while the one before waited, and the whole burst then: its wait
// comes close to the bound, and is longer than without what came before.
func TestBacklogReached(t *testing.T) {
	client, e := &plan.Client{QPS: 5, Burst: 1}, &Environment{OtherQPS: 4.5, OtherBurst: 20}
	period := 10 * time.Millisecond
	now := time.Unix(1_000_000, 0)
	bucket := tokens.NewLimiter(tokens.Limit(client.QPS), client.Burst)
	others := tokens.NewLimiter(tokens.Limit(e.OtherQPS), e.OtherBurst)
	for range 200 {
		end := now.Add(bucket.ReserveN(now, 1).DelayFrom(now) + period)
		for ; now.Before(end); now = now.Add(time.Millisecond) { // what would not count any more comes
			for others.TokensAt(now) >= float64(e.OtherBurst) && others.AllowN(now, 1) {
				bucket.ReserveN(now, 1)
			}
		}
	}
	for others.AllowN(now, 1) {
		bucket.ReserveN(now, 1)
	}
	wait := bucket.ReserveN(now, 1).DelayFrom(now).Seconds()
	m := withLimiter(client, e, period)
	m.limited = 1
	computed := m.waits(m.carried(0, period), nil, nil, nil)
	assert.LessOrEqual(t, wait, computed)
	assert.InDelta(t, computed, wait, 2/client.QPS)
	assert.Greater(t, wait, (float64(e.OtherBurst)+1)/client.QPS+1/client.QPS)
}

// climb returns the longest wait that was found.
func climb(client *plan.Client, e *Environment, gaps []time.Duration, from int, r *rand.Rand) time.Duration {
	n := len(gaps) + 1
	best := crowd{count: make([]int, n), early: make([]time.Duration, n)}
	longest := best.waited(client, e, gaps, from)
	try := func(c crowd) {
		if d := c.waited(client, e, gaps, from); d >= longest {
			best, longest = c, d
		}
	}
	for mask := range 1 << min(n, 6) { // all that may come, or none
		c := crowd{count: make([]int, n), early: make([]time.Duration, n)}
		bits := mask
		if n > 6 {
			bits = r.IntN(1 << n)
		}
		for i := range n {
			if bits>>i&1 > 0 {
				c.count[i] = 1000
			}
		}
		try(c)
	}
	for range 200 {
		c := crowd{slices.Clone(best.count), slices.Clone(best.early), best.one}
		switch i := r.IntN(n); r.IntN(4) {
		case 0:
			c.count[i] = r.IntN(e.MostAtOnce() + 2)
		case 1:
			c.count[i] = max(0, c.count[i]+r.IntN(5)-2)
		case 2:
			c.one = time.Duration(r.Float64() / client.QPS * float64(time.Second))
		default:
			c.early[i] = time.Duration(r.ExpFloat64() / client.QPS * float64(time.Second))
		}
		try(c)
	}
	return longest
}

// TestClientAddsNothing: a client whose requests never wait, and that repeats none, changes no overlap. A lost answer takes the request timeout on
// the leader's own clock, however fast that is.
func TestClientAddsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := func(what string, low, high time.Duration) time.Duration {
			return time.Duration(rapid.Int64Range(int64(low), int64(high)).Draw(t, what))
		}
		c := config(machine.ClientGo, 0, 0, 0)
		c.RetryPeriod = d("period", s, 2*s)
		c.RenewDeadline = d("deadline", c.RetryPeriod*13/10, 8*c.RetryPeriod)
		c.LeaseDuration = c.RenewDeadline + d("lease", 1, 3*s)
		c.RequestTimeout = rapid.SampledFrom([]time.Duration{c.RetryPeriod, c.RetryPeriod * 3 / 4, d("timeout", s/10, c.RenewDeadline)}).Draw(t, "timeouts")
		e := &Environment{MaxRoundTrip: d("trip", 0, c.RequestTimeout), MaxDriftPPM: rapid.SampledFrom([]int64{0, 200, 100_000, 500_000}).Draw(t, "drift")}
		if rapid.IntRange(0, 3).Draw(t, "known") == 0 {
			c.Timings, c.RequestTimeout = machine.Timings{LeaseDuration: 7320*ms + 6, RenewDeadline: 7320*ms + 1, RetryPeriod: 1100 * ms}, 1100*ms
			e = &Environment{MaxRoundTrip: ms, MaxDriftPPM: 500_000}
		}
		require.NoError(t, Refused(c))
		without, err := Of(c, e)
		require.NoError(t, err)
		c.Client = &plan.Client{QPS: 1000, Burst: 1000}
		with, err := Of(c, e)
		require.NoError(t, err)
		assert.InDelta(t, without.Overlap, with.Overlap, 10, "%+v in %+v", *c, *e)
	})
}
