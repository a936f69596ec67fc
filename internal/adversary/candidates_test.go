package adversary

import (
	"slices"
	"time"
)

// mostParts bounds the number of candidates of a plan.
const mostParts = 10

// refer rewrites Follows.Of, the index of the followed candidate, in every candidate whose own index is from or higher. It calls
// the function to with the old index, which returns the new one. It makes new events, and leaves the shared ones as they are.
func (g *Genome) refer(from int, to func(int) int) {
	for i := from; i < len(g.Parts); i++ {
		if e := g.Parts[i].Follows; e != nil {
			later := *e
			later.Of = to(e.Of)
			g.Parts[i].Follows = &later
		}
	}
}

// drop removes the i-th candidate from the plan. A candidate that followed it no longer follows any: it gets as its Start the
// time at which it started in the run with outcome o, or keeps its Start if it did not start there. All others follow the same
// candidate as before, whose index is lowered where necessary.
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

// swap exchanges the candidates i and j. Each candidate follows the same candidate as before, whose index is changed where
// necessary.
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

// relay copies n candidates, the first of which has the index from, and inserts the copies behind them. It adds the duration
// later to Start of the copies and of all candidates behind them, and to the horizon. If one of these follows a candidate, it now
// follows the one whose index is n higher. relay does nothing if there are fewer than n candidates to copy, or if the plan would
// have more than mostParts.
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
