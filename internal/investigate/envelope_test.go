package investigate

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestEnvelope: the bound that is found by search is the tightest of all, within the rounding of a nanosecond.
func TestEnvelope(t *testing.T) {
	from := rand.New(rand.NewPCG(1, 2))
	for run := range 500 {
		n := envelope{upper: run%2 == 0}
		for range from.IntN(20) {
			n.bounds = append(n.bounds, bound{at: noon.Add(time.Duration(from.Int64N(int64(time.Hour)))), value: time.Duration(from.Int64N(int64(time.Second)))})
		}
		n.ready()
		for range 20 {
			at := noon.Add(time.Duration(from.Int64N(int64(2*time.Hour))) - 30*time.Minute)
			var want *time.Duration
			for i := range n.bounds {
				want = n.tighter(want, i, at)
			}
			got := n.tightest(at)
			if want == nil {
				assert.Nil(t, got)
				continue
			}
			assert.InDelta(t, float64(*want), float64(*got), 2)
			assert.Equal(t, n.upper || *got <= *want, !n.upper || *got >= *want || n.upper, "never tighter than any")
		}
	}
}
