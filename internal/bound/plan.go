package bound

import "time"

// Kind is how a worst case comes about.
type Kind uint8

// The kinds.
const (
	// Expired: a follower takes the lease for expired while its holder still works.
	Expired Kind = iota
	// Released: the holder's release is applied, and its answer lost; the work's context ends only after that.
	Released
	// Wiped: a leader that has lost the lock without seeing it releases it, and so blanks its successor's lease.
	Wiped
	// NoLease: the record says that its lease lasts for no second, and whoever looks twice takes it.
	NoLease
	// HalfCreated: of a lock on two objects one holder has made the second, and another has taken over the first.
	HalfCreated
)

// Forever stands for a time without end.
const Forever = time.Hour

// Plan is a worst case: whoever follows it step by step reaches the overlap, but for as little as he likes.
type Plan struct {
	Kind Kind
	// Chain is the last success of the leader that works for too long, of Expired and Wiped. Acquiring: it is the one that
	// won the lock, and no renewal follows.
	Chain     Chain
	Acquiring bool
	// CompareAndSwap: the takeover has to wait for the last write, since it must win its compare-and-swap.
	CompareAndSwap bool
	// Release is, in true time, how long the call of release takes while the work goes on; 0 where there is none.
	Release time.Duration
	// HiddenConflict: the release blanks its successor's lease since its own first write was applied and answered by a 409.
	HiddenConflict bool
	// Endless is why a result is Unbounded. The plan is then the first of many, each longer than the one before.
	Endless Endless
	// The rest is of a lock that expires by itself, in true time: how long the last success takes to be answered, whether
	// that is a refresh or else the first entry, and how long it is from the success until another can take over.
	Answer    time.Duration
	Refreshed bool
	Wait      time.Duration
}

// Endless is why there is no longest overlap: how plans go on whose overlap is as long as one likes.
type Endless uint8

// The reasons.
const (
	// Ends: there is a longest overlap, or none is known to be missing.
	Ends Endless = iota
	// Unanswered: no timeout ends the wait for the answer to a release that was applied.
	Unanswered
	// Gathering: leaders that have lost the lock without seeing it gather, faster than they go. Each of them releases the lock
	// once, and lets one of two leaders that overlap take it back.
	Gathering
	// Conflicting: a release whose write is applied and answered by a 409 goes on, and blanks one lease after another.
	Conflicting
	// HalfRead: of a lock on two objects a leader reads its successor's first one, and not the second. It goes on to believe
	// that it leads, has the version of its successor's record, and takes the lock back.
	HalfRead
	// TakingTurns: a lease is over before anybody looks twice, and two leaders take it from each other.
	TakingTurns
)

// String is the reason in a word, "" where there is none.
func (e Endless) String() string {
	return [...]string{"", "unanswered", "gathering", "conflicting", "halfRead", "takingTurns"}[e]
}
