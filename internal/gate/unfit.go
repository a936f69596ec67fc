package gate

import (
	"slices"
	"strings"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
)

// unfit returns a files.Problem if the configuration would be refused only because of timings that are assumed: with other values
// in their place it would not be. The problem names the given timings and the assumed ones that do not fit them. unfit returns nil
// if no timing is assumed, and if no other values help. refused is why the configuration would be refused.
func (t *Target) unfit(refused error) error {
	if !t.DefaultsAssumed {
		return nil
	}
	given := slices.DeleteFunc([]string{"leaseDuration", "renewDeadline", "retryPeriod"}, func(name string) bool { return slices.Contains(t.Defaulted, name) })
	for _, free := range append(singly(t.Defaulted), t.Defaulted) {
		if !t.fitsWithout(free) {
			continue
		}
		reason, _, _ := strings.Cut(refused.Error(), " (") // the numbers are told already
		problem := t.problem("%s %s not fit the assumed %s (%s), so it is not judged; give %s too: the file that this one changes or is used with, "+
			"or the program's other flags", phrase.And(t.timingWords(given, " ")), either(len(given) == 1, "does", "do"),
			phrase.And(t.timingWords(free, " ")), reason, phrase.And(free)).(files.Problem)
		problem.Unreadable, problem.Unfit = true, true
		return problem
	}
	return nil
}

// singly returns a slice for each name, with only that name in it.
func singly(names []string) (all [][]string) {
	for _, name := range names {
		all = append(all, []string{name})
	}
	return all
}

// timing returns the timing of that name.
func (t *Target) timing(name string) time.Duration {
	switch name {
	case "leaseDuration":
		return t.LeaseDuration
	case "renewDeadline":
		return t.RenewDeadline
	}
	return t.RetryPeriod
}

// timingWords returns each of the named timings in words: its name, what is given as between, and its value.
func (t *Target) timingWords(names []string, between string) (all []string) {
	for _, name := range names {
		all = append(all, name+between+FormatDuration(t.timing(name)))
	}
	return all
}

// fitsWithout tells whether the configuration would not be refused with other values in place of the named timings. It tries one
// value for each: a lease of a year, a retry period of a millisecond, and the renew deadline in the middle of the other two.
func (t *Target) fitsWithout(names []string) bool {
	other := t.Config
	if slices.Contains(names, "leaseDuration") {
		other.LeaseDuration = bound.MaxDuration
	}
	if slices.Contains(names, "retryPeriod") {
		other.RetryPeriod = time.Millisecond
	}
	if slices.Contains(names, "renewDeadline") {
		other.RenewDeadline = (other.LeaseDuration + other.RetryPeriod*6/5) / 2
	}
	return bound.Refused(&other) == nil
}
