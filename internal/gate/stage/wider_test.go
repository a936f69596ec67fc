package stage

import (
	"flag"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

var widerCases = flag.Int("wider.cases", few.Of(4000), "how many environments of each kind are compared with narrower ones")

// TestWider: where more can go wrong, overlaps, failovers and handovers are as long or longer, and the tolerated outage is as short or
// shorter. Nothing of this follows from how they are computed.
func TestWider(t *testing.T) {
	for name, draw := range allKinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cases := rapid.Custom(func(t *rapid.T) wider {
				a := draw(t)
				return wider{a.c, a.e, narrower(t, a.e)}
			})
			checked := 0
			for seed := *exactFirst; seed < *exactFirst+*widerCases; seed++ {
				w := cases.Example(seed)
				more, err := bound.Of(w.c, w.more)
				if bound.Refused(w.c) != nil || err != nil {
					continue
				}
				less, err := bound.Of(w.c, w.less)
				if err != nil {
					continue // the client for C# has no bound between those that are safe and those of which an overlap is known
				}
				checked++
				require.Empty(t, contradictions(more, less), "seed %d: %+v, client %+v\n%+v\n%+v", seed, *w.c, w.c.Client, *w.more, *w.less)
			}
			require.Greater(t, checked, *widerCases/4)
		})
	}
}

// wider is a configuration in two environments: in the second nothing can go wrong that cannot in the first.
type wider struct {
	c          *bound.Config
	more, less *bound.Environment
}

// allKinds returns what draws configurations and environments of every profile, lock, client and version.
func allKinds() map[string]func(*rapid.T) attacked {
	clients := map[string]func(*rapid.T) attacked{"drawn client": drawClient, "usual client": drawUsual, "client on two objects": drawClientOnTwo}
	kinds := maps.Clone(clients)
	for name, draw := range clients {
		for _, minor := range []int{26, 30, 33, 36} {
			kinds[fmt.Sprintf("%s of v0.%d", name, minor)] = func(t *rapid.T) attacked {
				a := drawBetween(draw, minor).Draw(t, "between")
				a.c = gatetest.JudgedAs(a.c, minor)
				return a
			}
		}
	}
	for _, lock := range plan.Locks() {
		for _, p := range gatetest.Profiles {
			kinds[p.Name+" on "+string(lock)] = func(t *rapid.T) attacked { return attackedOf(p, lock).Draw(t, "drawn") }
		}
	}
	for _, p := range machine.Profiles() {
		if p.EndsInTime() {
			kinds[p.Name] = func(t *rapid.T) attacked {
				c, e := gatetest.DrawWallClocked(t, p)
				return attacked{c, e}
			}
		}
	}
	return kinds
}

// narrower draws an environment in which nothing can go wrong that cannot in e.
func narrower(t *rapid.T, e *bound.Environment) *bound.Environment {
	n := *e
	n.MaxRoundTrip = noLonger(t, "round trip", e.MaxRoundTrip)
	n.MaxPause = noLonger(t, "pause", e.MaxPause)
	n.Drain = noLonger(t, "drain", e.Drain)
	n.MaxClockOffset = noLonger(t, "offset", e.MaxClockOffset)
	n.MaxRetryAfter = noLonger(t, "retry after", e.MaxRetryAfter).Truncate(time.Second)
	n.MaxDriftPPM = int64(noLonger(t, "drift", time.Duration(e.MaxDriftPPM)))
	n.OtherBurst = int(noLonger(t, "burst", time.Duration(e.OtherBurst)))
	n.OtherQPS *= rapid.SampledFrom([]float64{0, 0.5, 0.99, 1, 1}).Draw(t, "rate")
	n.Reruns = e.Reruns && rapid.Bool().Draw(t, "reruns")
	n.HiddenConflicts = e.HiddenConflicts && rapid.Bool().Draw(t, "hidden conflicts")
	return &n
}

// noLonger draws what is as long as d or shorter: mostly d itself, or a little less.
func noLonger(t *rapid.T, label string, d time.Duration) time.Duration {
	switch rapid.IntRange(0, 7).Draw(t, label) {
	case 0:
		return 0
	case 1:
		return max(0, d-1)
	case 2:
		return max(0, d-time.Duration(rapid.IntRange(0, int(time.Millisecond)).Draw(t, label+", a little less")))
	case 3, 4:
		return time.Duration(float64(d) * rapid.Float64Range(0, 1).Draw(t, label+", a part"))
	}
	return d
}

// contradictions returns what is worse in less than in more, the results of a configuration where less can go wrong and where more can.
// Rounding is no contradiction.
func contradictions(more, less *bound.Result) (all []string) {
	const rounded = 100 * time.Nanosecond
	shorter := func(what string, a, b time.Duration) {
		if a < b-rounded {
			all = append(all, fmt.Sprintf("%s: %v where more can go wrong, %v where less can", what, a, b))
		}
	}
	surely := less.Overlap
	switch {
	case less.Upper && less.Calm().Unbounded, !less.Upper && less.Unbounded:
		surely = bound.Forever
	case less.Upper:
		surely = less.Calm().Overlap
	}
	if most, known := more.AtMost(); known && !less.Calm().Upper {
		shorter("overlap", most, surely)
	}
	shorter("failover", more.Failover, less.Failover)
	shorter("handover", more.Handover, less.Handover)
	if more.Outage > less.Outage+rounded {
		all = append(all, fmt.Sprintf("tolerated outage: %v where more can go wrong, %v where less can", more.Outage, less.Outage))
	}
	return all
}
