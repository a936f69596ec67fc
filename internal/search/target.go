package search

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/scenarios"
)

// Target is what a search tries to break, and within which limits.
type Target struct {
	Profile machine.Profile
	draw.Locking
	// Timings are those of all candidates; with the zero value each run draws its own.
	Timings machine.Timings
	// Limits are what may go wrong.
	Limits draw.Limits
	// Property is the one whose violation is a failure; "" is every property of the kind always, and liveness.
	Property string
	// Corpus has the scenarios from which the search starts; nil for none.
	Corpus *Corpus
}

// broken returns the names of the properties that are violated, and whose violation is a failure, in the given memory.
func (t *Target) broken(memory []string, properties []scenarios.Property) []string {
	names := appendViolated(memory[:0], properties)
	return slices.DeleteFunc(names, func(property string) bool { return !t.Asks(property) })
}

// violated returns the names of the properties that are violated.
func violated(properties []scenarios.Property) []string { return appendViolated(nil, properties) }

// appendViolated appends the names of the properties that are violated to the slice to, and returns the result.
func appendViolated(to []string, properties []scenarios.Property) []string {
	for i := range properties {
		if p := &properties[i]; p.Verdict == check.Violated {
			to = append(to, p.Name)
		}
	}
	return to
}

// Violates returns the properties that a scenario expects to be violated and whose violation is a failure.
func (t *Target) Violates(s *scenarios.Scenario) []string {
	return slices.DeleteFunc(check.Names(), func(property string) bool {
		return s.Expect[property] != scenarios.ExpectViolated || !t.Asks(property)
	})
}

// Asks tells whether a violation of the property is a failure: the target is about it, and it can hold within the
// limits.
func (t *Target) Asks(property string) bool {
	return (t.Property == "" || t.Property == property) && t.holds(property)
}

// holds tells whether a property can hold within the limits. With pauses, single-belief, single-work and safety-window cannot: a
// frozen process works for an instant when it wakes up, before it learns that it has lost the lock. With wall clocks that are
// apart, safety-window cannot: they shorten the window. All others can.
func (t *Target) holds(property string) bool {
	switch property {
	case check.SingleBelief, check.SingleWork:
		return t.Limits.MaxPause == 0
	case check.SafetyWindow:
		return t.Limits.MaxPause == 0 && t.Limits.MaxClockOffset == 0
	}
	return true
}
