package bound

import "time"

// Result is what was computed for a configuration in an environment.
type Result struct {
	// Overlap is the supremum of the time for which the work of two candidates runs at once. Where no overlap is possible
	// it is zero or negative: minus the margin.
	Overlap time.Duration
	// Terms add up to Overlap.
	Terms []Term
	// AtLeast: perhaps an overlap is possible that is longer than the computed one. Unbounded: there is no longest overlap;
	// Plan.Endless is the reason.
	AtLeast, Unbounded bool
	// Upper: Overlap is an upper bound, which perhaps no run reaches; perhaps no run has any overlap. The reason is that waits of
	// the client are counted one by one, although they share one bucket of tokens, or that Config.Closes is set. Where AtLeast is
	// set too, the upper bound is the sum of Overlap and Slack.
	Upper bool
	// Slack is by how much an overlap can exceed the computed one at most. It is 0 where AtLeast is not set, and where no upper
	// bound is known.
	Slack time.Duration
	// Plan says how the worst case comes about.
	Plan Plan
	// Failover is the supremum of the time from a leader's crash to the start of another's work, if nothing else goes
	// wrong. Handover is the same from a graceful stop.
	Failover, Handover time.Duration
	// Outage is the longest time for which the lock service can be cut off from everybody without an end of leadership, at
	// whatever instant that time begins. It is 0 also where it is not computed.
	Outage time.Duration
	// playable is the worst case that a simulated world can show; nil where it is this result itself.
	playable *Result
	// steady is what Steady returns; nil where it is this result itself.
	steady *Result
	// calm is the worst case without waits of the client, which other traffic perhaps never causes; nil where Config.Client is
	// nil.
	calm *Result
}

// setUpper sets r.Upper; r.calm must be set. Unless nothing ends a release, it also clears r.Unbounded, and sets r.AtLeast without a Slack
// in its place, in two cases. The first: r.calm has an overlap that ends, so that only waits of the client make it endless, and planned is not true, which
// says that a plan without end is known with these waits. The second: slowed is true, which says that a plan without end perhaps needs
// more requests than the client's limiter lets pass.
func (r *Result) setUpper(slowed, planned bool) {
	r.Upper = true
	if r.Unbounded && r.Plan.Endless != Unanswered && (slowed || !r.calm.Unbounded && !planned) {
		r.Unbounded, r.AtLeast, r.Slack, r.Plan.Endless = false, true, 0, Ends
	}
}

// Calm returns the worst case in which no request waits for a token or is repeated. It is r itself where Config.Client is nil.
func (r *Result) Calm() *Result {
	if r.calm != nil {
		return r.calm
	}
	return r
}

// Steady returns the worst case of plans without an attempt that outlasts a tick, if such an attempt and waits of the client make
// r the worst case. Otherwise it is r itself. Its plan may show more, since the attempt that outlasts the tick may need waits, too.
func (r *Result) Steady() *Result {
	if r.steady != nil {
		return r.steady
	}
	return r
}

// Playable returns the worst case that a simulated world can show. It is mostly r itself. It is another result, and a less bad
// one, where r has a process that is frozen between the start of a poll's ticker and its first attempt.
func (r *Result) Playable() *Result {
	if r.playable != nil {
		return r.playable
	}
	return r
}

// Showing returns a copy of r for a result whose own plan no run shows. The copy's Playable and Calm are those of the result
// other, and so are its Failover, Handover and Outage; its Overlap, Terms and Plan stay those of r.
func (r *Result) Showing(other *Result) *Result {
	c := *r
	c.playable, c.calm = other.Playable(), other.calm
	c.Failover, c.Handover, c.Outage = other.Failover, other.Handover, other.Outage
	return &c
}

// Without returns a copy of r that has no longest overlap, for the reason why: its plan is the first of many.
func (r *Result) Without(why Endless) *Result {
	c := *r
	c.endless(why)
	return &c
}

// AtMost returns an upper bound of the overlap: Overlap plus Slack, which is Overlap itself where that is exact. It returns 0 and
// false if no upper bound is known, or if there is none.
func (r *Result) AtMost() (most time.Duration, known bool) {
	if r.Unbounded || r.AtLeast && r.Slack == 0 {
		return 0, false
	}
	return r.Overlap + r.Slack, true
}

// Safe tells whether the computed Overlap is 0 or less, so that no two candidates' work can run at once.
func (r *Result) Safe() bool { return r.Overlap <= 0 }

// Term is one summand of an overlap. Time is negative for what makes the overlap shorter.
type Term struct {
	Name string
	Time time.Duration
}

// endless sets r.Unbounded and, as its reason, r.Plan.Endless. It clears r.AtLeast and r.Slack.
func (r *Result) endless(why Endless) {
	r.Unbounded, r.AtLeast, r.Slack, r.Plan.Endless = true, false, 0, why
}

// within sets r.AtLeast, and stores in m.upTo that no overlap is longer than the duration given as most. The overlap is then at
// least the computed one.
func (m *model) within(r *Result, most time.Duration) { r.AtLeast, m.upTo = true, most }

// total completes the terms by drift, pause and drain, and stores them in r, and their sum as Overlap, which must be 0 before. If
// m.upTo is not 0, it also sets Slack and AtLeast by that. If nothing ends the release, Overlap is Forever, and no terms are
// added. Drift is one term for all clocks: the other terms, except round trips, are as the configuration has them.
func (m *model) total(r *Result, terms []Term) {
	if r.Plan.Endless == Unanswered && r.Plan.Release == Forever {
		r.Overlap, r.Terms = Forever, terms
		return
	}
	var drift time.Duration
	for _, t := range terms {
		switch t.Name {
		case "sameSecond", "retryPeriod", "renewDeadline", "release", "untilTold":
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
