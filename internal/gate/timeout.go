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

// bound computes the result with each request timeout that the target can have and, if the client is known to close connections,
// with each closing. It stores the worst result in j.Result, with its configuration in j.Config and its closing in j.Closing. It
// changes j.Result so that its upper bound holds for all results: AtLeast and Slack, and by cover. It returns an error, and
// leaves j.Config as it is, if one of them has no bound; j.Result and j.Closing have no meaning then.
func (j *Judgement) bound() error {
	worst := j.Config
	var all, covers []*bound.Result
	for _, d := range j.timeouts(j.RenewDeadline) {
		c := j.Config
		c.RequestTimeout = d
		for _, closing := range j.closingsOf(&c, &j.Environment) {
			r, err := boundClosed(bound.Of, c, &j.Environment, closing)
			if err != nil {
				return err
			}
			if closing == anyClosings || closing == anyDials {
				covers = append(covers, r)
				continue
			}
			all = append(all, r)
			if j.Result == nil || r.Unbounded && !j.Result.Unbounded ||
				r.Unbounded == j.Result.Unbounded && r.Overlap > j.Result.Overlap {
				j.Result, worst, j.Closing = r, c, closing
			}
		}
	}
	j.Config = worst
	atMost(j.Result, all)
	for _, r := range covers {
		j.cover(r)
	}
	return nil
}

// atMost changes worst.AtLeast and worst.Slack so that the upper bound of worst holds for all results. If the upper bound of one
// of them is not known, worst has none either. It changes nothing if worst is safe or has no known upper bound.
func atMost(worst *bound.Result, all []*bound.Result) {
	most, known := worst.AtMost()
	if !known || worst.Safe() {
		return
	}
	for _, r := range all {
		longest, bounded := r.AtMost()
		if !bounded {
			worst.AtLeast, worst.Slack = true, 0
			return
		}
		most = max(most, longest)
	}
	if most > worst.Overlap {
		worst.AtLeast, worst.Slack = true, most-worst.Overlap
	}
}
