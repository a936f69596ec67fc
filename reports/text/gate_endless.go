package text

import (
	"interregnum/internal/bound"
	"interregnum/internal/gate"
)

// longerWords returns, in words, how two leaders can work at once for longer than the sum says: the same two, or some two, one after
// another. It returns "" if they cannot, or if the sum itself says so.
func longerWords(j *gate.Judgement) string {
	switch p := &j.Result.Plan; p.Endless {
	case bound.Ends:
		inTurn := p.Kind == bound.Wiped || p.Kind == bound.Released && p.Release > j.RenewDeadline
		if inTurn && j.Verdict == gate.Unsafe {
			return "That is how long the same two work at once. The new leader can lose the lock in the same way: then others follow, " +
				"and there can be two leaders for longer."
		}
	case bound.Unanswered:
		if p.Kind == bound.HalfCreated {
			return "Its release, once applied and not answered, never ends: no timeout ends the wait."
		}
	case bound.NoDeadline:
		return "Nothing ends it: a candidate that has not acquired the lock has no deadline. It works all the same, since it has " +
			"read its own name in the record."
	case bound.NoErrorStops:
		return "Nothing ends it: an error changes nothing for that client, and it has no RenewDeadline. A leader works until an attempt " +
			"succeeds that reads another's name."
	case bound.Gathering:
		return "That is not the longest: leaders that have lost the lock, and do not know it, gather. Each of them releases it late, " +
			"and lets one of two that work at once take it back. The more candidates there are in the end, the longer it lasts."
	case bound.Conflicting:
		return "That is not the longest: a release that is applied, and answered by a 409, goes on and blanks one lease after " +
			"another. Two that work at once take the lock from each other, for as long as leaders are stopped and replaced."
	case bound.HalfRead:
		return "That is not the longest: a leader that reads the other's first object, but not the second, takes the lock back, " +
			"and so does the other one."
	case bound.LateReleases:
		return "That is not the longest: what an elector that runs again writes in the second of its release changes nothing, so that the release, " +
			"if it is still under way, is not refused. It frees the lock of a leader that works on. The more of them there are, the longer it lasts."
	case bound.TakingTurns:
		if j.Profile.ReleasesBlindly() {
			return "That is not the longest: a leader that has lost the lock, and does not know it, takes what a third one releases, and " +
				"two do so in turn."
		}
		if lease := j.Config.Lease(); lease >= j.RetryPeriod {
			return "That is not the longest: whoever reads the other's record early enough sees that lease run out within its own " +
				"poll, takes the lock back, and two do so in turn."
		}
		return "That is not the longest: whoever looks twice, RetryPeriod apart, takes the lock from the other, and two do so in turn."
	}
	return ""
}
