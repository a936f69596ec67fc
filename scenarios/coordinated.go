package scenarios

import "interregnum/scenarios/plan"

// coordinator decodes n, the field coordinator of a scenario file. Fields that n does not have are zero: it starts at 0 with a
// true clock, and has the delays of the network.
func (d *decoder) coordinator(n *node) *plan.Coordinator {
	c := &plan.Coordinator{}
	d.mapping(n, "the coordinator", names(plan.CoordinatorFields()), func(name string, n *node) {
		if name == "network" {
			fields(d, n, "the coordinator's network", plan.CoordinatorLegs(), c)
		} else {
			d.value(n, in(plan.CoordinatorFields(), name, c))
		}
	})
	return c
}

// coordinatorMembers returns the fields of c to write to a scenario file: those that differ from the default.
func coordinatorMembers(c *plan.Coordinator) members {
	m := membersOf(plan.CoordinatorFields(), c, &plan.Coordinator{})
	legs := membersOf(plan.CoordinatorLegs(), c, &plan.Coordinator{})
	m.add(len(legs) > 0, "network", legs)
	return m
}
