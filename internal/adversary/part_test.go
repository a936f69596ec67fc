package adversary

import (
	"slices"
	"time"
)

// Part has what one candidate of a plan meets.
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
	// Waits are the draws of jitter for single waits, each for the wait after a request. If several are for one request, the last
	// counts.
	Waits []Wait
	// Base is the fate of a request that no segment covers.
	Base Fate
	// Segments give requests their fates. If several cover one request, the last counts.
	Segments []Segment
	// Cancels say when the contexts of the candidate's Runs end: the first one for the first Run, and so on. Further Runs are
	// never cancelled.
	Cancels []Anchor
	// Reruns has, for each Run that returns, after how long, in true time, the same elector runs again. After further Runs it
	// does not run again.
	Reruns []time.Duration
	// Freezes say when and for how long the process is frozen.
	Freezes []Freeze
	// Rates are the changes of the rate of the candidate's clocks.
	Rates []Rate
}

// fate returns what becomes of a request of that verb at a step: the fate of the last segment that covers the request or, if none
// does, Base.
func (p *Part) fate(at Step, verb Verbs) Fate {
	if i := p.segment(at, verb); i >= 0 {
		return p.Segments[i].Fate
	}
	return p.Base
}

// segment returns the index of the last segment that covers a request of that verb at a step; -1 if none does.
func (p *Part) segment(at Step, verb Verbs) int {
	for i := len(p.Segments) - 1; i >= 0; i-- {
		if s := &p.Segments[i]; s.Phase == at.Phase && s.From <= at.Number && at.Number <= s.To && s.Verbs&verb != 0 {
			return i
		}
	}
	return -1
}

// jitter returns the draw of jitter for the wait after a step: that of Waits or, if they have none, p.Jitter.
func (p *Part) jitter(at Step) float64 {
	if i := p.wait(at); i >= 0 {
		return p.Waits[i].Jitter
	}
	return p.Jitter
}

// wait returns the index of the last element of Waits for a step; -1 if there is none.
func (p *Part) wait(at Step) int {
	for i := len(p.Waits) - 1; i >= 0; i-- {
		if p.Waits[i].Step == at {
			return i
		}
	}
	return -1
}

// set gives the request at a step the fate f, whatever its verb is: it changes the segment that covers this request alone, or
// appends one.
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

// insert gives the request at a step the fate f. The fates and draws that the plan has for later requests of the phase get
// request numbers that are higher by the parameter more. If that is 1, the step's own fate moves on as well; otherwise f takes
// its place.
func (p *Part) insert(at Step, f Fate, more int) {
	from := at
	if more == 1 {
		from.Number--
	}
	p.shiftAfter(from, more)
	p.set(at, f)
}

// shiftAfter adds the number by to the request numbers of the fates and draws of jitter that the plan has for the requests after
// a step, in the same phase. A negative number moves them to earlier requests, but to none before number 1.
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

// again adds a cancel at an anchor, after which the candidate runs again at once. So three more phases begin: it stops, runs, and
// leads. What the plan has for later phases moves to the phases that these become. The segments for the present phase are
// repeated three phases later, in which the candidate leads again if it leads in the present one.
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
