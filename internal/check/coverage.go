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
	c.ByElection.Reset(h, c.renew)
}

// Join makes c the coverage of a run that is about to begin, and gets its events from those that observe the run already. It uses
// the memory of the run that c covered before.
func (c *Coverage) Join(run trace.Run) {
	c.seen = 0
	c.ByElection.Join(run, c.renew)
}

// renew returns the coverage of an election that is about to begin, in the memory of own, unless that is nil.
func (c *Coverage) renew(own *electionCoverage, h *trace.Header, r *trace.Roster) *electionCoverage {
	return own.renew(&c.seen, h, r)
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
	// written has the last write of each object.
	written [trace.Objects]coverageWrite
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
	for o := range c.written {
		c.written[o].holder = trace.Nobody
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
	case trace.ResponseLate:
		c.seen.see(LateAnswer, true)
		c.message(s, e)
	case trace.GaveUp:
		c.seen.see(ConnectionLost, e.Cause == trace.ConnectionLost)
		c.message(s, e)
	case trace.RequestSent:
		s.requests.send(e, c.roster.Leads(e.Candidate))
	case trace.WorkStarted, trace.WorkEnded:
	default:
		c.message(s, e)
	}
}

// WritesOnly returns true: requests that only read are not followed. Who reads in an exchange does not lead, and has to write before
// it leads, so that no later request is optimistic or not because of that. It implements trace.ExchangeSink.
func (c *electionCoverage) WritesOnly() bool { return true }

// Exchange updates the state of the candidate of x by all three events of x at once, and adds the witnesses that its write shows
// to c.seen. A request that succeeds at once need not be followed, so it is not added to those of its candidate.
func (c *electionCoverage) Exchange(x *trace.Exchange) {
	c.candidates[x.Candidate].requests.last = x.Verb
	if x.Changed {
		c.wrote(x.Object, coverageWrite{writer(x.Candidate, x.Holder), x.Sent, x.Applied, x.LeaseSeconds})
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
	if e.Kind == trace.Written {
		c.wrote(e.Object, coverageWrite{writer(e.Candidate, e.Holder), r.sentAt, e.At, e.Amount})
	}
	r.follow(e, c.seen)
	if r.settled() {
		s.requests.drop(i)
	}
}

// wrote adds to c.seen the witnesses that the write w of an object shows, and stores that it begins a new lease of its holder.
func (c *electionCoverage) wrote(o trace.Object, w coverageWrite) {
	before := &c.written[o]
	if w.holder == trace.Nobody {
		*before = w
		return
	}
	s := &c.candidates[w.holder]
	if before.holder != trace.Nobody && before.holder != w.holder {
		for _, old := range c.candidates[before.holder].requests.all {
			c.seen.see(TakeoverWhileRenewing, old.renewal)
			c.seen.see(ReleaseRacedATakeover, old.release && !old.arrived)
		}
		c.seen.see(ExpiredByDrift, !o.Expires() && s.tookEarly(before, &w)) // else the service's clock decides
	}
	s.leaseFrom, s.deadlineFrom = w.at, w.sentAt
	*before = w
}
