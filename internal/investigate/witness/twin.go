package witness

import (
	"slices"
	"time"

	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// Undecidable tells whether no reader of these logs can know that two terms of the truth, of which the a-th began first, went on at
// once. It looks for another world: one in which they did not, and whose logs are the same to the last byte. It tries such in which the
// process of the a-th term was killed, or was told to stop, before the b-th began. That it finds none does not show that the logs decide.
func (l *Logs) Undecidable(a, b int) bool {
	t := l.Run.Truth()
	x, y := &t.Terms[a], &t.Terms[b]
	for _, kind := range []plan.FaultKind{plan.FaultCrash, plan.FaultCancel} {
		for _, at := range l.moments(x, y.From) {
			p := *l.Run.Plan
			p.Faults = append(slices.Clone(p.Faults), plan.Fault{Kind: kind, At: at, On: []string{p.Candidates[x.Candidate].ID}})
			if other := l.other(&p); other != nil && other.apart(x, y) {
				return true
			}
		}
	}
	return false
}

// moments returns when the process of a term may have ended, or its work, such that what it does before stays: right after each thing
// that the process does. They are before until, and since the start of the run; later ones come first.
func (l *Logs) moments(x *Term, until time.Time) (all []time.Duration) {
	for i := range l.Run.Events {
		e := &l.Run.Events[i]
		at := start.Add(time.Duration(e.At))
		if int(e.Candidate) == x.Candidate && e.Kind != trace.RequestApplied && !at.Before(x.From) && at.Before(until) {
			all = append(all, time.Duration(e.At)+1)
		}
	}
	slices.Reverse(all)
	all = slices.Compact(all)
	return all[:min(len(all), 24)]
}

// other returns the truth of a run by another plan, nil if its logs are not the same.
func (l *Logs) other(p *plan.Plan) *Truth {
	r, err := Play(l.Run.Seed, p)
	if err != nil || !l.same(NewLogs(r, l.Habits)) {
		return nil
	}
	return r.Truth()
}

// same tells whether the texts of both logs are the same. It says so only if even the nanoseconds are that they leave out.
func (l *Logs) same(o *Logs) bool {
	requests := slices.EqualFunc(l.Audit, o.Audit, func(a, b *Call) bool { return a.logged() == b.logged() })
	return requests && slices.EqualFunc(l.Processes, o.Processes, func(a, b *Process) bool {
		return a.Candidate == b.Candidate && a.Incarnation == b.Incarnation && slices.Equal(a.Lines, b.Lines) && len(a.Notices)+len(b.Notices) == 0
	}) && len(l.Seen)+len(o.Seen) == 0
}

// logged returns a request without what no log shows of it.
func (c *Call) logged() Call {
	d := *c
	d.Sent, d.Arrived, d.Reached, d.Changed, d.Written = 0, 0, true, false, 0
	return d
}

// apart tells whether no work of one's process went on together with work of the other that began when y did.
func (t *Truth) apart(x, y *Term) bool {
	for a := range t.Terms {
		for b := range t.Terms {
			p, q := &t.Terms[a], &t.Terms[b]
			if p.Identity == x.Identity && q.Identity == y.Identity && q.From.Equal(y.From) && t.overlap(a, b) {
				return false
			}
		}
	}
	return true
}
