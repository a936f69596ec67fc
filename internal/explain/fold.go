package explain

import (
	"cmp"
	"slices"
	"time"

	"interregnum/internal/trace"
)

// electionFold follows one election by all its events, and explains each overlap of work.
type electionFold struct {
	header     *trace.Header
	roster     *trace.Roster
	candidates []candidate
	// records are by object.
	records [trace.Objects]record
	// several: there are other objects than the Lease, so that texts have to say which object they are about.
	several bool
	// service is the service's clock, if a lock expires by itself.
	service trace.Clock
	// works are the works that go on.
	works    []*work
	overlaps []overlap
	done     []Explanation
}

// newElectionFold returns the fold of an election that is about to begin; r is the election's roster.
func newElectionFold(h *trace.Header, r *trace.Roster) *electionFold {
	f := &electionFold{header: h, roster: r, candidates: make([]candidate, len(h.Candidates)), several: len(h.Objects()) > 0}
	for o := range f.records {
		f.records[o].deletedAt = never
	}
	if s := h.Service; s != nil {
		f.service = trace.NewClock(s.Offset, s.DriftPPM)
	}
	for i := range f.candidates {
		c := &f.candidates[i]
		c.about = &h.Candidates[i]
		c.clock = trace.NewClock(c.about.Offset, c.about.DriftPPM)
		c.hold, c.claim.at = newHold(), never
	}
	return f
}

// Wants returns all kinds, since explanations need events of all kinds.
func (f *electionFold) Wants() trace.KindSet { return trace.AllKinds }

// Observe updates the fold by the next event of the election. Of a Watch no event counts.
func (f *electionFold) Observe(e *trace.Event) {
	if e.Candidate == trace.Nobody {
		switch e.Kind {
		case trace.Deleted:
			f.records[e.Object] = record{deletedAt: e.At}
		case trace.Expired:
			r := &f.records[e.Object]
			r.exists, r.expiredAt = false, e.At
		case trace.Edited:
			f.records[trace.Lease] = f.records[trace.Lease].afterEdit(e)
		case trace.ServiceClock:
			f.service.Change(e)
		}
		return
	}
	c := &f.candidates[e.Candidate]
	if e.Verb == trace.Watch {
		return // only the Get that follows a watch counts
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
	case trace.RequestHeld:
		c.hold.kept(e, c.about)
	case trace.LocalError:
		c.hold.kept(e, c.about)
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

// life updates the fold by an event about the candidate's process, Run, clock or metrics. A Run that starts forgets what was
// known of the one before.
func (f *electionFold) life(c *candidate, e *trace.Event) {
	switch e.Kind {
	case trace.RunStarted:
		c.identity, c.releasing = e.Holder, false
		c.attempt, c.seen, c.hold = attempt{over: true}, observation{at: never}, newHold()
	case trace.MetricSet:
		if e.Cause == trace.MetricOff && f.roster.Leads(e.Candidate) {
			c.hold.failedAt, c.releasing = e.At, true
		}
	case trace.Stopped:
		c.hold.stoppedAt = e.At
	case trace.CancelAsked:
		c.hold.askedAt = e.At
	case trace.Crashed:
		c.hold.crashed, c.hold.end = true, e.Cause
	case trace.ClockChanged:
		c.clock.Change(e)
	case trace.Paused:
		f.each(e.Candidate, func(w *work) { w.frozen = append(w.frozen, span{e.At, never}) })
	case trace.Resumed:
		f.each(e.Candidate, func(w *work) { w.thaw(e.At) })
	}
}

// each calls do for every work of a candidate that has not ended.
func (f *electionFold) each(candidate int32, do func(*work)) {
	for _, w := range f.works {
		if w.Candidate == candidate {
			do(w)
		}
	}
}

// applied handles a request that took effect at the service, or arrived there without changing anything. It updates the
// request, the object's record, and the candidate's claim and release. It ignores a request that is in c.requests no longer.
func (f *electionFold) applied(c *candidate, e *trace.Event) {
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
		lasts := time.Duration(0)
		if before.writer >= 0 {
			lasts = f.header.Candidates[before.writer].LeaseDuration
		}
		c.claims(e, r, before, lasts)
	}
	if c.hold.released = *r; e.Holder != "" { // it holds the lock, perhaps again
		c.hold.released.appliedAt = never
	}
	released := *before
	*before = before.after(e, stamp)
	before.stampedAt = r.stampedAt
	if e.Verb == trace.Release {
		before.stamp, before.stampedAt = released.stamp, released.stampedAt // a release leaves the row's time as it is
	}
}

// stamp sets r.stamp, the time that a statement writes into a row, and r.stampedAt, when that time was taken. It is the caller's
// time as of sending, which r.stamp has already, or the database's as of applying. e is the event of applying.
func (f *electionFold) stamp(c *candidate, r *request, e *trace.Event) {
	r.stampedAt = r.sentAt
	if !c.about.OwnNow {
		r.stampedAt, r.stamp = e.At, f.service.Wall(e.At)
	}
}

// rowTime returns the time that the statement r writes, cut down to the precision of the row's column, in nanoseconds.
func (f *electionFold) rowTime(r *request) int64 {
	unit := int64(max(f.header.Service.Precision, time.Microsecond))
	rest := r.stamp % unit
	if rest < 0 {
		rest += unit
	}
	return r.stamp - rest
}

// work updates the fold by an event about work. Work that starts is added, with its overlaps (see started). Work that is told to
// end keeps what its term rested on then, and the candidate counts as releasing. Work that ends is removed, and its overlaps are
// explained (see ended).
func (f *electionFold) work(c *candidate, e *trace.Event) {
	switch e.Kind {
	case trace.WorkStarted:
		f.started(c, e)
	case trace.WorkCancelled:
		c.releasing = true
		for _, w := range f.works {
			if w.TermID == e.TermID() {
				w.cancelledAt, w.hold = e.At, c.hold
			}
		}
	case trace.WorkEnded:
		f.ended(e)
	}
}

// started adds work that starts to f.works, and an overlap with every other candidate's work that still runs to
// f.overlaps. It forgets that the candidate gave up renewing before.
func (f *electionFold) started(c *candidate, e *trace.Event) {
	c.hold.failedAt = never
	w := &work{
		TermID: e.TermID(), claim: c.claim, cancelledAt: never, endedAt: never,
	}
	for _, first := range f.works {
		if first.Candidate != w.Candidate {
			f.overlaps = append(f.overlaps, overlap{first: first, second: w, from: e.At})
		}
	}
	f.works = append(f.works, w)
}

// ended removes work that ends from f.works, and explains the overlaps that it was part of, which adds them to f.done. It does
// nothing if f.works does not have that work.
func (f *electionFold) ended(e *trace.Event) {
	i := slices.IndexFunc(f.works, func(w *work) bool { return w.TermID == e.TermID() })
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

// explain adds the explanation of an overlap that ended at to, in nanoseconds, to f.done. It leaves out an overlap of
// no length.
func (f *electionFold) explain(o *overlap, to int64) {
	if to <= o.from {
		return
	}
	t := &teller{
		header: f.header, candidates: f.candidates, several: f.several,
		first: o.first, second: o.second, from: o.from, to: to, hold: o.first.hold,
	}
	t.a, t.b = t.name(o.first.Candidate), t.name(o.second.Candidate)
	if o.first.cancelledAt == never {
		t.hold = f.candidates[o.first.Candidate].hold
	}
	start, because := t.start()
	end, still := t.end()
	slices.SortStableFunc(t.steps, func(x, y Step) int { return cmp.Compare(x.AtNs, y.AtNs) })
	f.done = append(f.done, Explanation{
		FromNs: o.from, ToNs: to, First: t.a, Second: t.b, Election: t.about().Election,
		Summary: because + "; " + still, Steps: t.steps, Sum: newSum(end, start),
	})
}

// finish ends the overlaps that go on at the horizon, and adds their explanations to f.done.
func (f *electionFold) finish(horizonNs int64) {
	for _, o := range f.overlaps {
		f.explain(&o, horizonNs)
	}
	f.overlaps = nil
}
