package network

import (
	"slices"

	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// Scope says which nodes a fault is on.
type Scope struct {
	All bool
	// Nodes are in ascending order. They do not count if All is true.
	Nodes []int32
}

// Has tells whether a node is in the scope.
func (s *Scope) Has(node int32) bool {
	if s.All {
		return true
	}
	_, found := slices.BinarySearch(s.Nodes, node)
	return found
}

// rule is a fault on messages while it lasts.
type rule struct {
	*plan.Fault
	Scope
	// index is the fault's place in the file.
	index int32
}

// touches tells whether a rule is on that node, and about requests on such an object.
func (r *rule) touches(node int32, about simlock.Object) bool {
	return (r.Object == "" || r.Object == about.String()) && r.Has(node)
}

// Cuts tells whether a fault lets nothing through while it lasts, whatever other rules say.
func Cuts(f *plan.Fault) bool { return f.Kind == plan.FaultPartition || f.Kind == plan.FaultOutage }

// Loss returns the probability with which a fault loses a message on that leg, or false if the fault does not lose
// messages there.
func Loss(f *plan.Fault, leg plan.Leg) (probability float64, ruled bool) {
	switch {
	case f.Kind != plan.FaultLose || f.Leg != plan.BothLegs && f.Leg != leg:
		return 0, false
	case f.Probability != nil:
		return *f.Probability, true
	}
	return 1, true
}

// Delay returns what a fault puts in place of the network's delay on that leg, nil for nothing.
func Delay(f *plan.Fault, leg plan.Leg) *plan.Delay {
	switch {
	case f.Kind != plan.FaultDelay:
		return nil
	case leg == plan.RequestLeg:
		return f.Request
	}
	return f.Response
}

// Way returns the network's delay on that leg.
func Way(n *plan.Network, leg plan.Leg) *plan.Delay {
	if leg == plan.RequestLeg {
		return &n.Request
	}
	return &n.Response
}
