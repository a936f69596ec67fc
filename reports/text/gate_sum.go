package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// sum adds to s the computation behind the verdict: how long the leader's work goes on, summand by summand, when the work of
// another leader can begin, and by how much the one exceeds the other or not. If the other leader waits for nothing, sum says so
// instead.
func (s *sheet) sum(j *gate.Judgement) {
	t := table{indent: "    "}
	works, waits, waiting := spans(j)
	for _, term := range j.Result.Terms {
		if !isWait(term.Name) && term.Time != 0 {
			t.add(fmt.Sprintf("%9s", words.Duration(term.Time)), termWords(j, term.Name))
		}
	}
	format := beginning(j)
	if j.Result.Unbounded || j.Result.AtLeast {
		format = strings.Replace(format, "at most ", "", 1)
	}
	s.say(fmt.Sprintf(format, words.Duration(works)))
	s.table(&t)
	work, wait := words.Duration(works), words.Duration(waits)
	switch {
	case waiting == "":
		s.say("Another leader can work all that time.")
	case works > waits:
		s.say(fmt.Sprintf("A follower can take over after %s, %s.", wait, waiting))
		s.say(fmt.Sprintf("%s exceeds %s by %s.", work, wait, words.Duration(works-waits)))
	default:
		s.say(fmt.Sprintf("No follower can take over before %s, %s.", wait, waiting))
		s.say(fmt.Sprintf("%s does not exceed %s; margin %s.", work, wait, words.Duration(waits-works)))
	}
}

// isWait tells whether a term of the sum belongs to the time before which no other leader can begin. All other terms belong to
// how long the leader's work goes on. A term of the sum is one of its summands, not a term of a leader.
func isWait(term string) bool {
	return term == "leaseDuration" || term == "followerRetryPeriod" || term == "notBefore"
}

// spans returns how long the leader's work goes on, and the time before which no other leader can begin. Both count from the
// instant that beginning names. waiting says in words what the other leader waits for; "" if it waits for nothing, and can work
// all that time.
func spans(j *gate.Judgement) (works, waits time.Duration, waiting string) {
	for _, term := range j.Result.Terms {
		switch {
		case !isWait(term.Name):
			works += term.Time
		case term.Name == "notBefore":
			waits -= term.Time
		default:
			waits, waiting = waits-term.Time, termWords(j, term.Name)
		}
	}
	return works, waits, waiting
}

// beginning returns a format for the first sentence of the sum. The sentence says from which instant the leader's work is
// counted; its %s stands for how long the work goes on. If it can go on for longer than computed, "at most" is false there.
func beginning(j *gate.Judgement) string {
	p := &j.Result.Plan
	switch {
	case p.Kind == bound.HalfCreated:
		return "A leader makes the second of two objects, while another takes over the first: both work, whatever the " +
			"lease. It goes on for at most %s:"
	case p.Unacquired:
		return "The answer to the write that takes the lock is lost. The candidate reads its own name in the record, works, and " +
			"gets no answer any more. Another takes the lock when the lease has run out; of what follows the witness shows %s:"
	case p.Kind == bound.Unstopped:
		return "A leader waits for the answer to a renewal, and gets none. Another takes the lock when the lease has run out; of " +
			"what follows the witness shows %s:"
	case p.Kind == bound.NoLease:
		return "Its record says that the lease lasts for 0 seconds, and whoever looks twice takes it. A leader's work goes on " +
			"for at most %s:"
	case j.Profile.CountsFromRenewal():
		return "After its last renewal was sent, a leader's work goes on for at most %s:"
	case p.Kind == bound.Released && p.Endless == bound.Unanswered:
		return "A release that is applied, but never answered, gives the lock away at once, whatever the lease. " +
			"No timeout ends the wait; of it the witness shows %s:"
	case p.Kind == bound.Released:
		return "A release that is applied, but never answered, gives the lock away at once, whatever the lease. " +
			"The work goes on for at most %s:"
	case p.Kind == bound.ToldLate:
		return "An elector that is closed gives the lock away at once, whatever the lease. The program is told later, and its " +
			"work goes on for at most %s:"
	case p.Kind == bound.Wiped:
		return "A leader that lost the lock without seeing it releases it, and so blanks its successor's lease. A third " +
			"candidate starts at once; the successor's work goes on for at most %s:"
	case j.Lock.Expires():
		return "After its last success began to count for others, a leader's work goes on for at most %s:"
	case p.CompareAndSwap:
		return "A follower has to wait for the leader's last write, and no longer. From then on the leader's work goes " +
			"on for at most %s:"
	case j.ReleasesLater():
		return "After the first write that looks like the last one to a follower, a leader works, and its release may yet be " +
			"under way, for at most %s:"
	}
	return "After the first write that looks like the last one to a follower, a leader's work goes on for at most %s:"
}

// eachWords returns a part of a sentence on how long one request waits in the client's limiter at most; "" if that is not known.
func eachWords(j *gate.Judgement) string {
	if j.Client == nil {
		return ""
	}
	return ", each for " + words.Duration(bound.ClientWait(&j.Config, &j.Environment).Truncate(time.Microsecond)) + " at most"
}

// termWords returns a description of the summand with that name; the name itself if there is none.
func termWords(j *gate.Judgement, name string) string {
	c := &j.Result.Plan.Chain
	switch {
	case name == "sameSecond" && c.Join == bound.JoinAcquired:
		return "acquiring, then renewing: their times, in seconds, look the same"
	case name == "sameSecond" && c.Join == bound.JoinRetried:
		return "renewals whose times, in whole seconds, look the same"
	case name == "lastRenewal" && c.FirstLost:
		return "the last renewal: one answer is lost, the others are late"
	case name == "limiter":
		return termTexts[name] + eachWords(j)
	case name == "releaseRead" && j.ReleasesLater():
		return "its release, once the work is over, reads and writes"
	case name == "leaseDuration" && j.Lock.Expires():
		return "LeaseDuration, which is the entry's TTL"
	case name == "leaseDuration" && !j.Profile.WaitsOwnLease() && !j.Profile.RoundsUp():
		return "LeaseDuration in whole seconds"
	}
	return cmp.Or(termTexts[name], name)
}

// termTexts describes the terms of the sum, where nothing else is said of them.
var termTexts = map[string]string{
	"sameSecond":          "two attempts of one poll: their times, in seconds, look the same",
	"lastRenewal":         "the last renewal, applied at once and acknowledged late",
	"roundTrip":           "until the answer to the last write arrives",
	"retryPeriod":         "RetryPeriod, until it tries to renew again",
	"renewDeadline":       "RenewDeadline, until it gives up",
	"release":             "its release waits for an answer that is lost",
	"limiter":             "its requests wait in the client's limiter",
	"retries":             "its requests are repeated, as a Retry-After says",
	"retryAfter":          "it waits a Retry-After out, though its deadline is over",
	"closings":            "its read is sent again on other connections, since the client closes them",
	"releaseConflicts":    "its release conflicts with renewals of the next leader, and reads again",
	"releaseRead":         "its release reads the record first",
	"clockUnit":           "acquiring, then renewing in one unit of a clock, and what a unit hides",
	"setBack":             "its clock is set back, so that its renewals look the same",
	"setForward":          "another's clock is set forward",
	"untilTold":           "RetryPeriod, which the thread sleeps that tells the program",
	"unstopped":           "nothing ends its work",
	"precision":           "what the column of the time does not keep",
	"clockOffset":         "by which another's clock may be ahead of its own",
	"serviceDrift":        "what the service's clock may be fast",
	"drift":               "what clocks add that run slow for it and fast for others",
	"pause":               "its process stands still",
	"pauseSpentBefore":    "of that, spent before",
	"drain":               "the work goes on when its context has ended",
	"followerRetryPeriod": "its RetryPeriod: it does not look sooner",
	"leaseDuration":       "LeaseDuration",
}
