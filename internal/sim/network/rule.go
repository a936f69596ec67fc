package network

import (
	"interregnum/elector/machine"
	"interregnum/internal/fate"
	"interregnum/scenarios/plan"
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

// RefusalOf returns how the service refuses a request of that verb which meets those faults, in the order of the file; Status is 0 if
// it does not. The last fault counts that makes the service answer with an error.
func RefusalOf(faults []*plan.Fault, verb machine.Verb) (answer fate.Refusal) {
	for _, f := range faults {
		if (f.Kind == plan.FaultError || f.Kind == plan.FaultThrottle) && (f.Verb == 0 || f.Verb == verb) {
			answer = RefusalBy(f)
		}
	}
	return answer
}

// RefusalBy returns how the service refuses requests that meet f, an error or a throttle.
func RefusalBy(f *plan.Fault) fate.Refusal {
	status, after := f.Answer()
	return fate.Refusal{Status: status, Applied: f.Applied, RetryAfter: after}
}
