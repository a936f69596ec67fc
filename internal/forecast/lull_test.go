package forecast

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/plan"
)

// TestLull: windows without the middle of a long outage show what those show that have it.
func TestLull(t *testing.T) {
	t.Parallel()
	restart := behaviour.Exponential(time.Second)
	for _, profile := range machine.Profiles() {
		for _, restart := range []*behaviour.Distribution{nil, &restart} {
			q := &Question{Replicas: 2, Restart: restart, Candidate: plan.Candidate{Profile: profile, Lock: plan.Lease,
				Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}},
				Behaviour: &behaviour.Behaviour{RoundTrip: behaviour.Exponential(20 * time.Millisecond), Episodes: []behaviour.Episode{
					{Kind: behaviour.Outage, Every: 1000 * 24 * time.Hour, Lasts: behaviour.Uniform(8*time.Minute, 15*time.Minute), On: behaviour.Everybody}}}}
			if q.beyond() != nil {
				continue
			}
			set, err := newSetting(q)
			require.NoError(t, err)
			p, strata := newPlay(set), set.strata()
			var whole sample
			var more, squares [metrics]float64 // what the windows show more without their middle
			lulls := 0
			for i := range few.Else(25, 200) {
				w := set.window(&strata[1+2*(i%6)], uint64(i))
				if w.lull.lasts > 0 {
					lulls++
				}
				short, err := p.show(w)
				require.NoError(t, err)
				w.episodes[0].until += w.lull.lasts
				w.to += w.lull.lasts
				w.lull = lull{}
				long, err := p.show(w)
				require.NoError(t, err)
				whole.add(&long)
				for m := range metrics {
					more[m] += short.values[m] - long.values[m]
					squares[m] += square(short.values[m] - long.values[m])
				}
			}
			assert.Positive(t, lulls)
			for _, m := range []metric{losses, leaderless, requests, restarts, overlaps, cut} {
				is, n := whole.mean(m, 0).Value, float64(whole.n)
				se := math.Sqrt(max(0, squares[m]/n-square(more[m]/n)) / n)
				t.Logf("%s: metric %d: %.5g, and %.2g ± %.2g more without the middle", profile.Name, m, is, more[m]/n, se)
				assert.LessOrEqual(t, math.Abs(more[m]/n), 4*se+1e-9, "%s: metric %d", profile.Name, m)
				if m == leaderless || m == requests {
					assert.LessOrEqual(t, se, 0.01*is, "%s: a difference of 4 %% in metric %d would not be noticed", profile.Name, m)
				}
			}
		}
	}
}
