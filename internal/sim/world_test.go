package sim

import (
	"interregnum/internal/trace"
	"interregnum/plan"
)

// newWorld returns the world of a plan before its first event.
func newWorld(p *plan.Plan, sinks []trace.Sink) *world {
	w := new(world)
	w.reset(p, sinks)
	return w
}
