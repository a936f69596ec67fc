package network

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/fate"
	"interregnum/plan"
	"interregnum/simlock"
)

// TestRules: a message meets the rules that are on its sender, its object and its leg; of several the last in the file counts,
// but for a cut, which always does.
func TestRules(t *testing.T) {
	never, always := 0.0, 1.0
	way := plan.Network{Request: plan.Delay{Min: 1, Max: 1}, Response: plan.Delay{Min: 2, Max: 2}}
	delay := func(d time.Duration) *plan.Delay { return &plan.Delay{Min: d, Max: d} }
	all := Scope{All: true}
	for name, c := range map[string]struct {
		rules []rule
		want  fate.Way
	}{
		"none":                {want: fate.Way{Delay: 1}},
		"a delay":             {rules: []rule{{&plan.Fault{Kind: plan.FaultDelay, Request: delay(5)}, all, 0, nil}}, want: fate.Way{Delay: 5}},
		"of the other leg":    {rules: []rule{{&plan.Fault{Kind: plan.FaultDelay, Response: delay(5)}, all, 0, nil}}, want: fate.Way{Delay: 1}},
		"of the other object": {rules: []rule{{&plan.Fault{Kind: plan.FaultDelay, Request: delay(5), Object: "configmap"}, all, 0, nil}}, want: fate.Way{Delay: 1}},
		"of another node":     {rules: []rule{{&plan.Fault{Kind: plan.FaultDelay, Request: delay(5)}, Scope{Nodes: []int32{0, 2}}, 0, nil}}, want: fate.Way{Delay: 1}},
		"the last in the file": {rules: []rule{
			{&plan.Fault{Kind: plan.FaultDelay, Request: delay(6)}, all, 7, nil}, {&plan.Fault{Kind: plan.FaultDelay, Request: delay(5)}, all, 3, nil},
		}, want: fate.Way{Delay: 6}},
		"a loss": {rules: []rule{{&plan.Fault{Kind: plan.FaultLose}, all, 0, nil}}, want: fate.Way{Lost: true}},
		"a loss and then none": {rules: []rule{
			{&plan.Fault{Kind: plan.FaultLose, Probability: &always}, all, 0, nil}, {&plan.Fault{Kind: plan.FaultLose, Probability: &never}, all, 1, nil},
		}, want: fate.Way{Delay: 1}},
		"a cut and then none": {rules: []rule{
			{&plan.Fault{Kind: plan.FaultPartition}, all, 0, nil}, {&plan.Fault{Kind: plan.FaultLose, Probability: &never}, all, 1, nil},
		}, want: fate.Way{Lost: true}},
	} {
		n, line := Network{seed: 1}, Line{}
		line.Reset(1, &way)
		for _, r := range c.rules {
			n.Begin(r.index, r.Fault, r.Scope)
		}
		assert.Equal(t, c.want, n.Carry(&line, plan.RequestLeg, simlock.Lease), name)
		for _, r := range c.rules {
			n.End(r.index)
		}
		assert.Equal(t, fate.Way{Delay: 2}, n.Carry(&line, plan.ResponseLeg, simlock.Lease), name)
	}
}

// TestRefuses: an error is for one verb, or for all.
func TestRefuses(t *testing.T) {
	n, line := Network{seed: 1}, Line{way: &plan.Network{}}
	n.Begin(0, &plan.Fault{Kind: plan.FaultError, Status: 503}, Scope{All: true})
	n.Begin(1, &plan.Fault{Kind: plan.FaultError, Status: 500, Applied: true, Verb: machine.Update}, Scope{All: true})
	assert.Equal(t, fate.Refusal{Status: 503}, n.Refuses(&line, &simlock.Op{Verb: machine.Get}))
	assert.Equal(t, fate.Refusal{Status: 500, Applied: true}, n.Refuses(&line, &simlock.Op{Verb: machine.Update}))
	n.Begin(2, &plan.Fault{Kind: plan.FaultThrottle, Verb: machine.Get}, Scope{All: true})
	assert.Equal(t, fate.Refusal{Status: 429, RetryAfter: new(time.Second)}, n.Refuses(&line, &simlock.Op{Verb: machine.Get}))
	n.Begin(3, &plan.Fault{Kind: plan.FaultError, Status: 500, RetryAfter: new(5 * time.Second)}, Scope{All: true})
	assert.Equal(t, fate.Refusal{Status: 500, RetryAfter: new(5 * time.Second)}, n.Refuses(&line, &simlock.Op{Verb: machine.Get}))
}
