package network

import (
	"interregnum/elector/machine"
	"interregnum/plan"
	"interregnum/simlock"
)

// rule is a fault on messages while it lasts.
type rule struct {
	*plan.Fault
	Scope
	// index is the fault's place in the file.
	index int32
	// seats are those of a brownout, nil without.
	seats *Seats
}

// touches tells whether the rule applies to messages of that node about that kind of object.
func (r *rule) touches(node int32, about simlock.Object) bool {
	return (r.Object == "" || r.Object == about.String()) && r.Has(node)
}

// Refuses tells whether a fault makes the service answer requests of that verb with an error.
func Refuses(f *plan.Fault, verb machine.Verb) bool {
	return (f.Kind == plan.FaultError || f.Kind == plan.FaultThrottle) && (f.Verb == 0 || f.Verb == verb)
}
