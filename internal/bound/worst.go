package bound

import "time"

// worst stores in r the worst case of the profiles of client-go, for a record on one object: Plan, Overlap and Terms. If a longer
// overlap is perhaps possible, it also sets AtLeast, and Slack where an upper bound is known; if there is no longest overlap, it
// sets Unbounded and Plan.Endless. It can change m.upTo. It leaves out Upper, Failover, Handover and Outage.
func (m *model) worst(r *Result) {
	c, latest := m.renewed(), m.neverRenewed()
	if latest.overlap() > c.overlap() {
		c, latest = latest, c
	}
	if c.late >= latest.late {
		latest = c
	}
	r.Plan = Plan{Kind: Expired, Chain: c.Chain, Acquiring: c.acquiring}
	r.Plan.CompareAndSwap = m.ahead(&c.Chain) < m.length(&c.Chain)-m.takeover()
	terms := m.sum(&c, r.Plan.CompareAndSwap)
	if m.c.ReleaseOnCancel {
		terms = m.releaseTerms(r, &latest, c.overlap(), terms)
	} else {
		m.takenBack(r, c.overlap())
	}
	m.total(r, terms)
	switch {
	case r.Unbounded:
	case m.releaseUnrefused():
		r.endless(LateReleases)
	case m.c.ReleaseOnCancel && m.gaveUp == 0 && m.c.before(31):
		r.endless(Unanswered)
	}
}

// releaseUnrefused tells whether a release that is still under way can blank the record of the next Run of the same name: in a lock with
// whole seconds that Run's writes of the same second change nothing, and leave the version as it is. As each of these leaders works on, and
// there can be as many of them as one likes, no overlap is the longest.
func (m *model) releaseUnrefused() bool {
	return m.c.ReleaseOnCancel && m.e.Reruns && m.e.MaxRoundTrip > 0 && m.c.Lock.Unit() == time.Second
}

// strictWorst stores in r the worst case of the profile strict. A leader of that profile works until RenewDeadline is over after
// the sending of its last renewal.
func (m *model) strictWorst(r *Result) {
	r.Plan = Plan{Kind: Expired}
	m.total(r, []Term{{"renewDeadline", m.c.RenewDeadline}, {"leaseDuration", -m.lease()}})
}

// noLease stores in r the case of a lease below a second, which an annotation stores as 0 seconds. A candidate that looks twice
// takes the lock, so that two candidates can take turns for ever: r.Unbounded is set. The terms are those of one takeover.
func (m *model) noLease(r *Result) {
	r.Plan = Plan{Kind: NoLease}
	r.endless(TakingTurns)
	m.total(r, []Term{{"renewDeadline", m.c.RenewDeadline}, {"followerRetryPeriod", -m.c.RetryPeriod}})
}
