package network

import (
	"testing"

	"interregnum/plan"

	"github.com/stretchr/testify/assert"
)

// TestScope: a fault is on those whom it names, by their IDs or present roles, within its election; a fault on processes is on whole
// processes.
func TestScope(t *testing.T) {
	roles := []string{plan.RoleLeader, plan.RoleFollower, plan.RoleFollower, ""}
	seat := func(i int32) (election, role string) { return []string{"x", "y"}[i%2], roles[i] }
	for name, c := range map[string]struct {
		fault plan.Fault
		on    []int32
	}{
		"a candidate":              {plan.Fault{Kind: plan.FaultLose, On: []string{"a"}}, []int32{0, 1}},
		"in one election":          {plan.Fault{Kind: plan.FaultLose, On: []string{"a"}, Election: "y"}, []int32{1}},
		"a whole election":         {plan.Fault{Kind: plan.FaultLose, Election: "x"}, []int32{0, 2}},
		"who leads":                {plan.Fault{Kind: plan.FaultLose, On: []string{plan.RoleLeader}, Election: "x"}, []int32{0}},
		"who leads, with all":      {plan.Fault{Kind: plan.FaultCrash, On: []string{plan.RoleLeader}, Election: "x"}, []int32{0, 1}},
		"who follows":              {plan.Fault{Kind: plan.FaultLose, On: []string{plan.RoleFollower}, Election: "x"}, []int32{2}},
		"in no Run is in no role":  {plan.Fault{Kind: plan.FaultLose, On: []string{plan.RoleFollower, plan.RoleLeader}, Election: "y"}, []int32{1}},
		"a role and another":       {plan.Fault{Kind: plan.FaultCrash, On: []string{plan.RoleLeader, "b"}, Election: "x"}, []int32{0, 1, 2, 3}},
		"nobody has that role now": {plan.Fault{Kind: plan.FaultLose, On: []string{plan.RoleLeader}, Election: "y"}, nil},
	} {
		var on Scope
		on.Add(&c.fault, "a", 0, 2, seat)
		on.Add(&c.fault, "b", 2, 2, seat)
		assert.Equal(t, c.on, on.Nodes, name)
		assert.Equal(t, c.on == nil, on.Nobody(), name)
	}
	all := Scope{All: true}
	all.Add(&plan.Fault{Kind: plan.FaultOutage}, "a", 0, 2, seat)
	assert.Equal(t, Scope{All: true}, all)
	assert.False(t, all.Nobody())
}
