package parity

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/sim"
	"interregnum/plan"
)

var (
	pinned = flag.Int("parity.pinned", 600, "how many pinned plans to compare")
	fresh  = flag.Int("parity.fresh", 0, "how many fresh plans to compare")
	first  = flag.Int("parity.first", 1_000_000, "the first seed of the fresh plans")
)

// TestPinned compares plans that never change.
func TestPinned(t *testing.T) {
	compareSeeds(t, 1, *pinned)
}

// TestFresh compares plans that nobody has seen: go test ./internal/parity -parity.fresh 20000 -parity.first N.
func TestFresh(t *testing.T) {
	compareSeeds(t, *first, *fresh)
}

func compareSeeds(t *testing.T, first, n int) {
	terms, writes := 0, 0
	for seed := first; seed < first+n; seed++ {
		p := adapt(plans.Example(seed))
		samples := instants(p, uint64(seed))
		library := runLibrary(t, p, samples)
		if d := difference(library, simulate(t, p, samples)); d != "" {
			t.Fatalf("plan %d (-run Fresh -parity.first %d -parity.fresh 1): %s\n%s", seed, seed, d, describe(p))
		}
		terms, writes = terms+len(library.terms), writes+len(library.writes)
	}
	t.Logf("%d plans, %d terms, %d writes: no difference", n, terms, writes)
}

// TestShrinking lets rapid look for a difference, and make it small.
func TestShrinking(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := adapt(plans.Draw(rt, "plan"))
		samples := instants(p, 1)
		if d := difference(runLibrary(t, p, samples), simulate(rt, p, samples)); d != "" {
			rt.Fatal(d)
		}
	})
}

// difference returns where two histories first differ, "" if they do not.
func difference(library, simulated history) string {
	return cmp.Or(
		firstDifference("request", library.requests, simulated.requests),
		firstDifference("write", library.writes, simulated.writes),
		firstDifference("term", library.terms, simulated.terms),
		firstDifference("observation", library.observations, simulated.observations),
		firstDifference("belief", library.beliefs, simulated.beliefs),
	)
}

func firstDifference[T comparable](what string, library, simulated []T) string {
	for i := range max(len(library), len(simulated)) {
		if i < len(library) && i < len(simulated) && library[i] == simulated[i] {
			continue
		}
		return fmt.Sprintf("%s %d:\n  library:   %+v\n  simulated: %+v", what, i,
			library[min(i, len(library)):min(i+3, len(library))],
			simulated[min(i, len(simulated)):min(i+3, len(simulated))])
	}
	return ""
}

func simulate(t require.TestingT, p *plan.Plan, samples []time.Duration) history {
	g := &gather{plan: p, believes: make([]bool, len(p.Candidates)), open: map[[3]int32]int{}}
	for _, s := range samples {
		g.samples = append(g.samples, int64(s))
	}
	slices.Sort(g.samples)
	_, err := sim.Run(p, g)
	require.NoError(t, err)
	for len(g.samples) > 0 {
		g.sample()
	}
	g.sorted()
	return g.history
}
