package bound

import "time"

// Result is what follows for a configuration in an environment.
type Result struct {
	// Overlap is the supremum of the time in which two candidates' guarded work runs at once. Where none can, it is
	// what is missing, and at most 0: minus the margin.
	Overlap time.Duration
	// Terms are what Overlap is the sum of.
	Terms []Term
	// AtLeast: a longer overlap may be possible than the one computed. Unbounded: there is no longest, for the reason that
	// Plan.Endless gives.
	AtLeast, Unbounded bool
	// Slack is by how much longer it can be at most, where AtLeast and that is known; else 0.
	Slack time.Duration
	// Plan is how the worst case comes about.
	Plan Plan
	// Failover is the supremum of the time from a leader's crash to another's work, once nothing else goes wrong, and
	// Handover the same from a graceful stop.
	Failover, Handover time.Duration
	// Outage is the longest complete outage of the lock service that costs no leadership, whatever its phase.
	Outage time.Duration
	// playable is of a worst case that no simulated world can show; else nil.
	playable *Result
}

// Playable returns the worst case that a simulated world can show. It differs from r, and is less bad, where r takes a process that is frozen between
// the start of a poll's ticker and its first attempt.
func (r *Result) Playable() *Result {
	if r.playable != nil {
		return r.playable
	}
	return r
}

// AtMost returns an upper bound of the overlap, which is Overlap itself where that is exact; false where none is known or there is none.
func (r *Result) AtMost() (most time.Duration, known bool) {
	if r.Unbounded || r.AtLeast && r.Slack == 0 {
		return 0, false
	}
	return r.Overlap + r.Slack, true
}

// Safe is whether no two candidates' work can run at once.
func (r *Result) Safe() bool { return r.Overlap <= 0 }

// Term is one summand of an overlap.
type Term struct {
	Name string
	Time time.Duration
}

// endless notes that there is no longest overlap.
func (m *model) endless(r *Result, why Endless) {
	r.Unbounded, r.AtLeast, r.Slack, r.Plan.Endless = true, false, 0, why
}

// within notes that an overlap may be longer than computed, but no longer than that.
func (m *model) within(r *Result, most time.Duration) { r.AtLeast, m.upTo = true, most }

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
