package world

import (
	"time"

	"interregnum/internal/trace"
)

// Observe has the beliefs of an elector noted, after each answer to a request, and when guarded work begins, is cancelled and
// ends.
func (p *Part) Observe(elector Believer) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.observed, p.elector = true, elector
	w.touch()
}

// look waits for touch, and then notes what the electors that were given to Observe say: a nanosecond later, when
// nothing of the instant is left to happen, and as of that instant.
func (w *world) look() {
	for {
		select {
		case <-w.over:
			return
		case <-w.touched:
		}
		at := int64(w.now())
		time.Sleep(time.Nanosecond)
		w.mu.Lock()
		over := w.isOver()
		var all []*Part
		for _, s := range w.seats {
			if s.node.runs() && s.part.runs && s.part.elector != nil {
				all = append(all, s.part)
			}
		}
		w.mu.Unlock()
		if over {
			return
		}
		for _, p := range all {
			p.believe(at, p.elector.IsLeader())
		}
	}
}

// believe notes what an elector said, as of an instant, about whether it leads.
func (p *Part) believe(at int64, believes bool) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.runs && !p.process.gone() {
		p.noteBelief(at, believes)
	}
}

// noteBelief adds an event where the belief has changed, as of an instant that may be over. The caller holds w.mu.
func (p *Part) noteBelief(at int64, believes bool) {
	if p.believes == believes {
		return
	}
	p.believes = believes
	kind := trace.BeliefEnded
	if believes {
		kind = trace.BeliefBegan
	}
	w := p.world()
	before := len(w.events)
	p.note(trace.Event{Kind: kind})
	if len(w.events) > before {
		w.events[before].At = at
	}
}
