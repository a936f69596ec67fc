package witness

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/investigate"
	"interregnum/internal/mutants"
	"interregnum/internal/mutants/planted"
)

var (
	huntMutants = flag.Bool("mutants", false, "hunt the rules that claim too much, which make mutants compiles in")
	mutantRuns  = flag.Uint64("mutants.runs", 20_000, "in how many random runs each must be found")
)

// TestClaimMutants: each rule that claims too much makes a claim that is wrong.
func TestClaimMutants(t *testing.T) {
	if !*huntMutants {
		t.Skip("wants the planted bugs compiled in: make mutants")
	}
	defer planted.Switch("")
	for _, m := range mutants.All() {
		if m.Ground != mutants.Claims {
			continue
		}
		planted.Switch(m.Name)
		seed, claim := firstWrong(t)
		if assert.NotEmpty(t, claim, "mutant %s survives: %s", m.Name, m.About) {
			t.Logf("%s: %d runs: %s", m.Name, seed+1, claim)
		}
	}
}

// firstWrong returns the first claim that is wrong, and in which run it is made.
func firstWrong(t *testing.T) (seed uint64, claim string) {
	for seed = range *mutantRuns {
		r, err := Simulate(seed)
		require.NoError(t, err)
		l := NewLogs(r, DrawHabits(r))
		s, err := investigate.Tell(l.Evidence(), l.Lock(), nil)
		if err != nil {
			continue
		}
		if wrong, _ := Judge(l, s); len(wrong) > 0 {
			return seed, wrong[0]
		}
	}
	return seed, ""
}
