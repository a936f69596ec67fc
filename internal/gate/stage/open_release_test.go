package stage

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/bound"
	"interregnum/internal/few"
)

// TestOpenReleases: with a release and a known client an upper bound is known for all but some configurations, or that there is none. So many of
// 2,000 are open, as people have them and drawn at random, without closings and with them.
func TestOpenReleases(t *testing.T) {
	for name, of := range map[string]struct {
		draw         func(*rapid.T) attacked
		open, closed int
	}{"as people have them": {drawUsual, 66, 133}, "at random": {drawClient, 32, 34}} {
		cases, all := rapid.Custom(of.draw), few.Of(2000)
		open := map[bool]int{}
		for seed := 1; seed <= all; seed++ {
			a := cases.Example(seed)
			for _, a.c.Closes = range []bool{false, true} {
				a.c.ReleaseOnCancel = true
				if bound.Refused(a.c) != nil {
					continue
				}
				r, err := bound.Of(a.c, a.e)
				if err != nil {
					require.ErrorIs(t, err, bound.ErrNoWait)
					continue
				}
				if _, known := r.AtMost(); !known && !r.Unbounded {
					open[a.c.Closes]++
				}
			}
		}
		t.Logf("%s: of %d %d are open, and %d with closings", name, all, open[false], open[true])
		if all == 2000 {
			assert.LessOrEqual(t, open[false], of.open, name)
			assert.LessOrEqual(t, open[true], of.closed, name)
		}
	}
}
