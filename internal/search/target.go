package search

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
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

// enoughRuns is how many runs of a Lease show all that a campaign can show, but for bad luck.
const enoughRuns = 10_000

// enough returns how many runs a campaign needs before a missing witness means anything; locks other than a Lease need ten times as many.
func (t *Target) enough() uint64 {
	if t.Kind() != plan.Lease {
		return 10 * enoughRuns
	}
	return enoughRuns
}

// Blind returns the witnesses that the limits allow and that no run of a campaign has shown. A campaign that misses one has proved nothing of it. It
// is empty for a campaign too short to tell.
func (t *Target) Blind(s *Summary) []string {
	if s.Runs < t.enough() {
		return nil
	}
	return t.Missing(s)
}

// Missing returns the witnesses that the limits allow and that no run has shown, however short the campaign was.
func (t *Target) Missing(s *Summary) []string {
	return slices.DeleteFunc(check.Witnesses(), func(w string) bool {
		switch {
		case s.Witnesses[w] > 0:
			return true
		case w == check.PauseAcrossExpiry:
			return t.Limits.MaxPause == 0
		case w == check.TakeoverWhileRenewing, w == check.ReleaseRacedATakeover:
			return t.Limits.MaxRoundTrip > 0 // it takes messages that are under way for long
		case w == check.ExpiredByDrift:
			return t.Limits.MaxDriftPPM == 0
		case w == check.ConflictOnFastPath:
			return t.Profile.ReadsFirst()
		case w == check.LocalFailure:
			return t.Kind().Expires()
		}
		return false
	})
}
