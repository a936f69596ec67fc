package witness

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/investigate"
)

var (
	runs  = flag.Int("witness.runs", 400, "how many runs are told and judged")
	first = flag.Uint64("witness.first", 0, "the seed of the first run")
)

// TestStories: no story claims more than is so, and where the logs are whole more than a seventh of the overlaps are said to be certain. The aim is
// nine in ten; docs/roadmap.md says what is missing.
func TestStories(t *testing.T) {
	var all Counts
	untold, wrong := 0, 0
	for seed := *first; seed < *first+uint64(*runs); seed++ {
		r, err := Simulate(seed)
		require.NoError(t, err)
		l := NewLogs(r, DrawHabits(r))
		s, err := investigate.Tell(l.Evidence(), l.Lock(), &investigate.Options{})
		if err != nil {
			untold++
			s = &investigate.Story{}
		}
		claims, counts := Judge(l, s)
		all.Add(&counts)
		for _, claim := range claims {
			if wrong++; wrong <= 20 {
				t.Error(claim)
			}
		}
	}
	t.Logf("%d claims are wrong, %d runs were not told; %+v", wrong, untold, all)
	if w := &all.Whole; w.Overlaps >= 50 {
		assert.Less(t, untold, *runs/10)
		assert.Greater(t, float64(w.Certain), 0.15*float64(w.Overlaps), "overlaps that are certain where the logs are whole")
		assert.Positive(t, all.CertainWork)
	}
}
