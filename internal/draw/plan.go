package draw

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// maxHorizon keeps a run short: many short runs find more than a few long ones.
const maxHorizon = 2 * time.Minute

// Plan draws a plan, which depends on the space and on the choices that from makes alone. It does not set the plan's seed.
func (s *Space) Plan(from Source) *plan.Plan {
	var sheet Sheet
	sheet.Draw(s, from)
	return &sheet.Plan
}

// Draw draws a plan of the space s into t.Plan, without a seed. It depends on the space, and on the choices that come from the
// Source, alone. A plan that was on the sheet before must not be used any more.
func (t *Sheet) Draw(s *Space, from Source) {
	t.reset()
	d := &t.drawing
	*d = drawing{Source: from, sheet: t, space: s, plan: &t.Plan, timings: s.Timings, objects: d.objects[:0]}
	p := d.plan
	if d.timings == (machine.Timings{}) {
		d.timings = d.anyTimings()
	}
	p.Horizon = min(maxHorizon, 8*d.timings.LeaseDuration)
	d.network()
	offset := time.Minute
	if s.ByCandidates(&s.Profile) {
		offset = d.even(s.Limits.MaxClockOffset)
	}
	n := s.Candidates
	if n == 0 {
		n = 2 + d.IntN(3)
	}
	d.shareClient()
	for i := range n {
		p.Candidates = append(p.Candidates, d.candidate(i, offset))
	}
	d.split()
	d.service()
	d.survey()
	d.storm()
	if s.Limits.Rollouts && d.oneIn(2) {
		d.rollout()
	}
}

// Mutate stores in t.Plan a copy of a plan, of, that is changed at random in one to three places. The plan must be of the space
// s, and its pauses must have an end. The copy shares what the plan's pointers point to. A plan that was on the sheet before must
// not be used any more.
func (t *Sheet) Mutate(s *Space, of *plan.Plan, from Source) {
	t.reset()
	p := &t.Plan
	candidates, faults := append(p.Candidates, of.Candidates...), append(p.Faults, of.Faults...)
	*p = *of
	p.Candidates, p.Faults = candidates, faults
	d := &t.drawing
	*d = drawing{Source: from, sheet: t, space: s, plan: p, timings: p.Candidates[0].Timings, objects: d.objects[:0]}
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

// survey stores in d.objects which objects candidates lock, in d.apart how much further apart the clocks that decide when a
// lock expires may be set, and in d.someClients and d.allClients who has a client.
func (d *drawing) survey() {
	d.someClients, d.allClients = clientsOf(d.plan)
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
