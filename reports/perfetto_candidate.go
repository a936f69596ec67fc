package reports

import (
	"cmp"
	"maps"
	"slices"

	"interregnum/internal/trace"
)

// perfettoTerm names a time in which a process works.
type perfettoTerm struct{ incarnation, number int32 }

// perfettoWork is work that has begun; draining is within it, from when its context has ended.
type perfettoWork struct {
	work, draining perfettoAsync
	cancelled      bool
}

// work shows guarded work. That of two processes of one candidate may overlap, hence it is async.
func (p *Perfetto) work(e *trace.Event) {
	c, t := &p.candidates[e.Candidate], perfettoTerm{e.Incarnation, e.Term}
	w := c.terms[t]
	switch {
	case e.Kind == trace.WorkStarted && w == nil:
		w = &perfettoWork{work: perfettoAsync{pidOf(e.Candidate), "work", "work", p.nextID()}}
		c.terms[t] = w
		p.beginAsync(w.work, args{"incarnation": e.Incarnation, "term": e.Term, "token": e.Version})
		p.count(p.election(e), 1)
	case w == nil:
	case e.Kind == trace.WorkCancelled && !w.cancelled:
		w.cancelled = true
		w.draining = p.beginAsync(perfettoAsync{w.work.pid, "work", "draining", w.work.id}, nil)
	case e.Kind == trace.WorkEnded:
		p.endWork(p.election(e), w)
		delete(c.terms, t)
	}
}

// endWork ends the slices of a term's work, and counts one working leader less in the election.
func (p *Perfetto) endWork(election int32, w *perfettoWork) {
	if w.cancelled {
		p.endAsync(w.draining)
	}
	p.endAsync(w.work)
	p.count(election, -1)
}

// closeTerms ends all work of a candidate that has not ended, at the end of the run.
func (p *Perfetto) closeTerms(i int32) {
	c := &p.candidates[i]
	election := p.election(&trace.Event{Candidate: i})
	for _, t := range slices.SortedFunc(maps.Keys(c.terms), func(a, b perfettoTerm) int {
		return cmp.Or(cmp.Compare(a.incarnation, b.incarnation), cmp.Compare(a.number, b.number))
	}) {
		p.endWork(election, c.terms[t])
	}
}

// life shows what a candidate's process is in: Run, belief, a pause.
func (p *Perfetto) life(e *trace.Event) {
	c, pid := &p.candidates[e.Candidate], pidOf(e.Candidate)
	switch e.Kind {
	case trace.RunStarted:
		p.begin(&c.run, pid, runThread, "Run as "+e.Holder, args{"incarnation": e.Incarnation})
	case trace.RunReturned:
		p.end(&c.run)
	case trace.Crashed:
		p.end(&c.run)
		p.end(&c.frozen)
		p.instant(pid, markThread, crashedAs(e.Cause), nil)
		for _, number := range sortedKeys(c.requests) {
			p.stopWaiting(c.requests[number])
		}
	case trace.BeliefBegan:
		p.begin(&c.belief, pid, beliefThread, "leads", nil)
	case trace.BeliefEnded:
		p.end(&c.belief)
	case trace.Paused:
		p.begin(&c.frozen, pid, frozenThread, "frozen", nil)
	case trace.Resumed:
		p.end(&c.frozen)
	}
}

// mark shows an event that takes no time, as an instant on the candidate's own thread for events.
func (p *Perfetto) mark(e *trace.Event) {
	var a args
	name := e.Kind.String()
	switch e.Kind {
	case trace.ClockChanged:
		name, a = "clock changed", args{"jumpNs": e.Amount, "driftPPM": e.Rate}
	case trace.CancelAsked:
		name = "cancelled"
	case trace.Stopped:
		name, a = "OnStoppedLeading", args{"term": e.Term}
	case trace.LeaderReported:
		name, a = "OnNewLeader", args{"leader": e.Holder}
	case trace.EventRecorded:
		name, a = "event", args{"text": e.Holder}
	case trace.MetricSet:
		name, a = "metric", args{"metric": e.Cause.String()}
	case trace.LocalError:
		name, a = "request not sent", args{"verb": e.Verb.String(), "cause": e.Cause.String()}
	case trace.ResourceWritten:
		name, a = "writes the resource", args{"term": e.Term, "token": e.Version}
	}
	p.instant(pidOf(e.Candidate), markThread, name, a)
}
