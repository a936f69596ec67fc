package adversary

import "time"

// world is where plans are run: the simulated world, or the library.
type world interface {
	// run runs a plan and returns its outcome. A run that fails sets Outcome.Err.
	run(c *Case, g *Genome) *Outcome
}

// climber looks for the longest overlap in a case, by running plans in the world w. runs counts the runs so far; it stops after
// about limit runs, or when an overlap is longer than enough.
type climber struct {
	c     *Case
	w     world
	d     draw
	runs  int
	limit int
	best  *found
	// lone are the best plans with one candidate, and all are the best with several, at most elites of each, the best first.
	lone, all []*found
	enough    time.Duration
}

// try runs a plan, counts the run, and returns the plan with its outcome, the longest overlap as its score and, for a plan with
// one candidate, its staleness. If the overlap is the longest of all runs so far, it also stores the plan in k.best.
func (k *climber) try(g *Genome) *found {
	k.runs++
	o := k.w.run(k.c, g)
	f := &found{g: g, o: o, score: o.overlap(g.Horizon)}
	if len(g.Parts) == 1 {
		f.end, f.start = o.staleness(k.c.unit())
	}
	if k.best == nil || f.score > k.best.score {
		k.best = f
	}
	return f
}

// left tells whether the climber can go on: it has used less than share (0 to 1) of its runs, and has found no overlap longer
// than k.enough.
func (k *climber) left(share float64) bool {
	return float64(k.runs) < share*float64(k.limit) && (k.best == nil || k.best.score <= k.enough)
}
