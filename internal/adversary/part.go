package adversary

import (
	"slices"
	"time"
)

// Part has what one candidate meets.
type Part struct {
	// Start is when, in true time, the candidate calls Run for the first time.
	Start time.Duration
	// Follows is the event after which the candidate starts, in place of Start; nil for none. It must not be changed in
	// place, since plans share it.
	Follows *Event
	// Offset is by how much the candidate's wall clock is ahead of true time at the start.
	Offset time.Duration
	// Jitter is the draw of jitter, in [0,1), for all waits that Waits do not mention.
	Jitter float64
	// Waits are the draws of jitter for single waits, each for the wait after a request; of several after one request the
	// last counts.
	Waits []Wait
	// Base is the fate of a request that no segment covers.
	Base Fate
	// Segments are the fates of requests; of several that cover one request the last counts.
	Segments []Segment
	// Cancels are when the contexts of the candidate's Runs end, one for each Run in order. A Run beyond them is never
	// cancelled.
	Cancels []Anchor
	// Reruns has, for each Run that returns, how much later, in true time, the same elector runs again.
	Reruns []time.Duration
	// Freezes are when and for how long the process is frozen.
	Freezes []Freeze
	// Rates are the changes of the rate of the candidate's clocks.
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

// set gives the request at a step the fate f, whatever its verb is.
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

// insert gives the request at a step the fate f. What the plan has for later requests of the phase moves on by more numbers:
// with 0, f replaces the fate that the step had; with 1, what the step had moves on, too.
func (p *Part) insert(at Step, f Fate, more int) {
	from := at
	if more == 1 {
		from.Number--
	}
	p.shiftAfter(from, more)
	p.set(at, f)
}

// shiftAfter shifts the fates and draws of jitter that the plan has for the requests after a step, in the same phase,
// by that many request numbers; a negative number moves them to earlier requests.
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

// again adds a cancel at an anchor, after which the candidate runs again at once. What the plan has for later phases
// moves to the phases that these become; its segments for the present phase are repeated three phases later, in which
// the candidate leads again if it leads in this one.
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
