package check

import (
	"time"

	"interregnum/internal/trace"
)

// written notes who holds an object after a write that changed it. Where another candidate held it, it looks for the witnesses of a takeover.
func (c *Coverage) written(s *coverageState, r *coverageRequest, e *trace.Event) {
	l := &c.leases[e.Object]
	if e.Holder == "" {
		l.holder = -1
		return
	}
	// A delete leaves the holder: it may still lead, and be overtaken.
	if l.holder >= 0 && l.holder != e.Candidate {
		c.takeover(l, s, r, e)
	}
	l.holder, l.renewedAt, l.lasts = e.Candidate, e.At, e.Amount*int64(time.Second)
	s.leaseFrom, s.deadlineFrom = e.At, r.sentAt
}

// takeover notes the witnesses that a takeover shows: the write e, sent by s as r, takes the lease l from another candidate.
func (c *Coverage) takeover(l *coverageLease, s *coverageState, r *coverageRequest, e *trace.Event) {
	for _, old := range c.candidates[l.holder].requests {
		c.see(TakeoverWhileRenewing, old.renewal)
		c.see(ReleaseRacedATakeover, old.release && !old.arrived)
	}
	// The decision was made when the write was sent; that it had run out by then, by a clock that went evenly all the
	// while, is for certain due to that clock's rate.
	byClock := r.sentAt-l.renewedAt >= scale(time.Duration(l.lasts), s.rate, true)
	byClock = byClock && !e.Object.Expires() // of those the service's clock decides
	c.see(ExpiredByDrift, byClock && s.steadySince <= l.renewedAt && e.At-l.renewedAt < l.lasts)
}

// cancelled takes in the end of a leader's work context. It is a witness if the deadline came by the leader's own
// clock before it had passed in true time.
func (c *Coverage) cancelled(s *coverageState, e *trace.Event) {
	s.working = false
	if s.deadlineFrom < 0 {
		return
	}
	deadline := c.header.Candidates[e.Candidate].RenewDeadline
	passed := e.At - s.deadlineFrom
	// A nanosecond less, since a clock that shows the deadline shows it rounded.
	byClock := passed >= scale(deadline, s.rate, true)-1
	c.see(ExpiredByDrift, byClock && s.steadySince <= s.deadlineFrom && passed < int64(deadline)-1)
}

// paused notes since when a leader is frozen whose lease has not run out yet.
func (c *Coverage) paused(s *coverageState, e *trace.Event) {
	s.pausedAt = -1
	if s.working && e.At < c.leaseEnd(s, e) {
		s.pausedAt = e.At
	}
}

// resumed takes in the end of a freeze, which is a witness if a leader's lease ran out in it.
func (c *Coverage) resumed(s *coverageState, e *trace.Event) {
	c.see(PauseAcrossExpiry, s.pausedAt >= 0 && e.At > c.leaseEnd(s, e))
	s.pausedAt = -1
}

// leaseEnd returns when, in true time, the lease that a leader wrote last runs out by its own clock; 0 where it has written none.
func (c *Coverage) leaseEnd(s *coverageState, e *trace.Event) int64 {
	if s.leaseFrom < 0 {
		return 0
	}
	return s.leaseFrom + scale(c.header.Candidates[e.Candidate].LeaseDuration, s.rate, true)
}
