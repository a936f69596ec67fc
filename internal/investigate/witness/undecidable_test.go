package witness

import (
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// Undecidable tells whether no reader of these logs can know that two terms of the truth went on at once; the a-th term must have
// begun first, and the logs must be whole (Habits.Whole). It looks for another world, in which they did not, with the same logs
// to the last byte. It tries worlds in which the process of the a-th term was killed, or was told to stop, before the b-th began. If
// it was told to stop, it may have released the lock or not, whatever the plan says, since no log has that setting, and its process may have ended
// in the middle of that, or when Run had returned. In each the clocks can be others, and the process of the a-th term can have stood still between the end of its work and the
// next thing that it did. False does not mean that the logs decide: there are worlds that it does not try.
func (l *Logs) Undecidable(a, b int) bool {
	t := l.Run.Truth()
	x, y := &t.Terms[a], &t.Terms[b]
	if l.elsewhen(x, y) || l.unseen(x, y.From) {
		return true
	}
	for _, at := range l.moments(x, y.From) {
		if _, found := l.differs(harmed(l.Run.Plan, x.Candidate, plan.FaultCrash, at), x, y); found {
			return true
		}
		for _, release := range []bool{true, false} {
			p := harmed(l.Run.Plan, x.Candidate, plan.FaultCancel, at)
			p.Candidates = slices.Clone(p.Candidates)
			p.Candidates[x.Candidate].ReleaseOnCancel = release
			r, found := l.differs(p, x, y)
			for _, killed := range deaths(r, x.Candidate, at) {
				if !found {
					_, found = l.differs(harmed(p, x.Candidate, plan.FaultCrash, killed), x, y)
				}
			}
			if found {
				return true
			}
		}
	}
	return false
}

// harmed returns a copy of the plan in which something more happens to the candidate with that index: a fault of that kind, at the time at.
func harmed(p *plan.Plan, candidate int, kind plan.FaultKind, at time.Duration) *plan.Plan {
	other := *p
	other.Faults = append(slices.Clone(p.Faults), plan.Fault{Kind: kind, At: at, On: []string{p.Candidates[candidate].ID}})
	return &other
}

// differs simulates another plan with the same seed, and returns the run, nil if the plan cannot be run. The bool tells whether, with
// the same habits, its logs are the same as l, although x and y did not go on at once, or need not have.
func (l *Logs) differs(p *plan.Plan, x, y *Term) (*Run, bool) {
	r, err := Play(l.Run.Seed, p)
	if err != nil {
		return nil, false
	}
	o := NewLogs(r, l.Habits)
	if !l.same(o) {
		return r, false
	}
	all := r.Truth().Terms
	k := slices.IndexFunc(all, func(u Term) bool { return u.Identity == x.Identity && u.From.Equal(x.From) })
	return r, o.elsewhen(x, y) || k >= 0 && o.unseen(&all[k], y.From)
}

// deaths returns times, since the start of the run, at which the process of a candidate can have been killed that was told to
// stop at the time at: a nanosecond after each of the next two things that it does, the second of which may be that it asks
// to release the lock, and one after its Run has returned. It returns none if r is nil.
func deaths(r *Run, candidate int, at time.Duration) (all []time.Duration) {
	for i := 0; r != nil && i < len(r.Events); i++ {
		e := &r.Events[i]
		then := time.Duration(e.At) + 1
		if int(e.Candidate) != candidate || then <= at+1 {
			continue
		}
		if (len(all) < 2 || e.Kind == trace.RunReturned) && !slices.Contains(all, then) {
			all = append(all, then)
		}
		if e.Kind == trace.RunReturned {
			break
		}
	}
	return all
}

// moments returns times at which the process of a term, or its work, can have ended without any change in what it did before: a
// nanosecond after each thing that the process does, or logs. They are before until, and given since the start of the run. The latest
// come first, and there are 24 at most.
func (l *Logs) moments(x *Term, until time.Time) (all []time.Duration) {
	for i := range l.Run.Events {
		e := &l.Run.Events[i]
		at := start.Add(time.Duration(e.At))
		if int(e.Candidate) == x.Candidate && e.Kind != trace.RequestApplied && !at.Before(x.From) && at.Before(until) {
			all = append(all, time.Duration(e.At)+1)
		}
	}
	for _, p := range l.Processes {
		for _, line := range p.Lines {
			if p.Candidate == x.Candidate && !line.True.Before(x.From) && line.True.Before(until) {
				all = append(all, line.True.Sub(start)+1)
			}
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	all = slices.Compact(all)
	return all[:min(len(all), 24)]
}

// same tells whether the texts of both logs are certainly the same. It also compares the nanoseconds that the texts leave out, so
// that the texts can be the same where it returns false. It is false if either has Kubernetes events or snapshots. It does not
// compare metrics: there must be none.
func (l *Logs) same(o *Logs) bool {
	requests := slices.EqualFunc(l.Audit, o.Audit, func(a, b *Call) bool { return a.logged() == b.logged() })
	return requests && slices.EqualFunc(l.Processes, o.Processes, func(a, b *Process) bool {
		return a.Candidate == b.Candidate && a.Incarnation == b.Incarnation && slices.Equal(a.Lines, b.Lines) && len(a.Notices)+len(b.Notices) == 0
	}) && len(l.Seen)+len(o.Seen) == 0
}

// logged returns a copy of the request in which the fields that no log shows have fixed values, so that requests with the same
// log lines are equal.
func (c *Call) logged() Call {
	d := *c
	d.Sent, d.Arrived, d.Reached, d.Changed, d.Written = 0, 0, true, false, 0
	return d
}

// elsewhen tells whether the same logs can be of a world in which the work of x did not overlap y. In that world all
// that the one process did came earlier, all that the other did came later, and their clocks are off by so much more. The lines
// are the same then. The requests are too, if each answer is still handled after it was sent, and each request still sent before
// it was received: how long a message takes is in no log.
func (l *Logs) elsewhen(x, y *Term) bool {
	earlier, later := l.slack(x.Candidate, y.Candidate)
	t := l.Run.Truth()
	for a := range t.Terms {
		for b := range t.Terms {
			p, q := t.Terms[a], t.Terms[b]
			if p.Identity != x.Identity || q.Identity != y.Identity || !q.From.Equal(y.From) || !p.From.Equal(x.From) {
				continue
			}
			p.From, p.End = p.From.Add(-earlier), p.End.Add(-earlier)
			q.From, q.End = q.From.Add(later), q.End.Add(later)
			if p.overlaps(&q) {
				return false
			}
		}
	}
	return true
}

// slack returns by how much earlier all that the candidate x did can have come, and by how much later all that y did, so that the
// logs stay the same. Both can be so at once. Each is 0 at least and maxOffset at most.
func (l *Logs) slack(x, y int) (earlier, later time.Duration) {
	earlier, later = maxOffset, maxOffset
	calls := map[key]*Call{}
	for _, c := range l.Run.Calls {
		calls[key{c.Candidate, c.ID}] = c
		if c.Candidate == y && c.Reached {
			later = min(later, c.Received-c.Sent)
		}
	}
	for i := range l.Run.Events {
		e := &l.Run.Events[i]
		if e.Kind == trace.ResponseHandled && int(e.Candidate) == x {
			earlier = min(earlier, time.Duration(e.At)-calls[key{x, e.Request}].Answered)
		}
	}
	return max(0, earlier), max(0, later)
}

// unseen tells whether the same logs can be of a world in which the work of x ended before a given time, before. For that, the
// process must have stood still from some earlier instant until its end, and can have been killed when it froze; or until it went on, and its work must have ended right then. In the
// different world the process went on for a moment in between, and its work ended then, for one of two reasons. Somebody told it
// to stop: then its log must say so, or be in words that do not tell that from a deadline. Or, with a profile that counts from
// renewals, such as this module's elector, its RenewDeadline was over before that time.
func (l *Logs) unseen(x *Term, before time.Time) bool {
	c := &l.Run.Plan.Candidates[x.Candidate]
	var stopped, paused, renewed time.Time
	var still, told bool
	for i := range l.Run.Events {
		e := &l.Run.Events[i]
		at := start.Add(time.Duration(e.At))
		if int(e.Candidate) != x.Candidate || at.After(x.Told) {
			continue
		}
		switch e.Kind {
		case trace.Paused:
			paused, still = at, true
		case trace.Resumed:
			stopped, still = at, false
		case trace.CancelAsked:
			told = told || at.Equal(x.Told)
		case trace.ResponseHandled:
			if e.Verb != trace.Get && (e.Status == 200 || e.Status == 201) && at.Before(x.Told) {
				renewed = l.sent(x.Candidate, e.Request)
			}
		}
	}
	if still {
		return paused.Before(before) // it may as well have been killed when it froze
	}
	if !stopped.Equal(x.Told) || !paused.Before(before) {
		return false
	}
	deadline := renewed.Add(c.RenewDeadline + c.RenewDeadline/1000) // by the slowest clock
	return (told || l.Habits.Vague) && !l.tooLate(x) || c.Profile.CountsFromRenewal() && !renewed.IsZero() && deadline.After(paused) && deadline.Before(before)
}

// tooLate tells whether the process of x says, just when its work ends, that a request or its deadline was over, and not that it
// was told to stop. The conclusions assume that nobody told it to stop between that moment and the line. v0.24 says the same in
// both cases, so that its line does not count.
func (l *Logs) tooLate(x *Term) bool {
	return slices.ContainsFunc(l.Processes, func(p *Process) bool {
		return p.Candidate == x.Candidate && p.Incarnation == x.Incarnation && slices.ContainsFunc(p.Lines, func(line Line) bool {
			failed := line.Step == evidence.Failed || line.Step == evidence.Lost && !l.Habits.Vague
			return failed && line.True.Equal(x.Told) && !strings.Contains(line.Text, "context canceled")
		})
	})
}

// sent returns when a request of a candidate was sent, by the server's clock. The run must contain the request.
func (l *Logs) sent(candidate int, id uint64) time.Time {
	k := slices.IndexFunc(l.Run.Calls, func(c *Call) bool { return c.Candidate == candidate && c.ID == id })
	return start.Add(l.Run.Calls[k].Sent)
}
