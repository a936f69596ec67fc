package scenarios

import (
	"time"

	"interregnum/plan"
)

// The values of fields that a file leaves out.
const (
	builtinSeed  = 1
	builtinDelay = time.Millisecond
)

// builtinNetwork returns the built-in network.
func builtinNetwork() Network {
	still := Delay{Min: builtinDelay, Max: builtinDelay}
	return Network{Request: still, Response: still}
}

// builtinProbe returns the built-in liveness probe. Period and threshold are the defaults of Kubernetes; the tolerance is
// the one that components of Kubernetes use.
func builtinProbe() plan.LivenessProbe {
	return plan.LivenessProbe{Period: 10 * time.Second, FailureThreshold: 3, Tolerance: 20 * time.Second}
}
