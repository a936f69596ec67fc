package scenarios

import "interregnum/scenarios/plan"

var coordinatorFields = []string{"startAt", "clock", "network"}

// coordinator decodes n, the field coordinator of a scenario file. Fields that n does not have are zero: it starts at 0 with a
// true clock, and has the delays of the network.
func (d *decoder) coordinator(n *node) *plan.Coordinator {
	c := &plan.Coordinator{}
	d.mapping(n, "the coordinator", coordinatorFields, func(name string, n *node) {
		switch name {
		case "startAt":
			c.StartAt = d.duration(n)
		case "clock":
			d.clock(n, &c.Clock)
		case "network":
			d.mapping(n, "the coordinator's network", networkFields, func(name string, n *node) {
				if name == "request" {
					c.Request = new(d.delay(n))
				} else {
					c.Response = new(d.delay(n))
				}
			})
		}
	})
	return c
}

// coordinatedField decodes n, the value of the field called name, into c. It ignores fields that are not for coordinated
// elections.
func (d *decoder) coordinatedField(name string, n *node, c *Candidate) {
	switch name {
	case "coordinated":
		c.Coordinated = d.boolean(n)
	case "binaryVersion":
		c.BinaryVersion = d.word(n)
	case "emulationVersion":
		c.EmulationVersion = d.word(n)
	case "strategy":
		c.Strategy = d.word(n)
	}
}

// coordinatorMembers returns the fields of c to write to a scenario file: those that differ from the default.
func coordinatorMembers(c *plan.Coordinator) (m members) {
	m.duration(c.StartAt != 0, "startAt", c.StartAt)
	clock := clockMembers(c.Clock)
	m.add(len(clock) > 0, "clock", clock)
	var legs members
	if c.Request != nil {
		legs.add(true, "request", delayValue(*c.Request))
	}
	if c.Response != nil {
		legs.add(true, "response", delayValue(*c.Response))
	}
	m.add(len(legs) > 0, "network", legs)
	return m
}
