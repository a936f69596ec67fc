package plan_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/plan"
)

// TestValidatorForgets: what a Validator says of a plan does not depend on the plans before it. Each of these would be
// judged otherwise with something that another of them leaves behind.
func TestValidatorForgets(t *testing.T) {
	lock := func(l plan.Lock) func(*plan.Plan) {
		return func(p *plan.Plan) {
			for i := range p.Candidates {
				p.Candidates[i].Lock = l
			}
		}
	}
	row := func(precision time.Duration) func(*plan.Plan) {
		return func(p *plan.Plan) {
			lock(plan.SQLTTL)(p)
			p.Service.DriftPPM = 5
			for i := range p.Candidates {
				p.Candidates[i].Precision = precision
			}
		}
	}
	elections := func(names ...string) func(*plan.Plan) {
		return func(p *plan.Plan) {
			p.Elections = names
			p.Candidates[0].Election, p.Candidates[1].Election = "x", "y"
		}
	}
	about := func(object string) func(*plan.Plan) {
		return withFault(plan.Fault{Kind: plan.FaultDelete, At: 2e9, Object: object})
	}
	far := plan.Fault{Kind: plan.FaultClock, At: 2e9, Jump: plan.MaxDuration, On: []string{"b"}}
	all := plan.Fault{Kind: plan.FaultClock, At: 2e9, Jump: plan.MaxDuration}
	var plans []*plan.Plan
	for _, changes := range [][]func(*plan.Plan){
		{}, {lock(plan.ConfigMap), about("configmap")}, {about("configmap")}, {about("lease")},
		{lock(plan.KVTTL)}, {row(time.Second)}, {row(time.Millisecond)}, {func(p *plan.Plan) { p.Service.DriftPPM = 5 }},
		{elections("x", "y")}, {elections("x", "y", "z")}, {elections("x")}, {elections("y", "x")},
		{elections("x", "y", "z"), func(p *plan.Plan) { p.Candidates[1].Election = "z" }},
		{func(p *plan.Plan) { p.Candidates[1].ID = "c" }}, {func(p *plan.Plan) { p.Candidates[1].ID = "a" }},
		{withFault(plan.Fault{Kind: plan.FaultCrash, At: 2e9, On: []string{"c"}})},
		{withFault(plan.Fault{Kind: plan.FaultCrash, At: 2e9, On: []string{"b"}})},
		{withFault(plan.Fault{Kind: plan.FaultCrash, At: 2e9, Status: 500})},
		{func(p *plan.Plan) { p.Horizon = 0 }}, {withCandidate(func(c *plan.Candidate) { c.Drain = -1 })},
		{func(p *plan.Plan) { p.Faults = []plan.Fault{far, far, far, far, far, far} }},
		{func(p *plan.Plan) { p.Faults = []plan.Fault{all, all, all, all, all, all} }},
	} {
		p := validPlan()
		for _, change := range changes {
			change(p)
		}
		plans = append(plans, p)
	}
	accepted := 0
	for i, before := range plans {
		for j, p := range plans {
			var v plan.Validator
			first := v.Validate(before)
			require.Equal(t, before.Validate(), first)
			assert.Equal(t, p.Validate(), v.Validate(p), "plan %d after plan %d", j, i)
		}
		if before.Validate() == nil {
			accepted++
		}
	}
	assert.Equal(t, 12, accepted)
}
