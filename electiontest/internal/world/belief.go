package world

import (
	"time"

	"interregnum/internal/trace"
)

// Observe makes the run ask elector whether it leads: now, after each request that is answered or given up, and when guarded
// work begins, is cancelled and ends. Each change goes into the trace. An elector that was given before is asked no more.
func (p *Part) Observe(elector Believer) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.releases {
		p.leave() // that is the elector of the next Run
	}
	w.observed, p.elector = true, elector
	w.touch()
}

// look asks all electors given to Observe whether they lead, after each touch, and adds the changes to the trace. It asks a
// nanosecond later, when everything of the touch's instant has happened, and notes the answers as of that instant. It returns
// when the run is over.
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
			if p := s.part; p != nil && p.releases && p.flying == 0 && len(p.open) == 0 {
				p.leave()
			}
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

// believe takes the elector's answer to whether it leads, believes, which it gave at the time at, in ns since the run began. If
// that is not its last answer, the change goes into the trace. believe does nothing once the process has crashed or its Run has
// ended.
func (p *Part) believe(at int64, believes bool) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.runs && !p.process.gone() {
		p.noteBelief(at, believes)
	}
}

// noteBelief sets p.believes to believes, the elector's answer to whether it leads. If that is a change, it adds an event to the
// trace. at is the time of the event, in ns since the run began, and can be in the past. The caller holds w.mu.
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
