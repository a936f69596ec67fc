// Package machine is lease-based leader election as a state machine without I/O.
//
// The algorithm is that of k8s.io/client-go v0.37.2, tools/leaderelection, together with the loops of
// k8s.io/apimachinery/pkg/util/wait that drive it. Everything that the library does with a goroutine,
// a clock, a context, a logger or a random number is here an Input of Step or one of the Outputs that it
// appends, so that a program (package elector) and a simulated world (internal/sim) run the same code.
//
// A Profile says, as data, in which points a variant of the algorithm departs from another.
package machine
