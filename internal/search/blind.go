package search

import (
	"slices"

	"interregnum/internal/check"
	"interregnum/plan"
)

// enoughRuns is how many runs of a Lease show all that a campaign can show, but for bad luck.
const enoughRuns = 10_000

// enough returns how many runs a campaign needs before it can be expected to show every witness. Locks other than a
// Lease need ten times as many.
func (t *Target) enough() uint64 {
	if t.Kind() != plan.Lease {
		return 10 * enoughRuns
	}
	return enoughRuns
}

// Shows tells whether reports show a witness: one of clients only where candidates have clients, any other always.
func (t *Target) Shows(witness string) bool { return t.Limits.Clients || !check.OfClients(witness) }

// Blind returns the names of the witnesses (situations) that the limits, the lock and the profile allow and that no run
// of a campaign has shown: these were not tried. It returns none for a campaign that is too short to tell.
func (t *Target) Blind(s *Summary) []string {
	if s.Runs < t.enough() {
		return nil
	}
	return t.Missing(s)
}

// Missing returns the names of the witnesses (situations) that the limits, the lock and the profile allow and that no
// run has shown, however short the campaign was.
func (t *Target) Missing(s *Summary) []string {
	return slices.DeleteFunc(check.Witnesses(), func(w string) bool {
		switch {
		case s.Witnesses[w] > 0:
			return true
		case !t.Shows(w):
			return true
		case w == check.SlowService:
			return t.Limits.MaxRoundTrip > 0 // there are no brownouts then
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
