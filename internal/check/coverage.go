package check

import (
	"iter"
	"slices"

	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// Coverage is which witnesses a run has shown, in any of its elections. It is a trace.Selective. It is apart from Suite,
// since a single run need not show any.
type Coverage struct {
	trace.ByElection[*electionCoverage]
	seen witnesses
}

// NewCoverage returns the coverage of a run that is about to begin.
func NewCoverage(h *trace.Header) *Coverage {
	c := &Coverage{}
	c.Reset(h)
	return c
}

// Reset makes c what NewCoverage returns for h. It uses the memory of the run that c covered before.
func (c *Coverage) Reset(h *trace.Header) {
	c.seen = 0
	c.ByElection.Reset(h, func(own *electionCoverage, h *trace.Header, r *trace.Roster) *electionCoverage {
		return own.renew(&c.seen, h, r)
	})
}

// Seen returns the names of the witnesses that the run has shown so far, in the order of Witnesses.
func (c *Coverage) Seen() []string { return slices.Collect(c.All()) }

// All iterates over the names that Seen returns.
func (c *Coverage) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, name := range witnessNames {
			if c.seen.has(i) && !yield(name) {
				return
			}
		}
	}
}

// electionCoverage notes which witnesses one election shows.
type electionCoverage struct {
	roster     *trace.Roster
	seen       *witnesses
	candidates []coverageState
}

// renew returns the coverage of an election that is about to begin. It uses the memory of c, unless c is nil. The witnesses
// that the election shows are added to seen, as they are shown.
func (c *electionCoverage) renew(seen *witnesses, h *trace.Header, r *trace.Roster) *electionCoverage {
	if c == nil {
		c = &electionCoverage{}
	}
	c.roster, c.seen, c.candidates = r, seen, reuse.Sized(c.candidates, len(h.Candidates))
	for i := range c.candidates {
		c.candidates[i].reset(&h.Candidates[i])
	}
	return c
}

// witnessKinds are those of events that any witness looks at.
var witnessKinds = trace.KindsOf(trace.RequestSent, trace.RequestLost, trace.RequestRefused, trace.RequestApplied, trace.Written,
	trace.ResponseLost, trace.ResponseHandled, trace.ResponseLate, trace.GaveUp, trace.LocalError, trace.RequestQueued,
	trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded, trace.RunStarted, trace.RunReturned, trace.Crashed,
	trace.Paused, trace.Resumed, trace.ClockChanged)

// Wants returns the kinds of event that any witness looks at. It implements trace.Selective.
func (c *electionCoverage) Wants() trace.KindSet { return witnessKinds }

// Observe updates the state of the event's candidate, and adds the witnesses that the event shows to c.seen. It ignores events
// about no candidate.
func (c *electionCoverage) Observe(e *trace.Event) {
	if e.Candidate < 0 {
		return
	}
	s := &c.candidates[e.Candidate]
	switch e.Kind {
	case trace.RunStarted, trace.RunReturned:
		s.requests.forsake()
	case trace.Crashed:
		// The end of its work that follows is not a deadline's.
		s.pausedAt, s.deadlineFrom = -1, -1
		s.requests.forsake()
	case trace.WorkCancelled:
		c.seen.see(ExpiredByDrift, s.cancelledEarly(e.At))
	case trace.Paused:
		s.paused(e.At, c.roster.Leads(e.Candidate))
	case trace.Resumed:
		c.seen.see(PauseAcrossExpiry, s.resumed(e.At))
	case trace.ClockChanged:
		s.clock.Change(e)
	case trace.LocalError:
		c.seen.see(LocalFailure, e.Cause != trace.Throttled)
		c.seen.see(LimiterRefused, e.Cause == trace.Throttled)
	case trace.RequestQueued:
		c.seen.see(SlowService, true)
	case trace.RequestSent:
		s.requests.send(e, c.roster.Leads(e.Candidate))
	case trace.WorkStarted, trace.WorkEnded:
	default:
		c.message(s, e)
	}
}

// Exchange updates the state of the candidate of x by all three events of x at once. If x is a write that names a holder, it adds
// the witnesses that the write shows to c.seen. A request that succeeds at once need not be followed, so it is not added to those
// of its candidate.
func (c *electionCoverage) Exchange(x *trace.Exchange) {
	s := &c.candidates[x.Candidate]
	s.requests.last = x.Verb
	if x.Changed && x.Holder != "" {
		c.wrote(s, x.Sent, x.AtService())
	}
}

// message updates the request that the event e is about, which candidate s has sent. It adds the witnesses that e shows to
// c.seen. It does nothing if the request is not followed, and follows it no longer once it is settled.
func (c *electionCoverage) message(s *coverageState, e *trace.Event) {
	i := s.requests.find(e.Request)
	if i < 0 {
		return
	}
	r := &s.requests.all[i]
	if e.Kind == trace.Written && e.Holder != "" {
		c.wrote(s, r.sentAt, e)
	}
	r.follow(e, c.seen)
	if r.settled() {
		s.requests.drop(i)
	}
}

// wrote adds to c.seen the witnesses that the write e shows, and stores that it begins a new lease of s. e names s as the holder,
// and was sent at sentAt, in nanoseconds of true time.
func (c *electionCoverage) wrote(s *coverageState, sentAt int64, e *trace.Event) {
	c.takeover(s, sentAt, e)
	s.leaseFrom, s.deadlineFrom = e.At, sentAt
}

// takeover adds to c.seen the witnesses that the write e shows, if it takes the lease from another candidate; otherwise it adds
// none. s is the sender of e, and sentAt is when e was sent, in nanoseconds of true time.
func (c *electionCoverage) takeover(s *coverageState, sentAt int64, e *trace.Event) {
	before := &c.roster.Records[e.Object]
	if before.Claimant == trace.Nobody || before.Claimant == e.Candidate {
		return
	}
	for _, old := range c.candidates[before.Claimant].requests.all {
		c.seen.see(TakeoverWhileRenewing, old.renewal)
		c.seen.see(ReleaseRacedATakeover, old.release && !old.arrived)
	}
	c.seen.see(ExpiredByDrift, s.tookEarly(before, sentAt, e))
}
