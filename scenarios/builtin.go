package scenarios

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// builtinSeed, builtinDelay and builtinCandidate are what a file means that does not say otherwise.
const (
	builtinSeed  = 1
	builtinDelay = time.Millisecond
)

// builtinCandidate returns a candidate as a file means it that gives no more than its id.
func builtinCandidate() Candidate {
	return Candidate{
		Profile: machine.ClientGo,
		Lock:    plan.Lease,
		Timings: machine.Timings{
			LeaseDuration: 15 * time.Second,
			RenewDeadline: 10 * time.Second,
			RetryPeriod:   2 * time.Second,
		},
	}
}

// builtinProbe returns the probe that a file means by livenessProbe: {}. It is what Kubernetes does by default, with
// the tolerance that its own components use.
func builtinProbe() plan.LivenessProbe {
	return plan.LivenessProbe{Period: 10 * time.Second, FailureThreshold: 3, Tolerance: 20 * time.Second}
}
