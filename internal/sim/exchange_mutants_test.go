package sim

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/mutants"
	"interregnum/internal/mutants/planted"
)

var (
	huntMutants = flag.Bool("mutants", false, "hunt the planted bugs of the short cut, which make mutants compiles in")
	mutantRuns  = flag.Int("mutants.runs", 100_000, "in how many random plans each must be found")
)

// TestShortcutMutants: each planted bug of the short cut shows as a difference to a run without it.
func TestShortcutMutants(t *testing.T) {
	if !*huntMutants {
		t.Skip("wants the planted bugs compiled in: make mutants")
	}
	defer planted.Switch("")
	most := 0
	for _, m := range mutants.All() {
		if m.Ground != mutants.Shortcut {
			continue
		}
		planted.Switch(m.Name)
		run, found := firstDifference()
		if assert.True(t, found, "mutant %s survives: %s", m.Name, m.About) {
			t.Logf("%s: found in run %d", m.Name, run)
			most = max(most, run)
		}
	}
	planted.Switch("")
	var runs comparison
	for seed := range uint64(most) {
		require.NoError(t, runs.differ(seed), "without a mutant")
	}
}

// firstDifference returns the number of the first run, from 1 on, that shows something else with the short cut, or panics.
func firstDifference() (run int, found bool) {
	var runs comparison
	for seed := range *mutantRuns {
		if runs.differs(uint64(seed)) != nil {
			return seed + 1, true
		}
	}
	return 0, false
}

// differs does what differ does, and takes a panic for a difference.
func (c *comparison) differs(seed uint64) (err error) {
	defer func() {
		if p := recover(); p != nil {
			*c, err = comparison{}, fmt.Errorf("seed %d: panic: %v", seed, p)
		}
	}()
	return c.differ(seed)
}
