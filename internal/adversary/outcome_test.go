package adversary

import (
	"cmp"
	"slices"
	"time"
)

// Outcome is what a run of a plan showed. Unlike the trace's roster, which knows only who works at present, it keeps all work of
// the run, so that the climber can look for near misses.
type Outcome struct {
	// Works is nil if nobody worked, or if the simulated world has found that the environment does not allow the plan.
	Works []Work
	Sent  []Request
	// Drew has, for each candidate, the requests after which it drew jitter. Runs has how often each began a Run.
	Drew [][]Step
	Runs []int
	// Starts are when the candidates started, in true time; -1 for one that did not.
	Starts []time.Duration
	// Err says why the run failed; nil if it did not.
	Err error
}

// newOutcome returns the outcome of a plan before its run, with an element for each candidate in Drew, Runs and Starts. Starts
// has the start that the plan gives to the candidate; never, if it follows another.
func newOutcome(g *Genome) *Outcome {
	o := &Outcome{Drew: make([][]Step, len(g.Parts)), Runs: make([]int, len(g.Parts)), Starts: make([]time.Duration, len(g.Parts))}
	for i := range o.Starts {
		if o.Starts[i] = g.Parts[i].Start; g.follows(i) != nil {
			o.Starts[i] = never
		}
	}
	return o
}

// Work is a candidate's work in one term, which ran in [Start, End), in true time.
type Work struct {
	Candidate int
	// Term is the number of the term among those of its candidate.
	Term       int
	Start, End time.Duration
}

// Request is a request that a candidate sent.
type Request struct {
	Candidate int
	Step
	Verb Verbs
	// Sent, Arrived and Handled are when it was sent, when it arrived at the service and when its answer was handled, in
	// true time; -1 where that did not happen. Wrote: it has changed the record.
	Sent, Arrived, Handled time.Duration
	Wrote                  bool
	// Holds: what it writes names a holder. Renew is the renewTime that it writes.
	Holds bool
	Renew time.Duration
}

// never stands for the instant of something that did not happen.
const never = time.Duration(-1)

// overlap returns the longest time for which the work of two candidates ran at once. If no two worked at once, it is 0 or
// negative: minus the shortest time between the work of two or, if fewer than two have worked, minus four times the plan's
// horizon. It does not count work that one candidate has twice.
func (o *Outcome) overlap(horizon time.Duration) time.Duration {
	best := -4 * horizon
	for i := range o.Works {
		for j := range o.Works[:i] {
			a, b := &o.Works[i], &o.Works[j]
			if a.Candidate == b.Candidate {
				continue
			}
			best = max(best, min(a.End, b.End)-max(a.Start, b.Start))
		}
	}
	return best
}

// wiped returns the longest time for which n candidates still work after another one's release, so that one more can join them.
// It is negative if the last of the n began to work only after the release. If nobody has released, or if fewer than n others
// have worked, it is far lower: what together returns for n+1 candidates, less 4·(n+1) times the plan's horizon.
func (o *Outcome) wiped(n int, horizon time.Duration) time.Duration {
	best := o.together(n+1, horizon) - 4*horizon*time.Duration(n+1)
	for k := range o.Sent {
		q := &o.Sent[k]
		if !q.Wrote || q.Holds {
			continue
		}
		if ends := o.working(q.Arrived, q.Candidate); len(ends) >= n {
			best = max(best, ends[len(ends)-n]-q.Arrived)
		}
		if starts := o.begun(q.Arrived, q.Candidate); len(starts) >= n && starts[n-1] > q.Arrived {
			best = max(best, q.Arrived-starts[n-1])
		}
	}
	return best
}

// begun looks at the candidates with work that ends after the instant given as at. For each of them it returns when the first
// such work began; the results are sorted. It leaves out the candidate whose index is given as but.
func (o *Outcome) begun(at time.Duration, but int) (starts []time.Duration) {
	for i := range o.Starts {
		for k := range o.Works {
			if w := &o.Works[k]; w.Candidate == i && i != but && w.End > at {
				starts = append(starts, w.Start)
				break
			}
		}
	}
	slices.Sort(starts)
	return starts
}

// around returns, for each work, the last n requests that its candidate sent before the work began, and the first n requests
// after that. A request can be there more than once.
func (o *Outcome) around(n int) (all []Request) {
	for i := range o.Works {
		w := &o.Works[i]
		var before, after []Request
		for k := range o.Sent {
			switch q := &o.Sent[k]; {
			case q.Candidate != w.Candidate:
			case q.Sent < w.Start:
				before = append(before, *q)
			case len(after) < n:
				after = append(after, *q)
			}
		}
		all = append(append(all, before[max(0, len(before)-n):]...), after...)
	}
	return all
}

// stale says for how long a candidate has worked since it last changed the record, in the eyes of other candidates. They compare
// the times of a record by some unit.
type stale struct {
	// long is that time, measured at the end of a work or at its start.
	long time.Duration
	// hint is a small part of the time from the candidate's first write to its work. It favours plans in which a candidate
	// has written without knowing it, since these can be improved.
	hint time.Duration
	// since is when the first of the writes that look the same arrived, in true time. renewed is the lowest renewTime of these
	// writes. phase is the phase in which the work began.
	since, renewed time.Duration
	phase          int
}

// staleness returns for how long the only candidate of a plan works after others last saw its record change; the others compare
// times by unit. end is the longest such time at the end of a work, start at the start of one. Both are zero if it never worked.
// It assumes the best offset of the wall clock.
func (o *Outcome) staleness(unit time.Duration) (end, start stale) {
	var wrote []*Request
	before := time.Duration(0)
	for i := range o.Works {
		w, phase := &o.Works[i], 0
		wrote = wrote[:0]
		for k := range o.Sent {
			q := &o.Sent[k]
			if q.Wrote && q.Holds && q.Arrived <= w.End {
				wrote = append(wrote, q)
			}
			if q.Sent < w.Start {
				phase = q.Phase + 1
			}
		}
		slices.SortStableFunc(wrote, func(a, b *Request) int { return cmp.Compare(a.Arrived, b.Arrived) })
		first := w.Start
		for k := len(wrote) - 1; k >= 0 && wrote[k].Arrived >= before; k-- {
			first = min(first, wrote[k].Arrived)
		}
		before = w.End
		hint := min(w.Start-first, w.End-w.Start) / 32
		lookSame(&end, wrote, w.End, unit, hint, phase)
		for len(wrote) > 0 && wrote[len(wrote)-1].Arrived > w.Start {
			wrote = wrote[:len(wrote)-1]
		}
		lookSame(&start, wrote, w.Start, unit, hint, phase)
	}
	return end, start
}

// edge is how far from whole seconds the times of records are kept, since records are exact to the microsecond.
const edge = 2 * time.Microsecond

// lookSame takes from wrote, writes that all come before an instant, the last ones that can look the same to others who compare
// times by unit. The parameter at is that instant, in true time. If the time from the first of these writes to the instant, plus
// hint, is longer than that of best, it stores it in best, with hint and phase. It does nothing if there are no writes.
func lookSame(best *stale, wrote []*Request, at, unit, hint time.Duration, phase int) {
	n := len(wrote) - 1
	if n < 0 {
		return
	}
	unit = max(1, unit-edge)
	low, high := wrote[n].Renew, wrote[n].Renew
	for n > 0 && max(high, wrote[n-1].Renew)-min(low, wrote[n-1].Renew) < unit {
		n--
		low, high = min(low, wrote[n].Renew), max(high, wrote[n].Renew)
	}
	if s := (stale{at - wrote[n].Arrived, hint, wrote[n].Arrived, low, phase}); s.long+hint > best.long+best.hint {
		*best = s
	}
}

// together returns the longest time for which the work of n candidates ran at once. If that never happened, it is negative: by
// how much the work missed it, and lower by four of the plan's horizons for each candidate that is missing.
func (o *Outcome) together(n int, horizon time.Duration) time.Duration {
	best := -4 * horizon * time.Duration(n)
	for i := range o.Works {
		at := o.Works[i].Start
		ends := o.working(at, -1)
		if m := len(ends) - n; m >= 0 {
			best = max(best, ends[m]-at)
		} else {
			best = max(best, 4*horizon*time.Duration(m)+ends[0]-at)
		}
	}
	return best
}

// working looks at the candidates that began work at the instant given as at, or before. For each of them it returns when that
// work ends; the results are sorted. If a candidate has several such works, the last end counts, which can be before that
// instant. It leaves out the candidate whose index is given as but; -1 leaves out none.
func (o *Outcome) working(at time.Duration, but int) (ends []time.Duration) {
	for i := range o.Starts {
		last := never
		for k := range o.Works {
			if w := &o.Works[k]; w.Candidate == i && i != but && w.Start <= at {
				last = max(last, w.End)
			}
		}
		if last != never {
			ends = append(ends, last)
		}
	}
	slices.Sort(ends)
	return ends
}

// request returns the last request of the run with the candidate and step of an event; nil if there is none.
func (o *Outcome) request(e *Event) (found *Request) {
	for k := range o.Sent {
		if q := &o.Sent[k]; q.Candidate == e.Of && q.Step == e.Step {
			found = q
		}
	}
	return found
}
