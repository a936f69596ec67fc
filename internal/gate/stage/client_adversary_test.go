package stage

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
)

var clientCases = flag.Int("exact.clients", few.Of(12), "how many configurations of a client with waits of its own are attacked")

var (
	drawClient      = drawn(gatetest.DrawClient)
	drawClientOnTwo = drawn(gatetest.DrawClientOnTwo)
	drawUsual       = drawn(gatetest.DrawUsual)
)

// drawn returns what draws a configuration in an environment, to be attacked.
func drawn(draw func(*rapid.T) (*bound.Config, *bound.Environment)) func(*rapid.T) attacked {
	return func(t *rapid.T) attacked {
		c, e := draw(t)
		return attacked{c, e}
	}
}

// TestClientAdversary: whatever other traffic and the server do within the environment, no overlap is longer than the bound.
func TestClientAdversary(t *testing.T) {
	cases, usual, two := rapid.Custom(drawClient), rapid.Custom(drawUsual), rapid.Custom(drawClientOnTwo)
	own := func(c *bound.Config) *bound.Config { return c }
	t.Run("drawn", func(t *testing.T) { attackClients(t, 2, own, cases.Example) })
	t.Run("usual", func(t *testing.T) { attackClients(t, 2, own, usual.Example) })
	t.Run("on two objects", func(t *testing.T) { attackClients(t, 1, own, two.Example) })
	for name, draw := range map[string]func(*rapid.T) attacked{"drawn": drawClient, "usual": drawUsual, "on two objects": drawClientOnTwo} {
		t.Run("v0.24 "+name, func(t *testing.T) { attackClients(t, 2, own, drawEarlier(draw).Example) })
		for _, minor := range []int{26, 30, 33, 36} {
			if minor > 26 && name == "on two objects" {
				continue // which the library has up to v0.27
			}
			as := func(c *bound.Config) *bound.Config { return gatetest.JudgedAs(c, minor) }
			t.Run(fmt.Sprintf("v0.%d %s", minor, name), func(t *testing.T) { attackClients(t, 3, as, drawBetween(draw, minor).Example) })
		}
	}
}

// attackClients attacks every so many of some configurations with a client, each of which is judged as another one.
func attackClients(t *testing.T, every int, as func(*bound.Config) *bound.Config, example func(...int) attacked) {
	t.Parallel()
	tried, runs, most, shown := 0, 0, -time.Hour, 0
	for seed := *exactFirst; seed < *exactFirst+*clientCases; seed += every {
		a := example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(as(a.c), a.e)
		if err != nil {
			require.ErrorIs(t, err, bound.ErrNoWait)
			continue
		}
		if _, known := r.AtMost(); !known {
			continue
		}
		x := attack(t, a.c, a.e, r, uint64(seed))
		tried, runs, most = tried+1, runs+x.runs, max(most, x.best-x.limit+time.Millisecond)
		if x.best > r.Calm().Overlap+time.Millisecond {
			shown++
		}
		if x.best > x.limit {
			x.report(t, seed, a, r)
		}
	}
	t.Logf("%d attacked, by %d scenarios: at most %v above the bound; in %d more than without waits", tried, runs, most, shown)
}
