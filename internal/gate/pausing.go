package gate

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
)

// This file is of verdicts that hold only if no process ever stands still, not even for a nanosecond, as each does that needs time to
// compute: with a RetryPeriod of one second, for example, two attempts are then stamped in the same second.

// IfPaused returns the longest overlap that one pause of a nanosecond would make possible, over all request timeouts that the target can
// have, where the environment has no pauses; 0 if that is 2 ns or less. It counts closings where the verdict does. It is 0 if no bound is
// known.
func (j *Judgement) IfPaused() time.Duration {
	return j.longest(func(c *bound.Config) time.Duration { return j.shortestPause(c, &j.Environment) })
}

// endlessIfPaused tells whether an overlap would have no end with such a pause. It tells so only of an overlap that is accepted.
func (j *Judgement) endlessIfPaused() bool {
	return j.Passes() && j.Verdict == Unsafe && j.longest(func(c *bound.Config) (endless time.Duration) {
		for _, r := range j.paused(c, &j.Environment) {
			if r.Unbounded {
				endless = bound.Forever
			}
		}
		return endless
	}) > 0
}

// shortestPause returns the longest overlap that one pause of a nanosecond makes possible for configuration c of the target, in an
// environment without pauses. It counts the closings of connections that count. It returns 0 if that overlap is 2 ns or less. It
// also returns 0 if the environment has pauses, and if c is refused or has no bound.
func (t *Target) shortestPause(c *bound.Config, e *bound.Environment) (longest time.Duration) {
	for _, r := range t.paused(c, e) {
		if r.Overlap > 2 {
			longest = max(longest, r.Overlap)
		}
	}
	return longest
}

// safePaused tells whether shortestPause finds no overlap.
func (t *Target) safePaused(c *bound.Config, e *bound.Environment) bool {
	return t.shortestPause(c, e) == 0
}

// paused returns the results with one pause of a nanosecond, one for each closing of connections that counts and has a bound; none if the
// environment has pauses, and if c is refused.
func (t *Target) paused(c *bound.Config, e *bound.Environment) (all []*bound.Result) {
	if e.MaxPause > 0 || bound.Refused(c) != nil {
		return nil
	}
	shortest := *e
	shortest.MaxPause = 1
	for _, after := range t.closingsOf(c, e) {
		if r, err := closing.Of(bound.Sum, *c, &shortest, after); err == nil {
			all = append(all, r)
		}
	}
	return all
}
