package gate

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
)

// timeouts returns the request timeouts that a target may have, for a RenewDeadline; 0 is none.
func (t *Target) timeouts(renewDeadline time.Duration) []time.Duration {
	if t.Timeout.Kind == files.Unknown || !t.Profile.TimesOut() {
		return []time.Duration{t.RequestTimeout}
	}
	return t.Timeout.For(renewDeadline)
}

// IfReleased returns the longest overlap that is possible if the program releases the lock, 0 for none. It is 0 too where the verdict counts a
// release, or somebody says whether there is one: the file, a flag, or the code of a program that is known.
func (j *Judgement) IfReleased() (longest time.Duration) {
	if j.File == "" || j.Program != nil || j.ReleaseFrom != "" || j.ReleaseOnCancel || !j.Profile.Releases() {
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

// timeoutsOf returns the request timeouts with which a changed configuration c is judged; 0 is none. They are its own
// where the change is of the timeout, or else those that the target may have.
func (j *Judgement) timeoutsOf(c *bound.Config) []time.Duration {
	if c.RequestTimeout != j.RequestTimeout {
		return []time.Duration{c.RequestTimeout}
	}
	return j.timeouts(c.RenewDeadline)
}

// bound computes the result with each request timeout that the target may have, and with what closings of the connection make of it
// where the client is known. It stores the worst in j.Result, and its configuration in j.Config and j.Closing. What bounds the overlap
// bounds that of all of them.
func (j *Judgement) bound() error {
	worst := j.Config
	var all []*bound.Result
	for _, d := range j.timeouts(j.RenewDeadline) {
		c := j.Config
		c.RequestTimeout = d
		for _, closing := range j.closingsOf(&c, &j.Environment) {
			r, err := boundClosed(bound.Of, c, &j.Environment, closing)
			if err != nil {
				return err
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
	return nil
}

// atMost changes worst, in AtLeast and Slack, so that its upper bound holds for all results. If no upper bound of one of them
// is known, it has none.
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
