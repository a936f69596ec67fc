package world

import (
	"context"
	"slices"

	"interregnum/internal/trace"
)

// begin returns a new term of guarded work, which is told to end when ctx ends. It adds the term to p.open and its beginning to
// the trace, sets w.guarded, and asks for a look at the beliefs. If ctx has ended already, it notes in the term where Guard was
// called (late). The caller holds w.mu.
func (p *Part) begin(ctx context.Context) *term {
	p.terms++
	w := p.world()
	t := &term{part: p, number: p.terms, guards: 1, ctx: ctx, at: w.now()}
	if ctx.Err() != nil {
		t.late = caller()
	}
	p.open = append(p.open, t)
	w.guarded = true
	p.note(trace.Event{Kind: trace.WorkStarted, Term: t.number, Version: p.version})
	p.meetsForgotten()
	t.unwatch = context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		t.noteCancelled()
		w.touch()
	})
	w.touch()
	return t
}

// noteCancelled adds to the trace that the work was told to end. It does nothing if it has done so before, or if the work is over.
// The caller holds w.mu.
func (t *term) noteCancelled() {
	if !t.cancelled && slices.Contains(t.part.open, t) {
		t.cancelled = true
		t.part.note(trace.Event{Kind: trace.WorkCancelled, Term: t.number})
	}
}

// done ends one of the term's guards. When the last one ends, the work ends, and done adds that to the trace. If the work has
// gone on for too long, the run fails: see outstays.
func (t *term) done() {
	p := t.part
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	t.outstays()
	if t.guards--; t.guards > 0 {
		return
	}
	t.unwatch()
	t.noteCancelled()
	p.open = slices.DeleteFunc(p.open, func(o *term) bool { return o == t })
	p.note(trace.Event{Kind: trace.WorkEnded, Term: t.number})
	w.touch()
}

// settle adds to the trace that work was told to end, for all open work whose context has ended. Each term does that by itself
// when its context ends, but sometimes another goroutine is quicker to note what follows from it. The caller holds w.mu.
func (p *Part) settle() {
	for _, t := range p.open {
		if t.ctx.Err() != nil {
			t.noteCancelled()
		}
	}
}
