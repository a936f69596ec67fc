package bound

import (
	"time"

	"interregnum/elector/machine"
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
	// Chain is the last renewal that succeeds, of Expired and Wiped.
	Chain Chain
	// CompareAndSwap: the takeover has to wait for the last write, since it must win its compare-and-swap.
	CompareAndSwap bool
	// Release is, in true time, how long the call of release takes while the work goes on; 0 where there is none.
	Release time.Duration
	// The rest is of a lock that expires by itself, in true time: how long the last success takes to be answered, whether
	// that is a refresh or else the first entry, and how long it is from the success until another can take over.
	Answer    time.Duration
	Refreshed bool
	Wait      time.Duration
}

// worst is the profiles of client-go.
func (m *model) worst(r *Result) {
	chain := m.chain()
	ahead := m.ahead(&chain)
	tail := m.slow(m.c.RetryPeriod + m.c.RenewDeadline)
	r.Plan = Plan{Kind: Expired, Chain: chain, CompareAndSwap: ahead < m.length(&chain)-m.takeover()}
	// A leader that reads a successor's record while it can outlast that one's lease takes the lock back.
	r.AtLeast = m.c.RenewDeadline > m.lease()
	terms := m.sum(&r.Plan)
	if m.c.ReleaseOnCancel {
		terms = m.releaseTerms(r, ahead+tail, terms)
	}
	m.total(r, terms)
}

// sum is the terms of Expired, without a release.
func (m *model) sum(p *Plan) []Term {
	own, chain := []Term{{"retryPeriod", m.c.RetryPeriod}, {"renewDeadline", m.c.RenewDeadline}}, &p.Chain
	if p.CompareAndSwap {
		own = append([]Term{{"roundTrip", chain.LastWrite}}, own...)
		return m.pauseSpent(own, chain)
	}
	terms := []Term{{"sameSecond", chain.Gap}, {"lastRenewal", chain.Last}}
	terms = m.pauseSpent(append(terms, own...), chain)
	wait := "leaseDuration"
	if m.c.RetryPeriod > m.lease() {
		wait = "followerRetryPeriod"
	}
	return append(terms, Term{wait, -max(m.lease(), m.c.RetryPeriod)})
}

// pauseSpent takes off what a process was frozen for before it counted.
func (m *model) pauseSpent(terms []Term, chain *Chain) []Term {
	if chain.SetupPause == 0 {
		return terms
	}
	return append(terms, Term{"pauseSpentBefore", -chain.SetupPause})
}

// releaseTerms is the worst case with a release. Late is for how long another can have the lock when the release
// begins; the release's own message and a freeze add to it.
func (m *model) releaseTerms(r *Result, late time.Duration, sum []Term) []Term {
	if m.c.Profile.Release == machine.ReleaseBlind {
		return m.blindTerms(r, late, sum)
	}
	hang := m.c.RenewDeadline
	if m.timeout > 0 {
		hang = m.timeout
	}
	// The release's write can be on its way when the other takes over. It conflicts, and the release reads again.
	if late+m.e.MaxPause+min(2*m.answered, m.slow(m.c.RenewDeadline)) <= 0 {
		r.Plan = Plan{Kind: Released, Release: m.slow(hang)}
		return []Term{{"release", hang}}
	}
	r.Plan.Kind, r.Plan.CompareAndSwap = Wiped, false
	terms := []Term{
		{"roundTrip", m.answered}, {"retryPeriod", m.c.RetryPeriod}, {"renewDeadline", m.c.RenewDeadline},
	}
	whole := m.slow(m.c.RenewDeadline)
	// Where a release can still go on when the successor's successor takes over, it and the next release can wipe one lease
	// each: a leader that still tries to renew then finds the lock free, and takes it again beside the one it overlaps with.
	r.AtLeast = r.AtLeast || late+m.e.MaxPause+whole > m.takeover()
	if m.timeout == 0 {
		r.Plan.Release = whole
		return append(terms, Term{"release", hang})
	}
	// The release reads for as long as an answer takes, and then its write is lost. Each renewal of the third leader that
	// comes between what it reads and what it writes would have it try again: whether one does is not computed.
	r.Plan.Release = min(whole, m.answered+m.slow(m.timeout))
	if more := whole - r.Plan.Release; m.answered > 0 && more > 0 && !r.AtLeast {
		r.AtLeast, r.Slack = true, more
	}
	return append(terms, Term{"releaseRead", r.Plan.Release - m.slow(hang)}, Term{"release", hang})
}

// blindTerms is a release whose one request has no context: nothing but an answer or the client's timeout ends it.
func (m *model) blindTerms(r *Result, late time.Duration, sum []Term) []Term {
	hang := m.c.RequestTimeout
	if hang == 0 {
		r.Unbounded, r.Plan = true, Plan{Kind: Released, Release: Forever}
		return []Term{{"release", Forever}}
	}
	// What of the sum and of such a release can come together is not computed.
	r.AtLeast = r.AtLeast || late > 0
	if m.slow(hang) < late {
		return sum
	}
	r.Plan = Plan{Kind: Released, Release: m.slow(hang)}
	return []Term{{"release", hang}}
}

// noLease is a lease of less than a second, which says 0 in an annotation: no server looks into that. Nobody leads for long
// then; what is computed is one takeover from a leader that is cut off as it begins.
func (m *model) noLease(r *Result) {
	r.Plan, r.AtLeast = Plan{Kind: NoLease}, true
	m.total(r, []Term{{"renewDeadline", m.c.RenewDeadline}, {"followerRetryPeriod", -m.c.RetryPeriod}})
}

// total completes the terms and adds them up. What drift adds is a term of its own: every other one but the round trips
// is as the configuration has it.
func (m *model) total(r *Result, terms []Term) {
	if r.Unbounded {
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
}

// strictWorst is the profile strict: the work ends RenewDeadline after the last renewal was sent, and the record that it
// wrote is its own.
func (m *model) strictWorst(r *Result) {
	r.Plan = Plan{Kind: Expired}
	wait := Term{"leaseDuration", -m.lease()}
	if m.c.RetryPeriod > m.lease() {
		wait = Term{"followerRetryPeriod", -m.c.RetryPeriod}
	}
	m.total(r, []Term{{"renewDeadline", m.c.RenewDeadline}, wait})
}
