package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// MaxElections is in how many elections a process of a search can take part. maxLength is how long a lease or a drain may be, so that runs have room
// for several.
const (
	MaxElections = 8
	maxLength    = 1000 * time.Hour
)

// Check returns an error if the target's lock, the clock and precision of a row, the number of elections, the limits, the timings
// or the clients are out of range or make no sense together; otherwise nil.
func (t *Target) Check() error {
	l := &t.Locking
	switch p := l.Precision; {
	case !slices.Contains(plan.Locks(), l.Kind()):
		return fmt.Errorf("lock %q: want %s", l.Lock, strings.Join(plan.LockNames(), ", "))
	case !l.Lock.ByWallClock() && (l.Now != "" || p != 0):
		return fmt.Errorf("now and precision are of lock %s; that is %s", plan.OneLockThat(plan.Lock.ByWallClock), l.Kind())
	case l.Now != "" && l.Now != plan.CallerNow && l.Now != plan.DatabaseNow:
		return fmt.Errorf("now %q: want %s or %s", l.Now, plan.CallerNow, plan.DatabaseNow)
	case p != 0 && p != time.Microsecond && p != time.Millisecond && p != time.Second:
		return fmt.Errorf("precision %v: want 1us, 1ms or 1s", p)
	case l.Elections < 0 || l.Elections == 1 || l.Elections > MaxElections:
		return fmt.Errorf("elections %d: want 2 to %d, or none of that for one", l.Elections, MaxElections)
	case t.Timings.LeaseDuration > maxLength || t.Timings.RetryPeriod > maxLength || t.Limits.MaxDrain > maxLength:
		return fmt.Errorf("want a lease-duration, a retry-period and a drain of at most %v", maxLength)
	case t.Limits.MaxClockOffset < 0:
		return fmt.Errorf("max-clock-offset %v must not be negative", t.Limits.MaxClockOffset)
	case t.Limits.MaxClockOffset > 0 && !l.ByWallClock(&t.Profile):
		return fmt.Errorf("max-clock-offset is of %s: nothing else goes by wall clocks, which are a minute apart then, and jump; "+
			"that is %s and %s", ByWallClock(), l.Kind(), t.Profile.Name)
	case t.Limits.Clients && t.candidate().RefusesClient() != "":
		return errors.New("clients: " + t.candidate().RefusesClient())
	case t.Timings == (machine.Timings{}):
		return nil
	}
	return bound.Refused(t.Config(t.Timings, t.Profile))
}

// drawsValid tells whether all plans that are drawn for the target, which Check must accept, are valid. With a RetryPeriod below a
// millisecond, or a timing or limit above a day, they may be out of range.
func (t *Target) drawsValid() bool {
	const day = 24 * time.Hour
	own, l := &t.Timings, &t.Limits
	return (*own == (machine.Timings{}) || own.RetryPeriod >= time.Millisecond) &&
		max(own.LeaseDuration, own.RenewDeadline, own.RetryPeriod, l.MaxRoundTrip, l.MaxPause, l.MaxDrain, l.MaxClockOffset) <= day
}

// ByWallClock returns the names of the locks and profiles with which a wall clock decides when a lock has run out, as part of
// a message: "lock … and of profile …".
func ByWallClock() string {
	return "lock " + plan.OneLockThat(plan.Lock.ByWallClock) + " and of profile " + phrase.Or(profilesThat((*machine.Profile).ByWallClock))
}

// profilesThat returns the names of the profiles for which the function is returns true.
func profilesThat(is func(*machine.Profile) bool) (names []string) {
	for _, p := range machine.Profiles() {
		if is(&p) {
			names = append(names, p.Name)
		}
	}
	return names
}

// candidate returns a candidate of the target's profile and lock.
func (t *Target) candidate() *plan.Candidate {
	return &plan.Candidate{Profile: t.Profile, Lock: t.Kind()}
}

// Config returns the configuration, in the form of package bound, of a candidate with these timings, that profile, and the
// target's lock, clock and precision.
func (t *Target) Config(timings machine.Timings, p machine.Profile) *bound.Config {
	return &bound.Config{Timings: timings, Profile: p, Lock: t.Kind(), Now: t.Now, Precision: t.Precision}
}
