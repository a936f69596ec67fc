package world

import (
	"context"
	"time"
)

// earlyReturn is a return of OnStartedLeading before its context had ended, by a candidate that releases the lock.
// None of its work may go on after that instant.
type earlyReturn struct {
	at time.Duration
	// term is the number of the work.
	term int32
}

// startsLeading forgets how an earlier OnStartedLeading of this election returned, and what it left behind. If that one left
// goroutines that went on unguarded, startsLeading fails the run: see unguardedBehind. It also fails the run if ctx, the context of the
// new OnStartedLeading, begins before that of the earlier one has ended: then two electors lead.
func (p *Part) startsLeading(ctx context.Context) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.unguardedBehind()
	if p.leads != nil && p.leads.Err() == nil && !p.process.gone() {
		w.fail("candidate %s: OnStartedLeading was called at %v, when the context of an earlier call had not ended: two electors of one process, with one "+
			"name on one lock, both lead, and do the work twice. Want one elector for each lock and process", p.seat.name(), w.now())
	}
	p.leads = ctx
	p.returned, p.behind, p.aides = nil, nil, nil
}

// startedReturned notes in p.returned that OnStartedLeading has returned, if the candidate releases the lock and ctx, the context
// of the work, has not ended.
func (p *Part) startedReturned(ctx context.Context) {
	t, begun := ctx.Value(termKey{}).(*term)
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	if begun && p.seat.plan.ReleaseOnCancel && ctx.Err() == nil && !p.process.gone() {
		p.returned = &earlyReturn{w.now(), t.number}
	}
}

// outstays fails the run if t goes on now although OnStartedLeading has returned at an earlier instant (p.returned), of t's term
// or an earlier one. For code that perhaps never releases the lock (mayKeep) it sets w.doubted instead. The caller holds w.mu.
func (t *term) outstays() {
	p := t.part
	w := p.world()
	if p.returned == nil || t.number < p.returned.term || w.now() <= p.returned.at || p.process.gone() {
		return
	}
	if w.mayKeep {
		w.doubted = true
		return
	}
	w.fail("candidate %s: OnStartedLeading returned at %v, before its context had ended, and its guarded work went on. A "+
		"candidate that releases the lock may give it up at that return, and does in a client-go with "+
		"kubernetes/kubernetes#139991: another one works then beside what goes on. Want OnStartedLeading to return only when "+
		"all that it has started is over, such as by a sync.WaitGroup", p.seat.name(), p.returned.at)
}

// allOutstaying fails the run if work goes on at the run's end although its OnStartedLeading has returned before: see outstays.
// The caller holds w.mu.
func (w *world) allOutstaying() {
	for _, s := range w.seats {
		if s.part == nil {
			continue
		}
		for _, t := range s.part.open {
			t.outstays()
		}
	}
}
