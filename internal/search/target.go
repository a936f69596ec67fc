package search

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/scenarios"
)

// Target is what a search tries to break.
type Target struct {
	Profile machine.Profile
	draw.Locking
	// Timings are those of all candidates; the zero value lets each run have its own.
	Timings machine.Timings
	// Limits are what may go wrong.
	Limits draw.Limits
	// Property is what a failure is a violation of; "" is any of kind always, and liveness.
	Property string
	// Corpus is the scenarios that the search starts from; nil for none.
	Corpus *Corpus
}

// broken returns the properties that a result violates and whose violation is a failure for the target.
func (t *Target) broken(r *scenarios.Result) []string {
	return slices.DeleteFunc(violatedBy(r), func(property string) bool { return !t.Asks(property) })
}

// violatedBy returns the names of the properties that a result violates.
func violatedBy(r *scenarios.Result) []string {
	var violated []string
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Verdict == check.Violated {
			violated = append(violated, p.Name)
		}
	}
	return violated
}

// Violates is the properties that a scenario expects to be violated and that the target is about.
func (t *Target) Violates(s *scenarios.Scenario) []string {
	return slices.DeleteFunc(check.Names(), func(property string) bool {
		return s.Expect[property] != scenarios.ExpectViolated || !t.Asks(property)
	})
}

// Asks is whether a violation of a property is a failure.
func (t *Target) Asks(property string) bool {
	return (t.Property == "" || t.Property == property) && t.holds(property)
}

// holds tells whether a property can be asked for within the limits. A frozen process works for an instant when it wakes, before it learns that it
// has lost the lock; clocks that are apart shorten the safety window.
func (t *Target) holds(property string) bool {
	if t.Limits.MaxClockOffset > 0 && property == check.SafetyWindow {
		return false
	}
	if t.Limits.MaxPause == 0 {
		return true
	}
	switch property {
	case check.SingleBelief, check.SingleWork, check.SafetyWindow:
		return false
	}
	return true
}
