package world

import "interregnum/internal/trace"

// join begins a Run in this election, unless one is going on. The caller holds w.mu.
func (p *Part) join() {
	if !p.runs {
		p.runs, p.termsBefore = true, p.terms
		p.note(trace.Event{Kind: trace.RunStarted, Holder: p.process.identity})
	}
}

// leave ends a Run in this election, and with it the belief. The caller holds w.mu.
func (p *Part) leave() {
	p.settle()
	p.elector = nil
	if p.runs && !p.process.gone() {
		p.noteBelief(int64(p.world().now()), false)
		p.note(trace.Event{Kind: trace.RunReturned})
	}
	p.runs = false
}

// die notes what the end of the process means for this election: the crash, and the end of its work and its belief. The
// caller holds w.mu.
func (p *Part) die(why trace.Cause) {
	p.settle()
	p.note(trace.Event{Kind: trace.Crashed, Cause: why})
	for _, t := range p.open {
		t.noteCancelled()
		p.note(trace.Event{Kind: trace.WorkEnded, Term: t.number})
	}
	p.noteBelief(int64(p.world().now()), false)
}

// stoppedLeading notes a call of OnStoppedLeading, and of which term it tells the end: 0 where no term's end is left to
// tell.
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

// stoppedRun notes the end of a Run, in a scenario of several elections, when its OnStoppedLeading has returned. In a scenario of
// one election it does nothing: process.returned notes the end there, when the candidate's function returns.
func (p *Part) stoppedRun() {
	if p.seat.plan.Election == "" {
		return
	}
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.leave()
}
