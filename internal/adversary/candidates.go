package adversary

import (
	"slices"
	"time"
)

// mostParts is how many candidates a plan has at most.
const mostParts = 10

// refer rewrites the index of the followed candidate (Follows.Of) in all candidates from index from on. to maps an
// old index to the new one.
func (g *Genome) refer(from int, to func(int) int) {
	for i := from; i < len(g.Parts); i++ {
		if e := g.Parts[i].Follows; e != nil {
			later := *e
			later.Of = to(e.Of)
			g.Parts[i].Follows = &later
		}
	}
}

// drop removes the i-th candidate from the plan. A candidate that followed it gets the start that it had in the run
// with outcome o, if it started there.
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

// swap exchanges the candidates i and j. Others follow the same candidates as before.
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

// relay copies n candidates, from index from on, and inserts the copies after them. The copies and all candidates
// after them start later by later, and follow the candidate n places further on; the horizon moves by as much. It
// does nothing if the plan would have more than mostParts candidates.
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
