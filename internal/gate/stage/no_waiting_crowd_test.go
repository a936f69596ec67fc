package stage

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
)

// TestNoGatheringByWaits: where leaders do not gather by waits for tokens or by answers that ask to wait, or only so many do, a crowd of an
// environment in which they do, pressed into this one, stays below the bound, and so does what an adversary makes of it.
func TestNoGatheringByWaits(t *testing.T) {
	var k climbs
	for seed := *exactFirst; k.tried < *crowdCases; seed++ {
		a := nearlyGatheringClient.Example(seed)
		if bound.Refused(a.c) != nil || a.c.Closes {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); !known || r.Plan.Kind != bound.Wiped {
			continue
		}
		worse, gathers := *a.e, false
		for range 40 {
			if worse.MaxRetryAfter == 0 {
				worse.OtherBurst += 1 + worse.OtherBurst/10
			}
			worse.MaxRoundTrip += worse.MaxRoundTrip / 20
			x, err := bound.Of(a.c, &worse)
			require.NoError(t, err)
			if gathers = x.Unbounded && x.Plan.Endless == bound.Gathering; gathers {
				break
			}
		}
		if !gathers {
			continue
		}
		p := newCrowd(a.c, &worse)
		p.rounds(lenient{}, 1+seed%4)
		k.fromCrowd(t, p.s, 5, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %v above the bound, %.2f of it at most, %d beyond what is shown", k.tried, k.runs, k.above, k.share, k.beyond)
}
