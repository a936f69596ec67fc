package plan

import "time"

// Network has the delays of requests to the lock service and of its responses.
type Network struct{ Request, Response Delay }

// Delay is the true time that one leg takes: uniform in [Min, Max], Min at least 0.
type Delay struct{ Min, Max time.Duration }

var (
	networkFields = []Field[Network]{
		field("request", func(n *Network) *Delay { return &n.Request }),
		field("response", func(n *Network) *Delay { return &n.Response }),
	}
	coordinatorFields = []Field[Coordinator]{
		field("startAt", func(c *Coordinator) *time.Duration { return &c.StartAt }),
		field("clock", func(c *Coordinator) *Clock { return &c.Clock }),
		fileField[Coordinator]("network"),
	}
	coordinatorLegs = []Field[Coordinator]{
		field("request", func(c *Coordinator) **Delay { return &c.Request }),
		field("response", func(c *Coordinator) **Delay { return &c.Response }),
	}
)

// NetworkFields returns the fields of the network, in the order of scenario files. They must not be changed.
func NetworkFields() []Field[Network] { return networkFields }

// CoordinatorFields returns the fields of the coordinator, in the order of scenario files. They must not be changed.
func CoordinatorFields() []Field[Coordinator] { return coordinatorFields }

// CoordinatorLegs returns the fields of the coordinator's network, in the order of scenario files. They must not be changed.
func CoordinatorLegs() []Field[Coordinator] { return coordinatorLegs }
