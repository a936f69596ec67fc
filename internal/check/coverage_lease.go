package check

import (
	"time"

	"interregnum/internal/trace"
)

// coverageState is what the witnesses need to know of a candidate.
type coverageState struct {
	about    *trace.Candidate
	requests coverageRequests
	// leaseFrom and deadlineFrom are when its last own write took effect and when that had been sent; -1 for none.
	leaseFrom, deadlineFrom int64
	// pausedAt is since when a leader is frozen, -1 where it is not.
	pausedAt int64
	clock    trace.Clock
}

// reset begins the state of candidate c for a new run. Of an earlier run only memory is kept.
func (s *coverageState) reset(c *trace.Candidate) {
	*s = coverageState{
		about: c, leaseFrom: -1, deadlineFrom: -1, pausedAt: -1, clock: trace.NewClock(c.Offset, c.DriftPPM),
		requests: coverageRequests{all: s.requests.all[:0]},
	}
}

// coverageWrite is a write. holder is the candidate that has the lock by it, trace.Nobody for a release. The write was sent and
// took effect at the instants sentAt and at, in nanoseconds of true time, and its lease lasts for lease seconds.
type coverageWrite struct {
	holder            int32
	sentAt, at, lease int64
}

// writer returns the candidate that has written, or trace.Nobody if it names no holder.
func writer(candidate int32, holder string) int32 {
	if holder == "" {
		return trace.Nobody
	}
	return candidate
}

// tookEarly tells whether the candidate, by the write w, took over a lease that had run out by its own clock but not in true time.
// before is the write that began that lease. It is false if the clock's rate has changed since before.
func (s *coverageState) tookEarly(before, w *coverageWrite) bool {
	// The decision was made when the write was sent; that it had run out by then, by a clock that went evenly all the
	// while, is for certain due to that clock's rate.
	from, lasts := before.at, before.lease*int64(time.Second)
	byClock := w.sentAt-from >= s.clock.TrueTime(lasts)
	return byClock && s.clock.Since <= from && w.at-from < lasts
}

// cancelledEarly tells whether a leader whose work is cancelled at the instant at, in nanoseconds of true time, has reached
// its deadline by its own clock but not in true time. It is false if no write of its own is known, and if the clock's rate has
// changed since that write was sent.
func (s *coverageState) cancelledEarly(at int64) bool {
	if s.deadlineFrom < 0 {
		return false
	}
	deadline := s.about.RenewDeadline
	passed := at - s.deadlineFrom
	// A nanosecond less, since a clock that shows the deadline shows it rounded.
	byClock := passed >= s.clock.TrueTime(int64(deadline))-1
	return byClock && s.clock.Since <= s.deadlineFrom && passed < int64(deadline)-1
}

// paused stores in s that the candidate is frozen from the instant at on, in nanoseconds of true time, if it leads and its lease
// has not run out yet. Otherwise it stores that no leader is frozen.
func (s *coverageState) paused(at int64, leads bool) {
	s.pausedAt = -1
	if leads && at < s.leaseEnd() {
		s.pausedAt = at
	}
}

// resumed ends a freeze at the instant at, in nanoseconds of true time. It tells whether the candidate led when the freeze began
// and its lease ran out meanwhile.
func (s *coverageState) resumed(at int64) bool {
	across := s.pausedAt >= 0 && at > s.leaseEnd()
	s.pausedAt = -1
	return across
}

// leaseEnd returns when the lease of the candidate's last write that named a holder runs out by its own clock, in nanoseconds of
// true time; 0 if there was none.
func (s *coverageState) leaseEnd() int64 {
	if s.leaseFrom < 0 {
		return 0
	}
	return s.leaseFrom + s.clock.TrueTime(int64(s.about.LeaseDuration))
}
