package adversary

import (
	"slices"
	"time"

	"interregnum/internal/fate"
)

// Genome is one plan of the adversary: what each candidate meets. It says so by candidate and request number, not by
// instant, so that a change in it leaves the rest its meaning. A world asks it as the run goes.
type Genome struct {
	Horizon time.Duration
	Parts   []Part
	// Service is the clock of a service whose locks expire by themselves.
	Service Wall
}

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

// A candidate's life has phases: another begins whenever it has become leader, when it gives up as a leader or is cancelled,
// and with each Run after the first. Requests are counted from 1 in each phase. What is said of the requests of a phase thus
// keeps its meaning where an earlier one has changed.

// Anchor is an instant: so long after the candidate's request of that number in that phase was sent, 0 being when the phase
// began. For a cancel it is no earlier than the Run that it is of.
type Anchor struct {
	Step
	After time.Duration
}

// Event is an instant by what another candidate does: so long after that request of its arrived at the service.
type Event struct {
	Of int
	Anchor
}

// follows returns the event of another candidate after which the i-th starts, nil where it starts at a fixed time.
func (g *Genome) follows(i int) *Event {
	if e := g.Parts[i].Follows; e != nil && e.Of != i && e.Of < len(g.Parts) {
		return e
	}
	return nil
}

// instant returns when an anchor is, if its step is taken now: a nanosecond later at least.
func (a *Anchor) instant(now time.Duration) time.Duration { return now + max(1, a.After) }

// Wait is a draw of jitter for the wait that comes after a request. One that is drawn for nothing thus changes no other.
type Wait struct {
	Step
	Jitter float64
}

// Freeze is that a process runs nothing for a while of true time.
type Freeze struct {
	Anchor
	Length time.Duration
}

// Rate is that a clock runs by so many parts per million faster than true time from then on.
type Rate struct {
	Anchor
	PPM int64
}

// Verbs says of which requests a segment is.
type Verbs uint8

// The verbs of a lock service of records; AllVerbs includes those of others.
const (
	Gets Verbs = 1 << iota
	Creates
	Updates
	Others
	AllVerbs = Gets | Creates | Updates | Others
)

// Segment is the fate of a candidate's requests of these verbs in a phase, with the numbers From to To, both included.
type Segment struct {
	Phase    int
	From, To int
	Verbs    Verbs
	Fate     Fate
}

// Fate is what becomes of a request.
type Fate = fate.Fate

// most is a number of a request that no run reaches.
const most = 1 << 30

// Step is a request of a candidate: its number in a phase, or 0 for the phase's beginning.
type Step struct{ Phase, Number int }

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

// clone returns a copy that shares nothing with the plan.
func (g *Genome) clone() *Genome {
	out := &Genome{Horizon: g.Horizon, Parts: make([]Part, len(g.Parts)), Service: g.Service}
	out.Service.Rates = append([]Rate(nil), g.Service.Rates...)
	for i := range g.Parts {
		p := g.Parts[i]
		p.Waits = append([]Wait(nil), p.Waits...)
		p.Segments = append([]Segment(nil), p.Segments...)
		p.Cancels = append([]Anchor(nil), p.Cancels...)
		p.Reruns = append([]time.Duration(nil), p.Reruns...)
		p.Freezes = append([]Freeze(nil), p.Freezes...)
		p.Rates = append([]Rate(nil), p.Rates...)
		out.Parts[i] = p
	}
	return out
}

// tidy returns a copy of the plan without what its run never asked for.
func (g *Genome) tidy(o *Outcome) *Genome {
	out := g.clone()
	for i := range out.Parts {
		p := &out.Parts[i]
		asked := make([]bool, len(p.Segments))
		for k := range o.Sent {
			if q := &o.Sent[k]; q.Candidate == i {
				if s := p.segment(q.Step, q.Verb); s >= 0 {
					asked[s] = true
				}
			}
		}
		kept := p.Segments[:0]
		for k, s := range p.Segments {
			if asked[k] {
				kept = append(kept, s)
			}
		}
		p.Segments = kept
		waits := p.Waits[:0]
		for k, w := range p.Waits {
			if p.wait(w.Step) == k && slices.Contains(o.Drew[i], w.Step) {
				waits = append(waits, w)
			}
		}
		p.Waits = waits
		p.Cancels = p.Cancels[:min(len(p.Cancels), o.Runs[i])]
		p.Reruns = p.Reruns[:min(len(p.Reruns), o.Runs[i])]
	}
	return out
}

// oneJitter gives each candidate one draw of jitter, the mean of those that its run drew.
func (g *Genome) oneJitter(o *Outcome) {
	for i := range g.Parts {
		p, sum := &g.Parts[i], 0.0
		for _, at := range o.Drew[i] {
			sum += p.jitter(at)
		}
		p.Jitter, p.Waits = sum/float64(max(1, len(o.Drew[i]))), nil
	}
}

// size weighs how much a plan consists of, so that the simpler of two plans can be kept.
func (g *Genome) size() int {
	n := 0
	for i := range g.Parts {
		p := &g.Parts[i]
		n += 10 + 4*len(p.Segments) + len(p.Waits) + 3*len(p.Cancels) + 3*len(p.Reruns) + 3*len(p.Freezes) + 2*len(p.Rates)
	}
	return n
}
