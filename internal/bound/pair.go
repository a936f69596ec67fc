package bound

import (
	"time"

	"interregnum/elector/machine"
)

// A lock on two objects makes several requests of each call, one after the other: so many of a Get and of an Update.
const (
	pairGet    = 2
	pairUpdate = 3
)

// two is whether the lock is on two objects.
func (c *Config) two() bool { return len(c.Lock.Objects()) == 2 }

// halfCreated is a lock on two objects. Whoever finds its name in the first and no second one makes that, however
// long ago it was that it has written the first: another can have taken that over meanwhile, and overwrites the second.
// LeaseDuration keeps neither from working.
func (m *model) halfCreated(r *Result) {
	r.Plan = Plan{Kind: HalfCreated}
	// A leader of client-go that is not cut off has more to do wrong; a strict one works no longer than this.
	r.AtLeast = !m.strict
	terms := []Term{{"renewDeadline", m.c.RenewDeadline}}
	if m.c.ReleaseOnCancel && m.c.Profile.Release == machine.ReleaseBelieved {
		r.Plan.Release = m.slow(m.hang())
		terms = append(terms, Term{"release", m.hang()})
	}
	m.total(r, terms)
}

// pairFailover is failover for a lock on two objects; an upper bound, as is Handover.
func (m *model) pairFailover(r *Result) {
	r.Failover = m.e.MaxRoundTrip + pairGet*m.trip + m.retry() + pairGet*m.trip + m.e.MaxPause
	if m.lease() > m.c.RetryPeriod {
		r.Failover += m.slow(m.lease()) + pairGet*m.trip
	}
	r.Failover += m.retry() + (pairGet+pairUpdate)*m.trip
	r.Handover = r.Failover
	if m.c.ReleaseOnCancel {
		// What a release writes first looks like another leader's record.
		r.Handover += m.e.Drain + m.e.MaxPause + (pairGet+pairUpdate)*m.trip + m.e.MaxRoundTrip
	}
}

// calls are how many requests, one after the other, an Update takes, and a Get and an Update.
func (m *model) calls() (update, both time.Duration) {
	if m.c.two() {
		return pairUpdate, pairGet + pairUpdate
	}
	return 1, 2
}
