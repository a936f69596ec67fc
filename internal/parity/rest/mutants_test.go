package rest

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/mutants"
	"interregnum/internal/mutants/planted"
)

var (
	huntMutants = flag.Bool("mutants", false, "hunt the planted bugs of the client, which make mutants compiles in")
	mutantPlans = flag.Uint64("mutants.plans", 300, "in how many of the plans, from the first pinned one on, each must be found")
)

// TestClientMutants: each planted bug of the client shows as a difference to the library.
func TestClientMutants(t *testing.T) {
	if !*huntMutants {
		t.Skip("wants the planted bugs compiled in: make mutants")
	}
	defer planted.Switch("")
	library := map[uint64][]mark{}
	found := func(seed uint64) bool {
		p := planOf(seed, machine.ClientGo)
		if library[seed] == nil {
			library[seed] = runLibrary(t, p, map[string]int{})
		}
		return difference(library[seed], simulate(t, p)) != ""
	}
	for _, m := range mutants.All() {
		if m.Ground != mutants.Client {
			continue
		}
		planted.Switch(m.Name)
		seed := uint64(1)
		for seed <= *mutantPlans && !found(seed) {
			seed++
		}
		if assert.LessOrEqual(t, seed, *mutantPlans, "mutant %s survives: %s", m.Name, m.About) {
			t.Logf("%s: found in plan %d", m.Name, seed)
		}
	}
	planted.Switch("")
	for seed := range library {
		require.False(t, found(seed), "without a mutant: plan %d", seed)
	}
}
