package rest

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/plan"
)

var (
	pinned = flag.Int("rest.pinned", 150, "how many pinned plans to compare")
	fresh  = flag.Int("rest.plans", 0, "how many fresh plans to compare")
	first  = flag.Uint64("rest.seed", 1_000_000, "the seed of the first fresh plan")
)

// TestPinned compares plans that never change.
func TestPinned(t *testing.T) {
	seen := compareSeeds(t, 1, *pinned, machine.ClientGo)
	if *pinned >= 150 {
		assertBites(t, seen)
	}
}

// TestFresh compares plans that nobody has seen: go test ./internal/parity/rest -run Fresh -rest.plans 5000 -rest.seed N.
func TestFresh(t *testing.T) { compareSeeds(t, *first, *fresh, machine.ClientGo) }

// compareSeeds compares n plans, from that seed on, with candidates of that profile. It returns what the library's client did how
// often.
func compareSeeds(t *testing.T, first uint64, n int, profile machine.Profile) map[string]int {
	marks, closed, seen := 0, 0, map[string]int{}
	for seed := first; seed < first+uint64(n); seed++ {
		p := planOf(seed, profile)
		library := runLibrary(t, p, seen)
		simulated := simulate(t, p)
		if simulated.closed > 0 {
			closed++
		}
		if d := difference(library, simulated); d != "" {
			t.Fatalf("plan %d (-rest.seed %d -rest.plans 5): %s\n%s", seed, seed, d, describe(p))
		}
		marks += len(library)
	}
	t.Logf("%d plans, %d marks: no difference; %d up to where a connection cannot be made; %v", n, marks, closed, seen)
	return seen
}

// simulate runs a plan in the simulated world.
func simulate(t require.TestingT, p *plan.Plan) *gather {
	g := &gather{}
	_, err := sim.Run(p, g)
	require.NoError(t, err)
	g.marks = sorted(g.marks)
	return g
}
