package draw

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// maxHorizon keeps a run short: many short runs find more than a few long ones.
const maxHorizon = 2 * time.Minute

// Plan draws a plan: a pure function of the space and of the choices. It does not set the plan's seed.
func (s *Space) Plan(from Source) *plan.Plan {
	p := &plan.Plan{}
	d := &drawing{Source: from, space: s, plan: p, timings: s.Timings}
	if d.timings == (machine.Timings{}) {
		d.timings = d.anyTimings()
	}
	p.Horizon = min(maxHorizon, 8*d.timings.LeaseDuration)
	d.network()
	offset := time.Minute
	if s.CallersNow() {
		offset = d.even(s.Limits.MaxClockOffset)
	}
	n := s.Candidates
	if n == 0 {
		n = 2 + d.IntN(3)
	}
	p.Candidates = make([]plan.Candidate, 0, n)
	for i := range n {
		p.Candidates = append(p.Candidates, d.candidate(i, offset))
	}
	d.split()
	d.service()
	d.survey()
	d.storm()
	return p
}

// Mutate changes a plan at random in one to three places. The plan must be one of the space, and its pauses must have
// an end. Mutate does not write through the plan's pointers.
func (s *Space) Mutate(p *plan.Plan, from Source) {
	d := &drawing{Source: from, space: s, plan: p, timings: p.Candidates[0].Timings}
	d.survey()
	for i := range p.Faults {
		if f := &p.Faults[i]; f.Kind == plan.FaultPause {
			d.frozen += *f.Until - f.At
		}
	}
	for range 1 + d.IntN(3) {
		d.mutate()
	}
}

// survey notes which objects candidates lock, and how much further apart the clocks that decide may be set.
func (d *drawing) survey() {
	d.apart = d.space.Limits.MaxClockOffset - d.space.Apart(d.plan)
	all := d.plan.Candidates
	for i := range all {
		if i > 0 && all[i].Lock == all[i-1].Lock {
			continue
		}
		for _, o := range all[i].Lock.Objects() {
			if !slices.Contains(d.objects, o) {
				d.objects = append(d.objects, o)
			}
		}
	}
}
