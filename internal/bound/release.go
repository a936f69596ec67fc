package bound

import "time"

// releaseTerms returns the terms of the worst case with a release, and changes r.Plan to that case. latest is the course in which
// another candidate can have had the lock for longest when the release begins. over is the overlap without the release, and sum
// has its terms, to which it can append. It can also set r.AtLeast, r.Slack, r.Unbounded and m.upTo.
func (m *model) releaseTerms(r *Result, latest *course, over time.Duration, sum []Term) []Term {
	late := latest.late
	switch {
	case m.c.Unread() && (m.gaveUp > 0 || !m.c.Profile.ReleasesBlindly()):
		return m.unreadTerms(r, over, sum)
	case m.c.Profile.ReleasesBlindly():
		return m.blindTerms(r, late, over, sum)
	}
	// The release's write can be on its way when the other takes over. It conflicts, and the release reads again.
	whole := m.slow(m.c.RenewDeadline)
	reads := min(m.releaseRead()+m.answered, whole)
	if !m.readsAgain() {
		reads = min(m.releaseRead(), whole)
	}
	if late+m.e.MaxPause+m.returning()+reads <= 0 {
		switch {
		case m.e.HiddenConflicts && m.readsAgain():
			// Its write is applied and answered by a 409: it reads again, and finds its successor's record.
			r.Plan.HiddenConflict = true
		case m.c.ReleasesLater():
			// Nobody has taken over by the time the release reads, and its work is over. What is left until one could is the margin.
			return append(sum, Term{"releaseRead", reads})
		default:
			return m.appliedAtOnce(r, m.releaseTimeout())
		}
	}
	r.Plan.Kind, r.Plan.CompareAndSwap = Wiped, false
	r.Plan.Chain, r.Plan.Acquiring = latest.Chain, latest.acquiring
	terms := m.awake(Term{"roundTrip", min(m.direct, m.answered)}, Term{"retryPeriod", m.c.RetryPeriod}, Term{"renewDeadline", m.c.RenewDeadline})
	if m.c.ReleasesLater() {
		m.gather(r, 0)
		return terms
	}
	hang, hanging := m.releaseHangs()
	// The release reads for as long as an answer takes, and then its write is lost. Each renewal of the third leader that
	// comes between what it reads and what it writes has it try again before.
	r.Plan.Conflicts = m.releaseConflicts(hang)
	tries := time.Duration(r.Plan.Conflicts) * 2 * m.conflictAnswer()
	r.Plan.Release = max(hang, min(whole, tries+m.releaseRead()+hang))
	m.gather(r, hang)
	tries = min(tries, r.Plan.Release-hang)
	for _, t := range []Term{{"releaseConflicts", tries}, {"releaseRead", r.Plan.Release - hang - tries}} {
		if t.Time > 0 {
			terms = append(terms, t)
		}
	}
	return append(terms, hanging...)
}

// mostConflicts is how many conflicts of a release a plan has at most.
const mostConflicts = 32

// conflictAnswer returns how long each call of a release's conflicts takes in a plan, in true time: as long as one without a wait in the
// limiter, but no longer than a client waits whose clock runs true, as the next leader's does.
func (m *model) conflictAnswer() time.Duration {
	answer := min(m.direct, m.answered)
	if f := m.c.RequestTimeout; f > 0 {
		return min(answer, f)
	}
	return answer
}

// releaseConflicts returns how often a release that waits for the time hang in the end conflicts with a renewal before, in a plan
// in which the next leader renews every RetryPeriod: as often as those renewals allow, but no more often than the release needs to last for
// RenewDeadline. It returns 0 if requests wait in a known client, if connections are closed, and if answers are too quick for the next leader's
// renewals to be put off until the release begins. Perhaps other plans have more conflicts.
func (m *model) releaseConflicts(hang time.Duration) (n int) {
	const edge = time.Millisecond // what a plan keeps from the ends of a conflict
	answer := m.conflictAnswer()
	whole, both, period := m.slow(m.c.RenewDeadline), 2*answer, m.c.RetryPeriod
	works := m.direct + m.slow(period+m.c.RenewDeadline) // after its last write
	renewals, late := works/period, works%period
	if late < edge && period >= 2*answer { // the next leader's renewals may already come a little later
		late += period
	}
	unseen := !m.c.onLease() && period < time.Second // a renewal in the same second changes nothing
	if !m.readsAgain() || m.c.Client != nil && m.hinders() || unseen || m.c.Closes && m.closedRelease() > 0 || late+answer+edge > renewals*(answer-edge) {
		return 0
	}
	for m.releaseRead()+hang+time.Duration(n)*both < whole && time.Duration(n)*(period+edge) < time.Duration(n+1)*(both-edge) {
		if n++; n > mostConflicts {
			return 0
		}
	}
	return n
}

// returning returns how long the work goes on, in true time, between the end of its context and the release: 0 where the
// release does not wait for it.
func (m *model) returning() time.Duration {
	if m.c.ReleasesLater() {
		return m.e.Drain
	}
	return 0
}

// releaseRead returns the longest true time that the read of a release takes, if no deadline ends it: as long as that of a poll, or
// longer if connections are closed under it.
func (m *model) releaseRead() time.Duration { return max(m.answered, m.closedRelease()) }

// releaseHangs returns how long a release waits at most, in true time, for an answer that does not come. The terms that it
// returns add up to that time without drift.
func (m *model) releaseHangs() (time.Duration, []Term) {
	whole := m.slow(m.c.RenewDeadline) + m.asleep()
	if !m.releasesOn() && (m.timeout == 0 || m.gaveUp >= whole) {
		return whole, m.awake(Term{"release", m.c.RenewDeadline})
	}
	terms := m.awake(Term{"release", m.releaseTimeout()})
	if limited := m.gaveUp - m.slow(m.releaseTimeout()) - m.asleep(); limited > 0 {
		terms = append([]Term{{"limiter", limited}}, terms...)
	}
	return m.gaveUp, terms
}

// releasesOn tells whether RenewDeadline does not end a release that has a request timeout: before v0.31 the release has no context
// (leaderelection.go, release). Without a request timeout such a release has no end.
func (m *model) releasesOn() bool {
	return m.c.before(31) && m.c.RequestTimeout > 0 && !m.c.Lock.Expires()
}

// readsAgain tells whether a release reads again after a conflict, as it does since v0.37.
func (m *model) readsAgain() bool { return !m.c.before(37) }

// unreadTerms returns the terms of the worst case with a release that reads nothing: see Config.Unread. over is the
// overlap without the release, and sum has its terms, to which it can append. It can also set r.Plan, r.AtLeast and m.upTo.
func (m *model) unreadTerms(r *Result, over time.Duration, sum []Term) []Term {
	hang, hanging := m.releaseHangs()
	if work := m.direct + m.slow(m.c.RetryPeriod+m.c.RenewDeadline) + m.asleep() + m.e.MaxPause; work > m.takeover() {
		r.AtLeast = true // who has lost the lock may find a blank of its successor's successor
	} else if m.e.MaxPause > 0 { // it may find that of its successor, which may have been frozen too
		m.within(r, max(over, 0)+hang+2*m.e.MaxPause+m.e.Drain)
	}
	if over+hang <= m.slow(m.releaseTimeout())+m.asleep() {
		return m.appliedAtOnce(r, m.releaseTimeout())
	}
	return append(sum, hanging...) // it has lost the lock, and its release waits for an answer that is lost
}

// appliedAtOnce returns the term of a release that is applied as soon as it is sent, and never answered, and sets r.Plan to that
// case. The release does not wait in the client's limiter. timeout is how long it waits for its answer, on the client's clock.
func (m *model) appliedAtOnce(r *Result, timeout time.Duration) []Term {
	r.Plan = Plan{Kind: Released, Release: m.slow(timeout), Endless: r.Plan.Endless}
	return m.awake(Term{"release", timeout})
}

// blindTerms returns the terms of the worst case with a blind release: one request without a context, which only an answer or the
// client's timeout ends. If the release does not make the worst case longer, it returns sum and leaves r.Plan as it is; otherwise
// it sets r.Plan. late is how long another candidate can have had the lock when the release begins. over is the overlap without
// the release, and sum has its terms. It can also set r.AtLeast, r.Unbounded and m.upTo.
func (m *model) blindTerms(r *Result, late, over time.Duration, sum []Term) []Term {
	if m.gaveUp == 0 {
		r.Plan = Plan{Kind: Released, Release: Forever}
		r.endless(Unanswered)
		return []Term{{"release", Forever}}
	}
	// A leader that has read its successor's record releases nothing, and neither does one whose last Get failed. So what it
	// has read last is its own record, at most an answer, a request that is given up and a RetryPeriod before. How much of
	// that comes together with such a release is not computed.
	longest := max(over, m.slow(m.c.RequestTimeout)+m.asleep())
	switch successor := late + m.e.MaxPause; {
	case successor > m.fast(m.c.RenewDeadline):
		m.blankedBack(r) // its successor may have failed to renew, and released, by the end of its work: it takes the lock back
	case late > 0, late+m.gaveUp > longest: // in the second case another takes over while the release waits for a token
		read := m.releaseRead() + m.gaveUp + m.slow(m.c.RetryPeriod)
		m.within(r, max(longest, min(late, read)+m.gaveUp)+m.e.MaxPause+m.e.Drain)
	}
	if m.slow(m.c.RequestTimeout)+m.asleep() < over {
		return sum
	}
	return m.appliedAtOnce(r, m.c.RequestTimeout)
}
