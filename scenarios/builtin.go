package scenarios

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// The values of fields that a file leaves out.
const (
	builtinSeed  = 1
	builtinDelay = time.Millisecond
)

// builtinCandidate returns a candidate without an ID whose other fields have the built-in defaults.
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

// builtinProbe returns the built-in liveness probe. Period and threshold are the defaults of Kubernetes; the tolerance is
// the one that components of Kubernetes use.
func builtinProbe() plan.LivenessProbe {
	return plan.LivenessProbe{Period: 10 * time.Second, FailureThreshold: 3, Tolerance: 20 * time.Second}
}
