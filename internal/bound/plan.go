package bound

import "time"

// Kind is the way in which a worst case comes about.
type Kind uint8

// The kinds.
const (
	// Expired: a follower finds the lease run out while its holder still works.
	Expired Kind = iota
	// Released: the holder's release is applied, and its answer is lost; the context of the holder's work ends only later.
	Released
	// Wiped: a leader that has lost the lock, and has not seen it, releases it, and so blanks its successor's lease.
	Wiped
	// NoLease: the record says that its lease lasts 0 seconds, and whoever looks twice takes it.
	NoLease
	// Unstopped: no answer comes any more, and nothing else ends the leader's work. Plan.Unacquired says which leader it is.
	Unstopped
	// HalfCreated: on a lock of two objects one holder has made the second object, and another has taken over the first.
	HalfCreated
	// ToldLate: the holder's release is applied, and the program is told only later, by another thread.
	ToldLate
)

// Forever stands for a time that nothing ends.
const Forever = time.Hour

// Plan is a worst case as instructions: a run that follows it reaches the computed overlap, up to an arbitrarily small
// rest.
type Plan struct {
	Kind Kind
	// Chain has, for Expired and Wiped, the writes up to the last success of the leader that works for too long.
	// Acquiring: that success is the acquiring of the lock, and no renewal follows.
	Chain     Chain
	Acquiring bool
	// CompareAndSwap: the takeover waits for the leader's last write, since its compare-and-swap would fail before that.
	CompareAndSwap bool
	// Release is how long the call of release takes, in true time, while the work goes on; 0 where there is none.
	Release time.Duration
	// Conflicts, of Wiped, is how often the release of the leader that works for too long conflicts with a renewal of the next leader,
	// and reads again.
	Conflicts int
	// Unacquired, of Unstopped: the leader works because it has read its own name, in a write whose answer was lost, and has not
	// acquired the lock. If it is false, the leader has acquired the lock, and waits for the answer to a renewal.
	Unacquired bool
	// HiddenConflict: the release's first write was applied and answered by a 409, so that it is tried again, and blanks
	// the successor's lease.
	HiddenConflict bool
	// Endless is the reason for which Result.Unbounded is set, Ends where it is not. Unless the reason is InOnePlan, this plan is
	// the first of many, each with a longer overlap than the one before.
	Endless Endless
	// The fields below are set only for a lock that expires by itself, in true time. Answer is how long the answer to the last
	// success takes. Refreshed: that success is a refresh, and otherwise the first entry. Wait is how long it takes from the
	// success until another candidate can take over.
	Answer    time.Duration
	Refreshed bool
	Wait      time.Duration
}

// Endless is the reason for which there is no longest overlap. For most reasons each plan can be followed by another with a
// longer overlap; for those that are InOnePlan, one plan alone has an overlap that nothing ends.
type Endless uint8

// The reasons.
const (
	// Ends: there is a longest overlap, or it is not known that there is none.
	Ends Endless = iota
	// Unanswered: no timeout ends the wait for an answer, of a release that was applied or of a renewal.
	Unanswered
	// NoDeadline: a candidate that works, and has not acquired the lock, tries to acquire it for ever.
	NoDeadline
	// NoErrorStops: a leader that gets nothing but errors works on.
	NoErrorStops
	// Gathering: more and more leaders work that have lost the lock and have not seen it. Each of them releases the lock
	// once, and lets one of two leaders that overlap take it back.
	Gathering
	// Conflicting: a release whose write was applied and answered by a 409 is tried again, and blanks one lease after
	// another.
	Conflicting
	// HalfRead: on a lock of two objects, a leader reads the first object of its successor's record, and not the second.
	// So it goes on to believe that it leads, has the version of its successor's record, and takes the lock back.
	HalfRead
	// TakingTurns: a lease is over before anybody looks twice, and two leaders take the lock from each other.
	TakingTurns
	// LateReleases: the release of one Run blanks the record of the next one of its name, which has only just been answered.
	LateReleases
)

// String returns the reason as one word, such as "gathering"; "" for Ends.
func (e Endless) String() string {
	return [...]string{"", "unanswered", "noDeadline", "noErrorStops", "gathering", "conflicting", "halfRead", "takingTurns", "lateReleases"}[e]
}

// InOnePlan tells whether one plan alone has an overlap that nothing ends. For the other reasons there is no such plan: each
// overlap ends, and longer plans have longer ones.
func (e Endless) InOnePlan() bool { return e == Unanswered || e == NoDeadline || e == NoErrorStops }
