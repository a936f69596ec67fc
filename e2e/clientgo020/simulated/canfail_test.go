package parity

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestCanFail takes another lock or another profile for the simulated candidates, and wants it noticed.
func TestCanFail(t *testing.T) {
	kind := func(from, to plan.Lock) func(*plan.Candidate) {
		return func(c *plan.Candidate) {
			if c.Lock == from {
				c.Lock = to
			}
		}
	}
	for name, change := range map[string]func(*plan.Candidate){
		"a ConfigMap as precise as a Lease": kind(plan.ConfigMap, plan.Lease),
		"Endpoints as precise as a Lease":   kind(plan.Endpoints, plan.Lease),
		"a Lease in whole seconds":          kind(plan.Lease, plan.ConfigMap),
		"the first of two objects alone":    kind(plan.EndpointsLeases, plan.Endpoints),
		"the second of two objects alone":   kind(plan.ConfigMapsLeases, plan.Lease),
		"another first object":              kind(plan.ConfigMapsLeases, plan.EndpointsLeases),
		"an object lost by a failed Update": func(c *plan.Candidate) { c.Profile.Object = machine.ObjectLostByAny },
		"the current version's profile":     func(c *plan.Candidate) { c.Profile = machine.ClientGo },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := 1; seed <= 400; seed++ {
				p := adapt(plans.Example(seed))
				if slices.ContainsFunc(p.Faults, func(f plan.Fault) bool { return f.Object != "" }) {
					continue // of an object that the other lock may not have
				}
				samples := instants(p, uint64(seed))
				library := runLibrary(t, p, samples)
				for i := range p.Candidates {
					change(&p.Candidates[i])
				}
				if difference(library, simulate(t, p, samples)) != "" {
					return
				}
			}
			t.Fatal("the comparison did not notice")
		})
	}
}

// TestPlansBite makes sure that the plans reach what is particular to locks on two objects.
func TestPlansBite(t *testing.T) {
	c := counter{}
	for seed := 1; seed <= 600; seed++ {
		plan := adapt(plans.Example(seed))
		c.plan, c.created = plan, map[int32]bool{}
		_, err := sim.Run(plan, &c)
		require.NoError(t, err)
	}
	for _, what := range c.all() {
		assert.NotZero(t, *what.count, what.name)
		t.Log(what.name, *what.count)
	}
}

// counter counts what happens to candidates whose lock is on two objects.
type counter struct {
	plan *plan.Plan
	// created: the last request was a Create of the primary that found it there.
	created                                              map[int32]bool
	unknown, primaryAlone, halfCreated, halfWritten, won int
}

type counted struct {
	name  string
	count *int
}

func (c *counter) all() []counted {
	return []counted{
		{"a leader reported as unknown", &c.unknown},
		{"a secondary that is missing", &c.primaryAlone},
		{"a primary that is there, and a secondary created", &c.halfCreated},
		{"a secondary that was written in between", &c.halfWritten},
		{"work", &c.won},
	}
}

// Observe takes in an event.
func (c *counter) Observe(e *trace.Event) {
	if e.Candidate < 0 || len(c.plan.Candidates[e.Candidate].Lock.Objects()) != 2 {
		return
	}
	switch {
	case e.Kind == trace.LeaderReported && e.Holder == "leaderelection.k8s.io/unknown":
		c.unknown++
	case e.Kind == trace.WorkStarted:
		c.won++
	case e.Kind != trace.RequestApplied && e.Kind != trace.Written:
	case e.Object != trace.Lease:
		c.created[e.Candidate] = e.Verb == trace.Create && e.Status == 409
	case e.Verb == trace.Get && e.Status == 404:
		c.primaryAlone++
	case e.Verb == trace.Create && e.Status == 201 && c.created[e.Candidate]:
		c.halfCreated++
	case e.Verb == trace.Update && e.Status == 409:
		c.halfWritten++
	}
}
