package bound

import (
	"time"
)

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

// course is one way for a leader to work for too long: its last success, and what its work lasts from then on.
type course struct {
	Chain
	acquiring bool
	own       []Term
	// tail is the sum of own in true time, and late for how long another can have the lock when it is over.
	tail, late time.Duration
}

// renewed is a leader whose last success is a renewal: RetryPeriod later it tries again, for RenewDeadline.
func (m *model) renewed() course {
	c := course{Chain: m.chain(), own: []Term{{"retryPeriod", m.c.RetryPeriod}, {"renewDeadline", m.c.RenewDeadline}}}
	c.tail = m.slow(m.c.RetryPeriod + m.c.RenewDeadline)
	c.late = m.ahead(&c.Chain) + c.tail
	return c
}

// neverRenewed is a leader that acquires the lock and cannot renew once. It tries at once, for RenewDeadline.
func (m *model) neverRenewed() course {
	c := course{Chain: m.acquiring(), acquiring: true, own: []Term{{"renewDeadline", m.c.RenewDeadline}}}
	c.tail = m.slow(m.c.RenewDeadline)
	c.late = m.ahead(&c.Chain) + c.tail
	return c
}

// overlap is how long the leader works beside its successor, or minus what is missing. Work that has not begun overlaps
// with nothing.
func (c *course) overlap() time.Duration {
	if c.acquiring {
		return min(c.late, c.tail)
	}
	return c.late
}

// worst computes the worst case of the profiles of client-go.
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
}

// sum returns the terms of a course's overlap, without a release. With compareAndSwap the successor cannot start before the last write.
func (m *model) sum(c *course, compareAndSwap bool) []Term {
	switch {
	case c.acquiring && c.late >= c.tail:
		return c.own // the successor works already
	case compareAndSwap:
		return m.pauseSpent(append([]Term{{"roundTrip", c.LastWrite}}, c.own...), &c.Chain)
	}
	last := "lastRenewal"
	if c.acquiring {
		last = "acquiring"
	}
	terms := []Term{{"sameSecond", c.Gap}, {last, c.Last}}
	terms = m.pauseSpent(append(terms, c.own...), &c.Chain)
	wait := "leaseDuration"
	if m.c.RetryPeriod > m.lease() {
		wait = "followerRetryPeriod"
	}
	return append(terms, Term{wait, -max(m.lease(), m.c.RetryPeriod)})
}

// pauseSpent takes off the freeze that a chain has used up before, so that it cannot also prolong the work.
func (m *model) pauseSpent(terms []Term, chain *Chain) []Term {
	if chain.SetupPause == 0 {
		return terms
	}
	return append(terms, Term{"pauseSpentBefore", -chain.SetupPause})
}

// hangs returns how long a release waits at most for an answer that does not come, in true time, and as terms of the sum.
func (m *model) hangs() (time.Duration, []Term) {
	whole := m.slow(m.c.RenewDeadline)
	if m.timeout == 0 || m.gaveUp >= whole {
		return whole, []Term{{"release", m.c.RenewDeadline}}
	}
	terms := []Term{{"release", m.timeout}}
	if limited := m.gaveUp - m.slow(m.timeout); limited > 0 {
		terms = append([]Term{{"limiter", limited}}, terms...)
	}
	return m.gaveUp, terms
}

// releaseTerms returns the terms of the worst case with a release, which it adds to the plan. latest is the course in which another can have had the
// lock for longest as the release begins; over is how long two can work by then.
func (m *model) releaseTerms(r *Result, latest *course, over time.Duration, sum []Term) []Term {
	late := latest.late
	if m.c.Profile.ReleasesBlindly() {
		return m.blindTerms(r, late, over, sum)
	}
	// The release's write can be on its way when the other takes over. It conflicts, and the release reads again.
	whole := m.slow(m.c.RenewDeadline)
	if late+m.e.MaxPause+min(2*m.answered, whole) <= 0 {
		if !m.e.HiddenConflicts {
			return m.appliedAtOnce(r, m.hang())
		}
		// Its write is applied and answered by a 409: it reads again, and finds its successor's record.
		r.Plan.HiddenConflict = true
	}
	r.Plan.Kind, r.Plan.CompareAndSwap = Wiped, false
	r.Plan.Chain, r.Plan.Acquiring = latest.Chain, latest.acquiring
	hang, hanging := m.hangs()
	terms := []Term{
		{"roundTrip", min(m.direct, m.answered)}, {"retryPeriod", m.c.RetryPeriod}, {"renewDeadline", m.c.RenewDeadline},
	}
	// The release reads for as long as an answer takes, and then its write is lost. Each renewal of the third leader that
	// comes between what it reads and what it writes would have it try again: whether one does is not computed.
	r.Plan.Release = min(whole, m.answered+hang)
	m.gather(r, hang)
	if read := r.Plan.Release - hang; read > 0 {
		terms = append(terms, Term{"releaseRead", read})
	}
	return append(terms, hanging...)
}

// appliedAtOnce is a release that is applied as soon as it is sent, and not answered. It has not waited in the client's limiter.
func (m *model) appliedAtOnce(r *Result, timeout time.Duration) []Term {
	r.Plan = Plan{Kind: Released, Release: m.slow(timeout)}
	return []Term{{"release", timeout}}
}

// blindTerms returns the terms of the worst case with a release whose one request has no context: only an answer or the client's timeout ends it.
func (m *model) blindTerms(r *Result, late, over time.Duration, sum []Term) []Term {
	if m.gaveUp == 0 {
		r.Plan = Plan{Kind: Released, Release: Forever}
		m.endless(r, Unanswered)
		return []Term{{"release", Forever}}
	}
	// A leader that has read its successor's record releases nothing, and neither does one whose last Get failed. So what it
	// has read last is its own record, at most an answer, a request that is given up and a RetryPeriod before. How much of
	// that comes together with such a release is not computed.
	longest := max(over, m.slow(m.c.RequestTimeout))
	switch successor := late + m.e.MaxPause; {
	case successor > m.fast(m.c.RenewDeadline):
		m.blankedBack(r) // its successor may have failed to renew, and released, by the end of its work: it takes the lock back
	case late > 0:
		read := m.answered + m.gaveUp + m.slow(m.c.RetryPeriod)
		m.within(r, max(longest, min(late, read)+m.gaveUp)+m.e.MaxPause+m.e.Drain)
	}
	if m.slow(m.c.RequestTimeout) < over {
		return sum
	}
	return m.appliedAtOnce(r, m.c.RequestTimeout)
}

// noLease computes the case of a lease below a second, which an annotation has as 0. Whoever looks twice takes the lock, so that two can take turns
// for ever; the terms are those of one takeover.
func (m *model) noLease(r *Result) {
	r.Plan = Plan{Kind: NoLease}
	m.endless(r, TakingTurns)
	m.total(r, []Term{{"renewDeadline", m.c.RenewDeadline}, {"followerRetryPeriod", -m.c.RetryPeriod}})
}

// total completes the terms and adds them up. What drift adds is a term of its own: every other one but the round trips
// is as the configuration has it.
func (m *model) total(r *Result, terms []Term) {
	if r.Plan.Endless == Unanswered && r.Plan.Release == Forever {
		r.Overlap, r.Terms = Forever, terms
		return
	}
	var drift time.Duration
	for _, t := range terms {
		switch t.Name {
		case "sameSecond", "retryPeriod", "renewDeadline", "release":
			drift += m.slow(t.Time) - t.Time
		case "leaseDuration", "followerRetryPeriod":
			if m.c.Lock.Expires() {
				continue // on the service's clock, or on none that drifts
			}
			drift += -m.fast(-t.Time) - t.Time
		}
	}
	for _, t := range []Term{{"drift", drift}, {"pause", m.e.MaxPause}, {"drain", m.e.Drain}} {
		if t.Time != 0 {
			terms = append(terms, t)
		}
	}
	for _, t := range terms {
		r.Overlap += t.Time
	}
	r.Terms = terms
	if m.upTo > 0 {
		r.Slack = max(0, m.upTo-r.Overlap)
		r.AtLeast = r.Slack > 0
	}
}

// blankedBack is v0.24 where a leader can take the lock back that its successor has released. A leader releases no record but its
// own. So others take the lock from one that goes on to work only as its lease has run out; and its own successor that has
// released works for as long as that release takes, and for no longer than frozen.
func (m *model) blankedBack(r *Result) {
	r.AtLeast = true
	lease, poll := m.takeover(), m.slow(m.c.RenewDeadline)+m.e.MaxPause
	n, known := m.turns(lease, poll)
	if !known {
		return
	}
	release := m.gaveUp
	if m.c.two() {
		// Who leads since it made the second object may have lost the first before.
		n = max(n, 2)
		release += (pairUpdate - 1) * m.trip
	}
	m.counted(r, n, release+m.e.MaxPause+m.e.Drain)
}

// strictWorst computes the worst case of the profile strict, whose leader works until RenewDeadline after its last renewal was sent.
func (m *model) strictWorst(r *Result) {
	r.Plan = Plan{Kind: Expired}
	wait := Term{"leaseDuration", -m.lease()}
	if m.c.RetryPeriod > m.lease() {
		wait = Term{"followerRetryPeriod", -m.c.RetryPeriod}
	}
	m.total(r, []Term{{"renewDeadline", m.c.RenewDeadline}, wait})
}
