package adversary

import (
	"slices"
	"time"
)

// Part is what one candidate meets.
type Part struct {
	// Start is when, in true time, it calls Run for the first time.
	Start time.Duration
	// Follows is what it starts after instead, nil for nothing. It is not changed in place: plans share it.
	Follows *Event
	// Offset is by how much its wall clock is ahead of true time at the start.
	Offset time.Duration
	// Jitter is what it draws, in [0,1), where Waits say nothing else.
	Jitter float64
	// Waits are what it draws for the wait that comes after a request; of several after one request the last counts.
	Waits []Wait
	// Base is the fate of a request of which no segment says anything.
	Base Fate
	// Segments are the fates of its requests; of several on one request the last counts.
	Segments []Segment
	// Cancels are when the contexts of its Runs end, one for each Run. One without is never cancelled.
	Cancels []Anchor
	// Reruns are, for each Run that has returned, how much later, in true time, it runs again on the same elector.
	Reruns []time.Duration
	// Freezes are when and for how long the process runs nothing.
	Freezes []Freeze
	// Rates are when its clocks change their rate, and to what.
	Rates []Rate
}

// fate returns what becomes of a request of that verb at a step: as the last segment that covers it says, or else Base.
func (p *Part) fate(at Step, verb Verbs) Fate {
	if i := p.segment(at, verb); i >= 0 {
		return p.Segments[i].Fate
	}
	return p.Base
}

// segment returns the index of the last segment that covers a request, -1 where none does.
func (p *Part) segment(at Step, verb Verbs) int {
	for i := len(p.Segments) - 1; i >= 0; i-- {
		if s := &p.Segments[i]; s.Phase == at.Phase && s.From <= at.Number && at.Number <= s.To && s.Verbs&verb != 0 {
			return i
		}
	}
	return -1
}

// jitter returns the draw of jitter for the wait after a step.
func (p *Part) jitter(at Step) float64 {
	if i := p.wait(at); i >= 0 {
		return p.Waits[i].Jitter
	}
	return p.Jitter
}

// wait returns the index of the wait that belongs to a step, -1 where there is none.
func (p *Part) wait(at Step) int {
	for i := len(p.Waits) - 1; i >= 0; i-- {
		if p.Waits[i].Step == at {
			return i
		}
	}
	return -1
}

// set says what becomes of one request, whatever its verb is.
func (p *Part) set(at Step, f Fate) {
	for i := range p.Segments {
		s := &p.Segments[i]
		if s.Phase == at.Phase && s.From == at.Number && s.To == at.Number && s.Verbs == AllVerbs {
			s.Fate = f
			return
		}
	}
	p.Segments = append(p.Segments, Segment{Phase: at.Phase, From: at.Number, To: at.Number, Verbs: AllVerbs, Fate: f})
}

// insert gives a request that fate. What the plan says of later requests of the phase moves on by more; with 1 the request comes before the one that
// had its number.
func (p *Part) insert(at Step, f Fate, more int) {
	from := at
	if more == 1 {
		from.Number--
	}
	p.shiftAfter(from, more)
	p.set(at, f)
}

// shiftAfter moves what the plan says of the requests after a step, in the same phase, to other numbers.
func (p *Part) shiftAfter(at Step, by int) {
	for k := range p.Segments {
		if s := &p.Segments[k]; s.Phase == at.Phase && s.From > at.Number {
			s.From, s.To = max(1, s.From+by), max(1, s.To+by)
		}
	}
	for k := range p.Waits {
		if w := &p.Waits[k]; w.Phase == at.Phase && w.Number > at.Number {
			w.Number = max(1, w.Number+by)
		}
	}
}

// again adds a cancel of a candidate, which then runs again at once. What the plan says of later phases moves to the same phases after that; what it
// says of this phase is repeated for the next one in which it leads.
func (p *Part) again(at Anchor) {
	const more = 3 // it stops, runs, and leads
	shift := func(s *Step) {
		if s.Phase > at.Phase {
			s.Phase += more
		}
	}
	for k := range p.Segments {
		s := &p.Segments[k]
		if s.Phase > at.Phase {
			s.Phase += more
		} else if s.Phase == at.Phase {
			later := *s
			later.Phase += more
			p.Segments = append(p.Segments, later)
		}
	}
	for k := range p.Waits {
		shift(&p.Waits[k].Step)
	}
	for k := range p.Cancels {
		shift(&p.Cancels[k].Step)
	}
	for k := range p.Freezes {
		shift(&p.Freezes[k].Step)
	}
	for k := range p.Rates {
		shift(&p.Rates[k].Step)
	}
	before := 0
	for before < len(p.Cancels) && p.Cancels[before].Phase <= at.Phase {
		before++
	}
	p.Cancels = slices.Insert(p.Cancels, before, at)
	p.Reruns = slices.Insert(p.Reruns, min(before, len(p.Reruns)), 0)
}
