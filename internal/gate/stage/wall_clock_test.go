package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
)

// TestExactWallClock is TestExact for the clients for Java and C#.
func TestExactWallClock(t *testing.T) {
	for _, p := range gatetest.WallClocked {
		t.Run(p.Name, func(t *testing.T) {
			shown := 0
			rapid.Check(t, func(t *rapid.T) {
				c, e := gatetest.DrawWallClocked(t, p)
				if _, err := bound.Of(c, e); err != nil || bound.Refused(c) != nil {
					return
				}
				if !prediction(t, c, e).Safe() {
					shown++
				}
			})
			if !testing.Short() { // which tries a few configurations
				assert.Positive(t, shown)
			}
		})
	}
}

// TestAdversaryWallClock is TestAdversary for the clients for Java and C#.
func TestAdversaryWallClock(t *testing.T) {
	for _, p := range gatetest.WallClocked {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			cases := rapid.Custom(func(t *rapid.T) attacked {
				c, e := gatetest.DrawWallClocked(t, p)
				e.MaxClockOffset = 0 // no clock is set
				return attacked{c, e}
			})
			runs, most := 0, -time.Hour
			for seed := *exactFirst; seed < *exactFirst+*exactCases; seed++ {
				a := cases.Example(seed)
				if bound.Refused(a.c) != nil {
					continue
				}
				unreleased := *a.c
				unreleased.ReleaseOnCancel = false
				if _, err := bound.Of(&unreleased, a.e); err != nil {
					continue
				}
				r, err := bound.Of(a.c, a.e)
				if err != nil {
					continue
				}
				x := attack(t, a.c, a.e, r, uint64(seed))
				runs, most = runs+x.runs, max(most, x.best-x.limit+time.Millisecond)
				if x.best > x.limit {
					x.report(t, seed, a, r)
				}
			}
			t.Logf("%d scenarios: at most %v above the prediction", runs, most)
			require.Positive(t, runs)
		})
	}
}
