package adversary

import (
	"time"

	"interregnum/plan"
)

// Genome is a plan of the adversary: what each candidate meets, in Parts, up to the true time Horizon. It refers to requests by
// candidate and step, and not by instant, so that a change in one place leaves the meaning of everything else. A world asks the
// plan about each request while the run goes on.
type Genome struct {
	Horizon time.Duration
	Parts   []Part
	// Service is the clock of a service whose locks expire by themselves.
	Service Wall
}

// follows returns the event of another candidate after which the i-th candidate starts; nil if the candidate starts at the fixed
// time Start. An event of the candidate itself, or of one that does not exist, counts as none.
func (g *Genome) follows(i int) *Event {
	if e := g.Parts[i].Follows; e != nil && e.Of != i && e.Of < len(g.Parts) {
		return e
	}
	return nil
}

// clone returns a copy. Changes of the copy do not change the plan. The two share only the events in Follows, which are never
// changed.
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

// size returns a weighted count of the plan's candidates and settings, by which the simpler of two plans can be kept.
func (g *Genome) size() int {
	n := 0
	for i := range g.Parts {
		p := &g.Parts[i]
		n += 10 + 4*len(p.Segments) + len(p.Waits) + 3*len(p.Cancels) + 3*len(p.Reruns) + 3*len(p.Freezes) + 2*len(p.Rates)
	}
	return n
}

// Wall is the clock of a service whose locks expire by themselves.
type Wall struct {
	Offset time.Duration
	Rates  []Rate
}

// faults returns the clock's changes of rate as faults of the simulator, each cut to ±maxDriftPPM. Of each anchor only After
// counts, from the start of the run.
func (w *Wall) faults(maxDriftPPM int64) (faults []plan.Fault) {
	for i := range w.Rates {
		ppm := min(max(w.Rates[i].PPM, -maxDriftPPM), maxDriftPPM)
		faults = append(faults, plan.Fault{
			Kind: plan.FaultClock, On: []string{plan.ServiceName}, At: w.Rates[i].After, DriftPPM: &ppm,
		})
	}
	return faults
}
