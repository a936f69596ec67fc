package explain

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
)

// Fold follows a run by its events, all of them, and explains each overlap of work. It is a trace.Sink; use NewFold.
type Fold struct {
	header     *trace.Header
	candidates []candidate
	// records are by object.
	records [trace.Objects]record
	// several: there are other objects than the Lease, and what is said of one says which.
	several bool
	// service is its clock, where a lock expires by itself.
	service clock
	// works are those that go on.
	works    []*work
	overlaps []overlap
	done     []Explanation
	// elections are nil where there is but one; else each is followed by itself.
	elections []electionFold
}

// candidate is what is known of one.
type candidate struct {
	about    *trace.Candidate
	clock    clock
	identity string
	requests []request
	attempt  attempt
	pair     pair
	seen     observation
	claim    claim
	hold     hold
	// working and releasing are of the present Run: a get after it gave up renewing is part of a release.
	working, releasing bool
}

// overlap is one that goes on.
type overlap struct {
	first, second *work
	from          int64
}

// NewFold returns the explanations of a run that is about to begin.
func NewFold(h *trace.Header) *Fold {
	f := &Fold{header: h, candidates: make([]candidate, len(h.Candidates)), several: len(h.Objects()) > 0}
	for i, run := range h.Project() {
		f.elections = append(f.elections, electionFold{name: h.Elections[i], run: run, fold: NewFold(run.Header)})
	}
	for o := range f.records {
		f.records[o].deletedAt = never
	}
	if s := h.Service; s != nil {
		f.service = newClock(&trace.Candidate{Offset: s.Offset, DriftPPM: s.DriftPPM})
	}
	for i := range f.candidates {
		c := &f.candidates[i]
		c.about, c.clock = &h.Candidates[i], newClock(&h.Candidates[i])
		c.hold, c.claim.at = newHold(), never
	}
	return f
}

// Explanations returns what there was to explain, by when it began, once the run has reached its horizon.
func (f *Fold) Explanations(horizonNs int64) []Explanation {
	for i := range f.elections {
		f.done = append(f.done, f.elections[i].explanations(horizonNs)...)
	}
	for _, o := range f.overlaps {
		f.explain(&o, horizonNs)
	}
	f.overlaps = nil
	slices.SortStableFunc(f.done, func(a, b Explanation) int {
		return cmp.Or(cmp.Compare(a.FromNs, b.FromNs), cmp.Compare(a.ToNs, b.ToNs))
	})
	return f.done
}

// Observe takes in an event.
func (f *Fold) Observe(e *trace.Event) {
	if f.elections != nil {
		f.observeElections(e)
		return
	}
	if e.Candidate == trace.Nobody {
		switch e.Kind {
		case trace.Deleted:
			f.records[e.Object] = record{deletedAt: e.At}
		case trace.Expired:
			f.expired(e)
		case trace.ServiceClock:
			f.service.change(e)
		}
		return
	}
	c := &f.candidates[e.Candidate]
	if e.Verb == trace.Watch {
		return // what it tells of is looked at then
	}
	switch e.Kind {
	case trace.RequestSent:
		c.sent(e)
	case trace.RequestApplied, trace.Written:
		f.applied(c, e)
	case trace.RequestLost, trace.ResponseLost, trace.ResponseLate:
		c.lost(e)
	case trace.ResponseHandled:
		c.handled(e)
	case trace.GaveUp:
		c.attempt.end(e.At, e.Verb, false)
	case trace.LocalError:
		if !c.releasing {
			c.attempt.begin(e.At, e.Verb, &c.clock)
			c.attempt.end(e.At, e.Verb, false)
			c.hold.tries(e.At, trace.LocalError)
		}
	case trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded:
		f.work(c, e)
	default:
		f.life(c, e)
	}
}

// life takes in an event about a candidate's process, Run or clock.
func (f *Fold) life(c *candidate, e *trace.Event) {
	switch e.Kind {
	case trace.RunStarted:
		c.identity, c.working, c.releasing = e.Holder, false, false
		c.attempt, c.seen, c.hold = attempt{over: true}, observation{at: never}, newHold()
	case trace.MetricSet:
		if e.Cause == trace.MetricOff && c.working {
			c.hold.failedAt, c.releasing = e.At, true
		}
	case trace.CancelAsked:
		c.hold.askedAt = e.At
	case trace.Crashed:
		c.hold.crashed, c.hold.end = true, e.Cause
	case trace.ClockChanged:
		c.clock.change(e)
	case trace.Paused:
		f.each(e.Candidate, func(w *work) { w.frozen = append(w.frozen, span{e.At, never}) })
	case trace.Resumed:
		f.each(e.Candidate, func(w *work) { w.thaw(e.At) })
	}
}

// each calls do for every work of the candidate that has not ended.
func (f *Fold) each(candidate int32, do func(*work)) {
	for _, w := range f.works {
		if w.candidate == candidate {
			do(w)
		}
	}
}

// applied takes in that a request took effect at the service, or arrived there without changing anything.
func (f *Fold) applied(c *candidate, e *trace.Event) {
	r := c.find(e.Request)
	if r == nil {
		return
	}
	before := &f.records[e.Object]
	r.appliedAt, r.appliedAs, r.read = e.At, e.Kind, *before
	if e.Kind != trace.Written {
		c.passesOver(e, before)
		return
	}
	stamp := r.stamp
	if e.Object == trace.Row {
		f.stamp(c, r, e)
		stamp = f.rowTime(r)
	}
	if c.about.First(e.Object) {
		c.claims(e, r, before)
	}
	if e.Holder == "" {
		c.hold.released = *r
	}
	released := *before
	*before = before.after(e, stamp)
	before.stampedAt = r.stampedAt
	if e.Verb == trace.Release {
		before.stamp, before.stampedAt = released.stamp, released.stampedAt // it leaves the time as it is
	}
}

// work takes in that work starts, is told to end, or ends.
func (f *Fold) work(c *candidate, e *trace.Event) {
	switch e.Kind {
	case trace.WorkStarted:
		f.started(c, e)
	case trace.WorkCancelled:
		c.working = false
		c.releasing = true
		for _, w := range f.works {
			if w.is(e) {
				w.cancelledAt, w.hold = e.At, c.hold
			}
		}
	case trace.WorkEnded:
		f.ended(e)
	}
}

// is tells whether an event is about this work.
func (w *work) is(e *trace.Event) bool {
	return w.candidate == e.Candidate && w.incarnation == e.Incarnation && w.number == e.Term
}

// started takes in that work starts; it begins an overlap with every other candidate's work that still runs.
func (f *Fold) started(c *candidate, e *trace.Event) {
	c.working = true
	c.hold.failedAt = never
	w := &work{
		candidate: e.Candidate, incarnation: e.Incarnation, number: e.Term, startedAt: e.At, claim: c.claim,
		cancelledAt: never, endedAt: never,
	}
	for _, first := range f.works {
		if first.candidate != w.candidate {
			f.overlaps = append(f.overlaps, overlap{first: first, second: w, from: e.At})
		}
	}
	f.works = append(f.works, w)
}

// ended takes in that work ends, and explains the overlaps that it was part of.
func (f *Fold) ended(e *trace.Event) {
	i := slices.IndexFunc(f.works, func(w *work) bool { return w.is(e) })
	if i < 0 {
		return
	}
	over := f.works[i]
	over.endedAt = e.At
	kept := f.overlaps[:0]
	for _, o := range f.overlaps {
		if o.first == over || o.second == over {
			f.explain(&o, e.At)
		} else {
			kept = append(kept, o)
		}
	}
	f.overlaps = kept
	f.works = slices.Delete(f.works, i, i+1)
}
