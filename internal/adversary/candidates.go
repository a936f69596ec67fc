package adversary

import (
	"slices"
	"time"
)

// mostParts is how many candidates a plan has at most.
const mostParts = 10

// refer renumbers whom the candidates follow, for all candidates from the index from on: to returns the new index for
// an old one.
func (g *Genome) refer(from int, to func(int) int) {
	for i := from; i < len(g.Parts); i++ {
		if e := g.Parts[i].Follows; e != nil {
			later := *e
			later.Of = to(e.Of)
			g.Parts[i].Follows = &later
		}
	}
}

// drop takes a candidate out of a plan. A candidate that followed it starts at the time at which it started in the run.
func (g *Genome) drop(i int, o *Outcome) {
	for k := range g.Parts {
		if e := g.follows(k); e != nil && e.Of == i {
			g.Parts[k].Follows = nil
			if k < len(o.Starts) && o.Starts[k] != never {
				g.Parts[k].Start = o.Starts[k]
			}
		}
	}
	g.Parts = slices.Delete(g.Parts, i, i+1)
	g.refer(0, func(of int) int {
		if of > i {
			return of - 1
		}
		return of
	})
}

// swap lets two candidates change places; others follow the same candidates as before.
func (g *Genome) swap(i, j int) {
	g.Parts[i], g.Parts[j] = g.Parts[j], g.Parts[i]
	g.refer(0, func(of int) int {
		switch of {
		case i:
			return j
		case j:
			return i
		}
		return of
	})
}

// relay inserts copies of n candidates after them. A copy follows the copy that corresponds to what the original
// follows, and all candidates after the originals start that much later.
func (g *Genome) relay(from, n int, later time.Duration) {
	if from+n > len(g.Parts) || len(g.Parts)+n > mostParts {
		return
	}
	copies := (&Genome{Parts: g.Parts[from : from+n]}).clone().Parts
	g.Parts = slices.Insert(g.Parts, from+n, copies...)
	g.refer(from+n, func(of int) int { return of + n })
	for i := from + n; i < len(g.Parts); i++ {
		g.Parts[i].Start += later
	}
	g.Horizon += later
}
