package world

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// Setup is what Run is given: the scenario, the code under test, and how to run them.
type Setup struct {
	Scenario *scenarios.Scenario
	// Run is the code under test: it is called for each process.
	Run func(context.Context, *Part)
	// Lock is where the lock is. Of several elections each has its own, under its name, in the same namespace.
	Lock types.NamespacedName
	// Server is nil for a new one.
	Server *fakekube.Server
	// MayKeep: perhaps the code never releases the lock, though the scenario says that it does. So a return of OnStartedLeading
	// before the work is over does not fail the run, but sets Doubted.
	MayKeep bool
	// Patience is how long, in real time, the run may send nothing until standard error says what it waits for.
	Patience time.Duration
}
