package world

import (
	"context"

	"interregnum/internal/trace"
)

// join begins a Run of the elector in this election and adds that to the trace, unless one is going on. It keeps in p.termsBefore
// how many terms there were before this Run. The caller holds w.mu.
func (p *Part) join() {
	if !p.runs {
		p.runs, p.termsBefore = true, p.terms
		p.note(trace.Event{Kind: trace.RunStarted, Holder: p.process.identity})
	}
}

// leave ends the Run in this election, and the candidate's belief with it, and adds both to the trace; it also forgets the
// elector given to Observe. If no Run goes on or the process has crashed, it adds nothing. The caller holds w.mu.
func (p *Part) leave() {
	p.settle()
	p.elector = nil
	if p.runs && !p.process.gone() {
		p.noteBelief(int64(p.world().now()), false)
		p.note(trace.Event{Kind: trace.RunReturned})
	}
	p.runs, p.releases = false, false
}

// die adds to the trace what the end of the process means for this election: the crash with its cause why, and the end of its
// work and its belief. The caller holds w.mu.
func (p *Part) die(why trace.Cause) {
	p.settle()
	p.note(trace.Event{Kind: trace.Crashed, Cause: why})
	for _, t := range p.open {
		t.noteCancelled()
		p.note(trace.Event{Kind: trace.WorkEnded, Term: t.number})
	}
	p.noteBelief(int64(p.world().now()), false)
}

// stoppedLeading adds a call of OnStoppedLeading to the trace, with the number of the last term, whose end it tells. The number
// is 0 if an earlier call has told that, or if there was no term.
func (p *Part) stoppedLeading() {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.settle()
	number := int32(0)
	if p.stopped < p.terms {
		number, p.stopped = p.terms, p.terms
	}
	p.note(trace.Event{Kind: trace.Stopped, Term: number})
}

// stoppedRun ends the Run, in a scenario of several elections, when its OnStoppedLeading has returned. If releases is true and the
// elector, if one is known, leads no longer, a release may follow. Then the Run ends as soon as its work has returned and it has
// no request under way: see look. In a scenario of one election it does nothing: process.returned ends the Run there, when the
// candidate's function returns.
func (p *Part) stoppedRun(releases bool) {
	if p.seat.plan.Election == "" {
		return
	}
	w := p.world()
	w.mu.Lock()
	elector := p.elector
	w.mu.Unlock()
	believes := elector != nil && elector.IsLeader()
	w.mu.Lock()
	defer w.mu.Unlock()
	if releases && !believes {
		p.releases = true
		w.touch()
		return
	}
	p.leave()
}

// leaveFor ends a Run whose OnStoppedLeading has returned, if ctx, the context of a request on the lock, derives from that of the
// candidate's function: then the request is the next Run's. The context of a release does not derive from it. The caller holds w.mu.
func (p *Part) leaveFor(ctx context.Context) {
	if _, ok := ctx.Value(partKey{}).(*Part); ok && p.releases {
		p.leave()
	}
}
