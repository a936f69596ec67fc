package gate

import (
	"slices"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
	"interregnum/internal/phrase"
)

// Conditions returns, in words to follow "if", what a safe verdict assumes, nobody says, and would make it unsafe if it were otherwise.
// Of an accepted one it returns what would make its overlap longer. It returns nil if there is nothing, and for a verdict that does not
// pass.
func (j *Judgement) Conditions() (all []string) {
	if !j.Passes() {
		return nil
	}
	if j.Longer(j.IfClosed) > 0 {
		all = append(all, "the client closes no connection")
	}
	if j.Longer(j.IfPaused) > 0 || j.endlessIfPaused() {
		all = append(all, "no process stands still for even a nanosecond")
	}
	if j.Longer(j.IfRestarted) > 0 {
		all = append(all, "no process starts again under its own name within a second")
	}
	if j.Longer(j.IfReleased) > 0 {
		all = append(all, "the program does not release the lock")
	}
	if j.ReleasesLater() {
		all = append(all, "OnStartedLeading returns only when all work is over")
	}
	if j.restsOnDefaults() {
		all = append(all, phrase.And(j.timingWords(j.Defaulted, " is "))+", as assumed")
	}
	if older := j.unsafeUpTo(); older > 0 {
		all = append(all, "its client-go is "+ClientGoText(older+1)+" or newer")
	}
	if j.LockOpen {
		all = append(all, "the lock is a Lease")
	}
	return append(all, j.Provided...)
}

// unsafeUpTo returns the second number of the newest version of client-go with which the target would be worse, although nobody says that
// it has a newer one; 0 if there is none, and if somebody says the version. It tries one of those that are alike.
func (j *Judgement) unsafeUpTo() int {
	if !j.VersionAssumed {
		return 0
	}
	c := j.Config
	for _, minor := range []int{36, 33, 32, 31, 30, 29, 26, 25} {
		if c.SetClientGo(minor); j.worse(&c) {
			return minor
		}
	}
	return 0
}

// worse tells whether configuration c would not be safe, or if the verdict is an accepted one, whether its overlap would be longer.
func (j *Judgement) worse(c *bound.Config) bool {
	if j.Verdict == Safe {
		return !j.safe(c, &j.Environment)
	}
	for _, d := range j.timeoutsOf(c) {
		v := *c
		v.RequestTimeout = d
		if j.longer(closing.Longest(&v, &j.Environment, j.closingsOf(&v, &j.Environment))) {
			return true
		}
	}
	return false
}

// restsOnDefaults tells whether a file leaves timings open, nothing is known of the program, and other values of these timings
// would make the verdict worse. If the file leaves LeaseDuration or RenewDeadline open, it is true without a trial, since a
// LeaseDuration hardly longer than RenewDeadline is always unsafe. If only RetryPeriod is open, it tries five values, without
// those that are refused. It is false for flags, whose defaults the command's help states.
func (j *Judgement) restsOnDefaults() bool {
	if !j.DefaultsAssumed {
		return false
	}
	if !slices.Equal(j.Defaulted, []string{"retryPeriod"}) {
		return true
	}
	c := j.Config
	for _, part := range []time.Duration{10, 20, 40, 60, 80} { // in percent of RenewDeadline, which must be over 1.2 RetryPeriods
		c.RetryPeriod = j.RenewDeadline * part / 100
		if bound.Refused(&c) != nil {
			continue
		}
		for _, c.RequestTimeout = range j.timeouts(c.RenewDeadline) {
			if r, err := bound.Sum(&c, &j.Environment); err != nil || j.longer(r.Overlap) {
				return true
			}
		}
	}
	return false
}
