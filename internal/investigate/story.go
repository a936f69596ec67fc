// Package investigate concludes from what a cluster has logged who led when, and whether two could have worked at once.
//
// It says no more than follows. docs/method/investigate.md has each inequality and what it assumes.
//
// The result is a story: the writes of a lock, divided into terms, with what is known of each. A saying is a line of a process's log
// about an election. A pod is a place where processes run one after the other, by one clock. A course is what a pod says of one of
// its terms. To stamp is to write the time of one's own clock, into a record or before a line; a unit is the precision of a stamp.
// A bound rests on places in the logs.
package investigate

import (
	"time"

	"interregnum/internal/evidence"
)

// Options has what is known besides the logs.
type Options struct {
	// LeaseDuration, RenewDeadline and RetryPeriod are the timings of all candidates, as a manifest has them; 0 if they are not known.
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration
}

// Story is what follows from the logs for one lock. All its times are by the API server's clock.
type Story struct {
	Lock    evidence.Lock
	Offsets []Offset
	// Writes are those that the server has accepted and whose record is logged, in the order of their versions as far as that is known.
	Writes []Write
	// Terms are in the order of their first writes.
	Terms   []Term
	Timings []Timing
	// Pairs has each term, except the last, with the next one; and terms further apart whose holders certainly worked at once.
	Pairs  []Pair
	Losses []Loss
	// Processes are those that asked for the lock's object, or whose logs name it.
	Processes []Process
	// TwoLed: the metrics of two processes said at once that they lead; Notes say which.
	TwoLed bool
	// Sightings are what objects, events, metrics and logs show, by when; Unseen is how many terms the record's own count of
	// transitions shows between those of the sightings, at least, that no object shows.
	Sightings []Sighting
	Unseen    int
	// Shared: a holder's name may be that of several processes, which may have worked at once. Notes say why; no pair is about them.
	Shared bool
	// Several: Writes are of several audit logs, each of which may have a clock of its own.
	Several bool
	// Mixed: Writes are of several objects of that name in turns, as of several clusters. What Terms follow each other shows nothing
	// then: there are no Pairs and no Losses.
	Mixed bool
	// Reasons are why processes gave up, or did not lead, in the words of their own logs, where no write is logged.
	Reasons []Reason
	// When has, for the first place of each step of the chains of Pairs and Losses, when it was written or, of a request, received, as
	// far as that is known.
	When map[evidence.Place]Instant
	// Notes say what is missing, and what therefore cannot be said.
	Notes []string
}

// Instant is a time between two bounds. Of both bounds, a zero time says that nothing bounds it on this side.
type Instant struct{ Low, High time.Time }

// Offset bounds what must be added to a process's clock to get the server's.
type Offset struct {
	// Identity is the process's name in records; Source is its log in the evidence, -1 if there is none.
	Identity string
	Source   int
	// Low and High bound the offset; a nil bound is not known.
	Low, High *time.Duration
	// Rests is what each bound rests on.
	Rests []Link
}

// Write is a write of the record that the server has accepted.
type Write struct {
	evidence.Place
	// Received and Answered are as in the audit log. The write was applied between them.
	Received, Answered time.Time
	Record             evidence.Record
	// By is the user agent, "" if it is not logged.
	By string
	// Follows: this write replaced the version that the write before it in Story.Writes has made.
	// Otherwise it is the first one, or writes may be missing between them.
	Follows bool
}

// Term is a holder's writes, without another's between them.
type Term struct {
	Holder string
	// First and Last are indexes into Story.Writes.
	First, Last int
	// Foreign: it is, or may be, no client of Go that wrote. Then nothing is concluded from how client-go behaves.
	Foreign bool
	// Released is when the release was received; zero if none is seen.
	Released       time.Time
	Belief, Worked Span
}

// Span bounds a time in which something was so: certainly within [Start.High, End.Low], possibly within [Start.Low, End.High].
// If the first of these is empty, or one of its bounds is zero, there is no instant of which it is certain.
type Span struct {
	Start, End Instant
	// Why has what the bounds rest on; began and ended are what Start.Low and End.High do, and sure is what the other two do.
	Why          []Link
	began, ended Link
	sure         []Link
}

// Link is a step of an argument: what follows from some places in the logs, or from the steps before.
type Link struct {
	// Places is where it stands in the logs. It is empty if the step follows from others.
	Places []evidence.Place
	Text   string
}

// Verdict says whether something was so.
type Verdict string

// The verdicts.
const (
	Certain    Verdict = "certain"
	Possible   Verdict = "possible"
	Impossible Verdict = "impossible"
)

// Pair is two terms, and whether their holders led at once.
type Pair struct {
	// Old and New are indexes into Story.Terms.
	Old, New int
	// Believed: both believed to lead. Worked: the work of both ran. Each is judged by itself.
	Believed, Worked Judgement
}

// Judgement is a verdict, and what it rests on.
type Judgement struct {
	Verdict Verdict
	// From and Until: it certainly was so of both all the time from From until Until. Both are zero if no such time is known.
	From, Until time.Time
	// Earliest and Latest: it was so of both neither before Earliest nor after Latest, if the verdict is not impossible; zero if
	// nothing bounds it on this side.
	Earliest, Latest time.Time
	// AtMost is for how long at most, if the verdict is not impossible; nil if that is not known.
	AtMost *time.Duration
	Chain  []Link
}

// Timing is a timing of an election, as inferred or as known.
type Timing struct {
	// Name is LeaseDuration, RenewDeadline or RetryPeriod.
	Name string `json:"name"`
	// Low and High bound the value; nil if it is not known on that side. Low is part of the range, High too.
	Low  *time.Duration `json:"atLeastNs,omitempty"`
	High *time.Duration `json:"atMostNs,omitempty"`
	// Likely is the value within the bounds that people write, 0 if none is near enough to what the logs show.
	Likely time.Duration `json:"likelyNs,omitempty"`
	// Inferred is false if it was given.
	Inferred bool   `json:"inferred"`
	Rests    []Link `json:"-"`
}

// Cause is the reason for which a term ended.
type Cause string

// The causes.
const (
	Unknown     Cause = "not known"
	Throttled   Cause = "the API server refused requests (429)"
	Conflicts   Cause = "conflicts"
	Forbidden   Cause = "permission was missing"
	Rejected    Cause = "its credentials were refused (401)"
	Failing     Cause = "the API server failed (500 and above)"
	Slow        Cause = "the API server was slow"
	Unreachable Cause = "its requests, or the answers, did not arrive"
	Limited     Cause = "its own rate limiter held requests back"
	Seized      Cause = "another holder wrote before the lease had run out"
	Edited      Cause = "somebody else wrote the record"
	Undone      Cause = "another process released the lock"
	Released    Cause = "it released the lock"
	Gone        Cause = "the object was deleted"
	StoodStill  Cause = "the process stood still"
	Ended       Cause = "its process ended without a word"
	Silent      Cause = "nothing came from it"
	ShutDown    Cause = "it was shut down"
)

// Loss is the end of a term, and why it came.
type Loss struct {
	// Term is an index into Story.Terms.
	Term  int
	Cause Cause
	Chain []Link
	// Remedy is what would have carried the term over, nil if that is not known. Chain has it in words, too.
	Remedy *Remedy
}

// Remedy has timings by which a holder's next write would have come before anybody took its lock. They are enough, not the least.
type Remedy struct {
	RequestTimeout, RenewDeadline, LeaseDuration time.Duration
}
