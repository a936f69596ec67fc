package witness

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/investigate"
)

var (
	runs  = flag.Int("witness.runs", 400, "how many runs are told and judged")
	first = flag.Uint64("witness.first", 0, "the seed of the first run")
)

// TestStories: no story claims more than is so, and where the logs are whole most of the overlaps are said to be certain that a reader of the
// logs can know of. docs/method/investigate.md has the shares.
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
	known := causes(t, &all)
	all.Ends = nil // said by causes
	t.Logf("%d claims are wrong, %d runs were not told; %+v", wrong, untold, all)
	if known.All >= 300 {
		assert.Greater(t, float64(known.Caused), 0.7*float64(known.All), "losses of which whole logs have something, and that have a cause")
	}
	if all.Likely >= 50 {
		assert.Greater(t, float64(all.Right), 0.9*float64(all.Likely), "likely timings that are right")
	}
	if w := &all.Whole; w.Overlaps >= 50 {
		assert.Less(t, untold, *runs/10)
		assert.Greater(t, share(w), 0.8, "overlaps that are certain where the logs are whole, of those that can be known")
		assert.Positive(t, all.CertainWork)
		assert.Positive(t, all.AtMost)
		assert.Positive(t, all.BelievedAtOnce)
		assert.Greater(t, float64(all.Impossible), 0.01*float64(all.Apart))
		t.Logf("certain of those that can be known: %.3f, of those on Leases %.3f", share(w), share(&all.Leases))
	}
	if w := &all.Leases; w.Overlaps >= 200 {
		assert.Greater(t, share(w), 0.88, "overlaps on Leases that are certain")
	}
}

// causes logs how many losses have a cause, by what really happened. It returns those of which whole logs have something.
func causes(t *testing.T, all *Counts) (known Ends) {
	for _, how := range slices.SortedFunc(maps.Keys(all.Ends), func(a, b Ending) int {
		return cmp.Or(all.Ends[b].All-all.Ends[a].All, strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	}) {
		n := all.Ends[how]
		t.Logf("%d losses, %d with a cause: %+v", n.All, n.Caused, how)
		if how.Whole && how.Traced {
			known.All += n.All
			known.Caused += n.Caused
		}
	}
	return known
}

// share is which share is certain of what can be known.
func share(n *Overlaps) float64 { return float64(n.Certain) / float64(max(1, n.Decidable())) }
