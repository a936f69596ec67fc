package scenarios

import (
	"time"

	"interregnum/plan"
)

var (
	coordinatorFields = []plan.Field[plan.Coordinator]{
		plan.FieldAt("startAt", func(c *plan.Coordinator) *time.Duration { return &c.StartAt }),
		plan.FieldAt("clock", func(c *plan.Coordinator) *Clock { return &c.Clock }),
		plan.FileField[plan.Coordinator]("network"),
	}
	coordinatorLegs = []plan.Field[plan.Coordinator]{
		plan.FieldAt("request", func(c *plan.Coordinator) **Delay { return &c.Request }),
		plan.FieldAt("response", func(c *plan.Coordinator) **Delay { return &c.Response }),
	}
)

// coordinator decodes n, the field coordinator of a scenario file. Fields that n does not have are zero: it starts at 0 with a
// true clock, and has the delays of the network.
func (d *decoder) coordinator(n *node) *plan.Coordinator {
	c := &plan.Coordinator{}
	d.mapping(n, "the coordinator", names(coordinatorFields), func(name string, n *node) {
		if name == "network" {
			fields(d, n, "the coordinator's network", coordinatorLegs, c)
		} else {
			d.value(n, placeOf(coordinatorFields, name, c))
		}
	})
	return c
}

// coordinatorMembers returns the fields of c to write to a scenario file: those that differ from the default.
func coordinatorMembers(c *plan.Coordinator) members {
	m := membersOf(coordinatorFields, c, &plan.Coordinator{})
	legs := membersOf(coordinatorLegs, c, &plan.Coordinator{})
	m.add(len(legs) > 0, "network", legs)
	return m
}
