package parity

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestShipped runs the scenarios that ship on the unmodified library too: the hazards are its own. Their times are
// round, so that a tick and a deadline may fall on one instant, where the library may send one request more; what it
// writes, and when the work runs, must be equal all the same. A rollout is carried out on the library at the times at which
// the simulated one did each of its steps.
func TestShipped(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	shown := 0
	for _, s := range all {
		if !showable(&s.Plan) {
			continue
		}
		shown++
		t.Run(s.Name, func(t *testing.T) {
			library, simulated := runLibrary(t, unrolled(t, &s.Plan), nil), simulate(t, &s.Plan, nil)
			assert.Empty(t, firstDifference("write", library.writes, simulated.writes))
			assert.Empty(t, firstDifference("term", library.terms, simulated.terms))
		})
	}
	assert.GreaterOrEqual(t, shown, 16)
}

// unrolled returns the plan with starts and cancels in place of its rollouts, at the times at which the simulated rollouts
// start a process and tell it to end. Work of a process that they kill drains no longer than to that time.
func unrolled(t *testing.T, p *plan.Plan) *plan.Plan {
	rollout := func(f plan.Fault) bool { return f.Kind == plan.FaultRollout }
	if !slices.ContainsFunc(p.Faults, rollout) {
		return p
	}
	q := *p
	q.Candidates, q.Faults = slices.Clone(p.Candidates), slices.DeleteFunc(slices.Clone(p.Faults), rollout)
	steps := &rolloutSteps{of: &q}
	for i := range p.Faults {
		for j := range q.Candidates {
			if slices.Contains(p.Faults[i].To, q.Candidates[j].ID) {
				q.Candidates[j].StartAt = p.Horizon // unless it starts
			}
		}
	}
	_, err := sim.Run(p, steps)
	require.NoError(t, err)
	return &q
}

// rolloutSteps adds what simulated rollouts do to a plan without them, which has no other faults.
type rolloutSteps struct{ of *plan.Plan }

func (r *rolloutSteps) Observe(e *trace.Event) {
	if e.Candidate == trace.Nobody {
		return
	}
	c, at := &r.of.Candidates[e.Candidate], time.Duration(e.At)
	switch {
	case e.Kind == trace.RunStarted:
		c.StartAt = at
	case e.Kind == trace.CancelAsked:
		r.of.Faults = append(r.of.Faults, plan.Fault{Kind: plan.FaultCancel, At: at, On: []string{c.ID}})
	case e.Kind == trace.Crashed && e.Cause == trace.Killed:
		told := slices.IndexFunc(r.of.Faults, func(f plan.Fault) bool { return slices.Contains(f.On, c.ID) })
		c.Drain = at - r.of.Faults[told].At
	}
}

// showable tells whether the library can show a plan on one fake clock.
func showable(p *plan.Plan) bool {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if c.Profile != machine.ClientGo || c.Lock != plan.Lease || c.Clock.DriftPPM != 0 || c.Jitter == nil {
			return false
		}
		if c.Coordinated || c.Election != "" || c.Client != nil {
			return false // there is no coordinator here, one Lease, and no client: that is internal/parity/rest
		}
	}
	return !slices.ContainsFunc(p.Faults, func(f plan.Fault) bool {
		return f.Kind == plan.FaultPause || f.Kind == plan.FaultClock
	})
}
