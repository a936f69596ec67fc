package parity

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
)

// TestCanFail changes the simulated algorithm in one point at a time. The comparison must find each, or it would
// not find a mistake of ours either.
func TestCanFail(t *testing.T) {
	for name, change := range map[string]func(*machine.Profile){
		"lease counted from the send": func(p *machine.Profile) { p.FromSend = true },
		"records compared exactly":    func(p *machine.Profile) { p.CompareExact = true },
		"another holder obeyed":       func(p *machine.Profile) { p.ForeignObeyed = true },
		"seconds rounded up":          func(p *machine.Profile) { p.RoundUp = true },
		"no optimistic update":        func(p *machine.Profile) { p.ReadFirst = true },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := 1; seed <= 200; seed++ {
				plan := plans.Example(seed)
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

// TestPlansBite makes sure that the plans reach what they are for: a comparison of runs in which no answer was
// ever lost proves nothing.
func TestPlansBite(t *testing.T) {
	seen := map[string]int{}
	for seed := 1; seed <= 200; seed++ {
		_, err := sim.Run(plans.Example(seed), counter(seen))
		require.NoError(t, err)
	}
	for _, what := range []string{
		"requestLost", "responseLost", "responseLate", "requestRefused", "gaveUp contextEnded", "gaveUp timedOut",
		"localError noObject", "localError contextEnded", "crashed", "cancelAsked", "deleted", "faultVoid",
		"conflict", "exists", "invalid", "unchanged update", "release", "metricSet slowPath", "acquired",
		"applied and refused",
	} {
		assert.NotZero(t, seen[what], what)
	}
	t.Log(seen)
}

// counter counts what happens in runs.
type counter map[string]int

// Observe takes in an event.
func (c counter) Observe(e *trace.Event) {
	c[e.Kind.String()]++
	switch e.Kind {
	case trace.GaveUp, trace.LocalError, trace.MetricSet:
		c[e.Kind.String()+" "+e.Cause.String()]++
	case trace.RequestApplied:
		c.applied(e)
	case trace.Written:
		if e.Holder == "" {
			c["release"]++
		}
		c["last write"] = int(e.Request)
	case trace.RequestRefused:
		if c["last write"] == int(e.Request) {
			c["applied and refused"]++
		}
	case trace.WorkStarted:
		c["acquired"]++
	}
}

func (c counter) applied(e *trace.Event) {
	switch {
	case e.Status == 409 && e.Verb == trace.Update:
		c["conflict"]++
	case e.Status == 409:
		c["exists"]++
	case e.Status == 422:
		c["invalid"]++
	case e.Status == 200 && e.Verb == trace.Update:
		c["unchanged update"]++
	}
}
