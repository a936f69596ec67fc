package parity

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
)

// TestCanFail takes back one by one the points in which this version differs from the current one, and wants each
// noticed. The rest of the algorithm is what the current version's comparison is about.
func TestCanFail(t *testing.T) {
	for name, change := range map[string]func(*machine.Profile){
		"an optimistic update":          func(p *machine.Profile) { p.ReadFirst = false },
		"the record's lease":            func(p *machine.Profile) { p.ExpiryOwn = false },
		"a tick kept":                   func(p *machine.Profile) { p.TicksDropped = false },
		"the event whatever happened":   func(p *machine.Profile) { p.EventAtFailure = false },
		"a release that reads":          func(p *machine.Profile) { p.Release = machine.ReleaseBelieved },
		"a release by the owner only":   func(p *machine.Profile) { p.Release = machine.ReleaseOwned },
		"the current version's profile": func(p *machine.Profile) { *p = machine.ClientGo },
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
	c := counter{seen: map[string]int{}, releasing: map[int32]bool{}}
	for seed := 1; seed <= 200; seed++ {
		_, err := sim.Run(adapt(plans.Example(seed)), &c)
		require.NoError(t, err)
	}
	for _, what := range []string{
		"release sent", "release written", "release conflicted", "renewed", "read", "stopped event",
	} {
		assert.NotZero(t, c.seen[what], what)
	}
	assert.Zero(t, c.seen["slow path"])
	t.Log(c.seen)
}

// counter counts what happens in runs. A release is a request to write that names nobody.
type counter struct {
	seen      map[string]int
	releasing map[int32]bool
}

// Observe takes in an event.
func (c *counter) Observe(e *trace.Event) {
	switch {
	case e.Kind == trace.RequestSent && e.Verb == trace.Update:
		c.releasing[e.Candidate] = e.Holder == ""
		if e.Holder == "" {
			c.seen["release sent"]++
		}
	case e.Kind == trace.Written && e.Holder == "":
		c.seen["release written"]++
	case e.Kind == trace.Written && e.Verb == trace.Update:
		c.seen["renewed"]++
	case e.Kind == trace.RequestApplied && e.Status == 409 && c.releasing[e.Candidate]:
		c.seen["release conflicted"]++
	case e.Kind == trace.EventRecorded && e.Holder == "stopped leading":
		c.seen["stopped event"]++
	case e.Kind == trace.RequestSent && e.Verb == trace.Get:
		c.seen["read"]++
	case e.Kind == trace.MetricSet && e.Cause == trace.MetricSlowPath:
		c.seen["slow path"]++
	}
}
