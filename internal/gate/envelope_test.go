package gate

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/few"
	"interregnum/plan"
)

// comes returns when the requests of all entries come until the horizon, in order.
func comes(all []plan.Traffic, horizon time.Duration) (times []time.Duration) {
	for _, t := range all {
		for at := t.At; at <= horizon && (t.Until == nil || at < *t.Until); at += t.Every {
			times = append(times, slices.Repeat([]time.Duration{at}, t.Count)...)
			if t.Every == 0 {
				break
			}
		}
	}
	slices.Sort(times)
	return times
}

// TestEnvelope: in no stretch of time more requests of other traffic come than its burst and its rate allow, whether entries end or not, and
// whatever is too much.
func TestEnvelope(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	upTo := func(most time.Duration) time.Duration { return 1 + time.Duration(r.Int64N(int64(most))) }
	ended := map[bool]int{}
	for range few.Of(600) {
		var all []plan.Traffic
		for range 1 + r.IntN(4) {
			x := plan.Traffic{At: upTo(5 * time.Second), Count: 1 + r.IntN(5)}
			if r.IntN(3) > 0 {
				x.Every = 100*time.Millisecond + upTo(3*time.Second)
				if r.IntN(2) == 0 {
					x.Until = new(x.At + upTo(10*time.Second))
				}
			}
			all = append(all, x)
		}
		most := 20 * r.Float64()
		rate, burst := envelope(all, most)
		times := comes(all, 30*time.Second)
		for i := range times {
			for k := i; k < len(times); k++ {
				allowed := float64(burst) + rate*(times[k]-times[i]).Seconds() + 1e-6
				require.LessOrEqual(t, float64(k-i+1), allowed, "%+v: rate %v, burst %d", all, rate, burst)
			}
		}
		if slices.ContainsFunc(all, func(x plan.Traffic) bool { return x.Until != nil }) {
			ended[rate < most]++
		}
	}
	assert.Greater(t, min(ended[true], ended[false]), few.Of(20))
}
