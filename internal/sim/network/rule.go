package network

import (
	"slices"

	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// Scope is whom a fault is on.
type Scope struct {
	All bool
	// Nodes are in ascending order, where it is not on everybody.
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

// cuts tells whether a rule lets nothing through.
func (r *rule) cuts() bool { return r.Kind == plan.FaultPartition || r.Kind == plan.FaultOutage }

// loses is the probability with which a rule loses a message on that leg, before where it says nothing about that.
func (r *rule) loses(leg plan.Leg, before float64) float64 {
	switch {
	case r.Kind != plan.FaultLose || r.Leg != plan.BothLegs && r.Leg != leg:
		return before
	case r.Probability != nil:
		return *r.Probability
	}
	return 1
}

// delay is what a rule puts in place of the delay of that leg, nil for nothing.
func (r *rule) delay(leg plan.Leg) *plan.Delay {
	switch {
	case r.Kind != plan.FaultDelay:
		return nil
	case leg == plan.RequestLeg:
		return r.Request
	}
	return r.Response
}
