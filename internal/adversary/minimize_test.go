package adversary

import (
	"slices"
	"time"

	"interregnum/internal/fate"
)

// minimize simplifies the plan f step by step, as long as its overlap stays longer than the duration given as more, and returns
// the result. A simpler plan whose run fails is left out. It ends when no simpler plan has such an overlap.
func minimize(c *Case, w world, f *found, more time.Duration) *found {
	for again := true; again; {
		again = false
		for _, g := range f.g.simpler(f.o) {
			o := w.run(c, g)
			if score := o.overlap(g.Horizon); score > more && o.Err == nil {
				f, again = &found{g: g, o: o, score: score}, true
				break
			}
		}
	}
	return f
}

// simpler returns copies of the plan, each with one simplification: without one candidate or setting, or with a plainer setting.
// It keeps at least two candidates. o is the outcome of the plan's run.
func (g *Genome) simpler(o *Outcome) (all []*Genome) {
	change := func(do func(*Genome)) {
		next := g.clone()
		do(next)
		all = append(all, next)
	}
	if len(g.Parts) > 2 {
		for i := range g.Parts {
			change(func(g *Genome) { g.drop(i, o) })
		}
	}
	for i := range g.Parts {
		p := &g.Parts[i]
		for k := range p.Segments {
			change(func(g *Genome) { g.Parts[i].Segments = slices.Delete(g.Parts[i].Segments, k, k+1) })
		}
		for k := range p.Cancels {
			change(func(g *Genome) { g.Parts[i].Cancels = slices.Delete(g.Parts[i].Cancels, k, k+1) })
		}
		for k := range p.Freezes {
			change(func(g *Genome) { g.Parts[i].Freezes = slices.Delete(g.Parts[i].Freezes, k, k+1) })
		}
		for k := range p.Rates {
			change(func(g *Genome) { g.Parts[i].Rates = slices.Delete(g.Parts[i].Rates, k, k+1) })
		}
		for k := range p.Waits {
			change(func(g *Genome) { g.Parts[i].Waits = slices.Delete(g.Parts[i].Waits, k, k+1) })
		}
		if p.Jitter != 0 {
			change(func(g *Genome) { g.Parts[i].Jitter = 0 })
		}
		if p.Offset != 0 {
			change(func(g *Genome) { g.Parts[i].Offset = 0 })
		}
		if p.Base != (Fate{}) {
			change(func(g *Genome) { g.Parts[i].Base = Fate{} })
		}
		for k := range p.Segments {
			f := p.Segments[k].Fate
			plain := Fate{Out: fate.Way{Lost: f.Out.Lost}, Back: fate.Way{Lost: f.Back.Lost}, Refusal: f.Refusal}
			if plain != f {
				change(func(g *Genome) { g.Parts[i].Segments[k].Fate = plain })
			}
		}
	}
	return all
}
