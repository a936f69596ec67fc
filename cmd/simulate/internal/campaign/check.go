package campaign

import (
	"errors"
	"fmt"
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/internal/search"
	"interregnum/plan"
)

// Check returns an error if a search cannot have the timings, the property, the lock or the limits of t.
func Check(t *search.Target) error {
	if err := checkTimings(t); err != nil {
		return err
	}
	if check.Asked(t.Property) {
		return fmt.Errorf("--property %s: a search is not judged by it; want one that every run is judged by, or ask for it in a scenario's expect",
			t.Property)
	}
	if t.Property != "" && !slices.Contains(check.Names(), t.Property) {
		return fmt.Errorf("--property %q: want one of %s", t.Property, phrase.List(check.Names(), t.Property))
	}
	if !t.Kind().TakenBy(&t.Profile) {
		return fmt.Errorf("--lock %s: want %s, the only one that is simulated with profile %s", t.Kind(), plan.Lease, t.Profile.Name)
	}
	l := &t.Limits
	switch {
	case l.MaxRoundTrip < 0 || l.MaxPause < 0 || l.MaxDrain < 0:
		return fmt.Errorf("--max-round-trip, --max-pause and --drain must not be negative")
	case l.MaxDriftPPM < 0 || l.MaxDriftPPM > bound.MaxDriftPPM:
		return fmt.Errorf("--max-drift-ppm %d: want 0 to %d", l.MaxDriftPPM, bound.MaxDriftPPM)
	case l.AnswersFirst && l.MaxPause == 0:
		return errors.New("--answers-first: want --max-pause with it, since it is about freezes")
	}
	return nil
}

// checkTimings returns an error if some of the three timings are above zero and others not, or if Target.Check refuses the
// target. All three can be missing (zero): each run then has its own.
func checkTimings(t *search.Target) error {
	if t.Timings != (machine.Timings{}) && min(t.Timings.LeaseDuration, t.Timings.RenewDeadline, t.Timings.RetryPeriod) <= 0 {
		return errors.New("want --lease-duration, --renew-deadline and --retry-period, each above zero, or none of them")
	}
	return t.Check()
}
