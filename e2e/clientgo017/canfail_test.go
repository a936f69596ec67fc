package parity

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
)

// TestCanFail takes back one by one the points in which this version differs from the current one, and wants each
// noticed. The rest of the algorithm is what the current version's comparison is about.
func TestCanFail(t *testing.T) {
	for name, change := range map[string]func(*machine.Profile){
		"requests with a context":     func(p *machine.Profile) { p.ContextNone = false },
		"an object after an update":   func(p *machine.Profile) { p.Object = machine.ObjectLostByGet },
		"an optimistic update":        func(p *machine.Profile) { p.ReadFirst = false },
		"the record's lease":          func(p *machine.Profile) { p.ExpiryOwn = false },
		"a tick kept":                 func(p *machine.Profile) { p.TicksDropped = false },
		"the event whatever happened": func(p *machine.Profile) { p.EventAtFailure = false },
		"a release that reads":        func(p *machine.Profile) { p.Release = machine.ReleaseBelieved },
		"a release by the owner only": func(p *machine.Profile) { p.Release = machine.ReleaseOwned },
		"v0.24":                       func(p *machine.Profile) { *p = machine.ClientGoV024 },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := 1; seed <= 200; seed++ {
				plan := adapt(plans.Example(seed))
				samples := instants(plan, uint64(seed))
				library := runLibrary(t, plan, samples)
				for i := range plan.Candidates {
					change(&plan.Candidates[i].Profile)
				}
				if difference(library, simulate(t, plan, samples)) != "" {
					return
				}
			}
			t.Fatal("the comparison did not notice")
		})
	}
}

// TestPlansBite makes sure that the plans reach what is particular to this version.
func TestPlansBite(t *testing.T) {
	seen := map[string]int{}
	for seed := 1; seed <= 600; seed++ {
		plan := adapt(plans.Example(seed))
		_, err := sim.Run(plan, newCounter(seen, len(plan.Candidates)))
		require.NoError(t, err)
	}
	for _, what := range []string{
		"left running", "answered", "timed out", "answered while releasing", "answered after Run",
		"answered in the next Run", "sent more", "wrote", "wrote after Run", "wrote in the next Run",
		"changed the belief", "release sent", "release written", "release conflicted",
	} {
		assert.NotZero(t, seen[what], what)
	}
	t.Log(seen)
}

// TestCancelledWhileAcquiring compares a plan in which an attempt to acquire succeeds after Run was cancelled, which is
// rare in random ones: the work begins, with a context that has ended.
func TestCancelledWhileAcquiring(t *testing.T) {
	const seed = 170281
	seen := map[string]int{}
	plan := adapt(plans.Example(seed))
	_, err := sim.Run(plan, newCounter(seen, len(plan.Candidates)))
	require.NoError(t, err)
	assert.NotZero(t, seen["work began cancelled"])
	compareSeeds(t, seed, 1)
}
