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
	"interregnum/scenarios/plan"
)

// crowd is other traffic: how many requests come before each of some calls, and how long before it.
type crowd struct {
	count []int
	early []time.Duration
}

// waited returns for how long the calls wait on the real limiter, in all. What other traffic may not come by the bound is left out. gaps
// are the times between the token of one call and the next call.
func (c *crowd) waited(client *plan.Client, e *Environment, gaps []time.Duration) (all time.Duration) {
	start := time.Unix(1_000_000, 0)
	bucket := tokens.NewLimiter(tokens.Limit(float32(client.QPS)), client.Burst)
	var came []time.Time
	now := start
	for i := range len(gaps) + 1 {
		if i > 0 {
			now = now.Add(gaps[i-1])
		}
		at := now.Add(-c.early[i])
		if len(came) > 0 && at.Before(came[len(came)-1]) {
			at = came[len(came)-1]
		}
		if i > 0 && at.Before(now.Add(-gaps[i-1])) {
			at = now.Add(-gaps[i-1])
		}
		for range c.count[i] {
			if !mayComeAt(e, came, at) {
				break
			}
			came = append(came, at)
			bucket.ReserveN(at, 1)
		}
		wait := bucket.ReserveN(now, 1).DelayFrom(now)
		all += wait
		now = now.Add(wait)
	}
	return all
}

// mayComeAt tells whether one more request may come then, by what the environment says in words.
func mayComeAt(e *Environment, came []time.Time, at time.Time) bool {
	for i, from := range came {
		if float64(len(came)-i+1) > float64(e.MostAtOnce())+e.OtherQPS*at.Sub(from).Seconds()+1e-9 {
			return false
		}
	}
	return e.MostAtOnce() > 0
}

// TestWaitsAttacked: on the limiter that client-go has no other traffic makes calls wait for longer than computed, be it drawn or climbed
// to; and where other traffic has no rate some makes them wait as long.
func TestWaitsAttacked(t *testing.T) {
	reached, closest, beyond := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		client := &plan.Client{
			QPS:   rapid.SampledFrom([]float64{0.5, 1, 5, 20, 50}).Draw(t, "qps"),
			Burst: rapid.SampledFrom([]int{1, 2, 3, 5, 10, 30}).Draw(t, "burst"),
		}
		e := &Environment{OtherBurst: rapid.SampledFrom([]int{0, 1, 2, 3, 5, 9, 10, 11, 20, 45, 100}).Draw(t, "other burst")}
		e.OtherQPS = client.QPS * rapid.SampledFrom([]float64{0, 0, 0.1, 0.33, 0.6, 0.9}).Draw(t, "other qps")
		gaps := make([]time.Duration, rapid.IntRange(0, 5).Draw(t, "gaps"))
		for i := range gaps { // as many as that many tokens take
			many := rapid.SampledFrom([]float64{0, 0.01, 0.5, 1, 2.3, 10, 50}).Draw(t, "tokens")
			gaps[i] = time.Duration(many / client.QPS * float64(time.Second))
		}
		m := newModel(&Config{Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
			RetryPeriod: 2 * time.Second}, Profile: machine.ClientGo, Client: client}, e)
		computed := m.waits(1, gaps)
		best := climb(client, e, gaps, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		most := time.Duration(math.Ceil(computed*1e9)) + time.Microsecond
		require.LessOrEqual(t, best, most, "%+v %+v %v", *client, *e, gaps)
		if e.OtherQPS > 0 {
			return
		}
		beyond++
		if computed-best.Seconds() < 1e-6 {
			reached++
		} else if computed-best.Seconds() < 1/client.QPS {
			closest++
		}
	})
	t.Logf("without a rate, of %d: %d reached, %d but for a token", beyond, reached, closest)
	assert.Greater(t, reached, beyond*3/4)
}

// climb returns the longest wait that was found.
func climb(client *plan.Client, e *Environment, gaps []time.Duration, r *rand.Rand) time.Duration {
	n := len(gaps) + 1
	best := crowd{make([]int, n), make([]time.Duration, n)}
	longest := best.waited(client, e, gaps)
	try := func(c crowd) {
		if d := c.waited(client, e, gaps); d >= longest {
			best, longest = c, d
		}
	}
	for mask := range 1 << n { // all that may come, or none
		c := crowd{make([]int, n), make([]time.Duration, n)}
		for i := range n {
			if mask>>i&1 > 0 {
				c.count[i] = 1000
			}
		}
		try(c)
	}
	for range 200 {
		c := crowd{slices.Clone(best.count), slices.Clone(best.early)}
		switch i := r.IntN(n); r.IntN(3) {
		case 0:
			c.count[i] = r.IntN(e.MostAtOnce() + 2)
		case 1:
			c.count[i] = max(0, c.count[i]+r.IntN(5)-2)
		default:
			c.early[i] = time.Duration(r.ExpFloat64() / client.QPS * float64(time.Second))
		}
		try(c)
	}
	return longest
}
