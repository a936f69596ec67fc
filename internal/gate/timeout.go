package gate

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
)

// timeouts returns the request timeouts that a target with that RenewDeadline can have: one or two; 0 stands for none. If
// nothing is said of its timeout in t.Timeout, or if its client's timeout cannot be simulated, that is t.RequestTimeout alone.
func (t *Target) timeouts(renewDeadline time.Duration) []time.Duration {
	if t.Timeout.Kind == programs.Unknown || !t.Profile.TimesOut() {
		return []time.Duration{t.RequestTimeout}
	}
	return t.Timeout.For(renewDeadline)
}

// TimeoutFlag returns a request timeout as --request-timeout takes it: none, half, either, a duration, or "" where nothing was said of
// it.
func TimeoutFlag(t programs.Timeout) string {
	if t.Kind == programs.Fixed {
		return FormatDuration(t.Of)
	}
	return string(t.Kind)
}

// IfReleased returns the longest overlap that is possible if the program releases the lock; 0 if there is none, or if no bound
// is known. It also returns 0 if the question does not arise: the target is in no file, the client has no release, the verdict
// counts a release, or a file, a flag or the code of a known program says whether there is one.
func (j *Judgement) IfReleased() (longest time.Duration) {
	if j.File == "" || j.ReleaseFrom != "" && j.ReleaseFrom != assumed || j.ReleaseOnCancel || !j.Profile.Releases() {
		return 0
	}
	c := j.Config
	c.ReleaseOnCancel = true
	for _, c.RequestTimeout = range j.timeoutsOf(&c) {
		if r, err := bound.Sum(&c, &j.Environment); err == nil {
			longest = max(longest, r.Overlap)
		}
	}
	return longest
}

// timeoutsOf returns the request timeouts with which a changed configuration c is judged; 0 is none. If c has another timeout
// than j, this is the only one. Otherwise they are those that the target can have.
func (j *Judgement) timeoutsOf(c *bound.Config) []time.Duration {
	if c.RequestTimeout != j.RequestTimeout {
		return []time.Duration{c.RequestTimeout}
	}
	return j.timeouts(c.RenewDeadline)
}

// longest returns the longest of the times that of returns for j.Config, over all request timeouts that the target can have.
func (j *Judgement) longest(of func(*bound.Config) time.Duration) (longest time.Duration) {
	c := j.Config
	for _, c.RequestTimeout = range j.timeouts(c.RenewDeadline) {
		longest = max(longest, of(&c))
	}
	return longest
}
