package adversary

import (
	"time"

	"interregnum/elector/machine"
)

// gene says which number of a plan is moved: a time, or a draw of jitter that stands for one.
type gene struct {
	kind geneKind
	part int
	// index is the place of the number in its list.
	index int
	// at is the step of the request: its fate is moved, or the draw for the wait after it.
	at Step
}

// geneKind says which number of a plan a gene is.
type geneKind uint8

const (
	geneStart geneKind = iota
	geneOffset
	geneJitter
	geneAllJitter
	geneHold
	geneOut
	geneBack
	geneCancel
	geneRerun
	geneFreeze
	geneLength
	geneRate
	geneServiceRate
)

// mostDraws and mostFates are how many draws of jitter of a candidate, and how many fates, are made genes: more would hardly
// matter in any plan.
const mostDraws, mostFates = 12, 24

// genes returns the numbers of the plan g that can be moved: those that it has, and those for which its run with outcome o
// asked. Of a candidate's draws of jitter it takes the first mostDraws, one by one, and all draws together as one number. Of
// the requests in the run it takes mostFates, drawn at random.
func (d draw) genes(c *Case, g *Genome, o *Outcome) (all []gene) {
	for i := range g.Parts {
		p := &g.Parts[i]
		add := func(kind geneKind, n int) {
			for k := range n {
				all = append(all, gene{kind: kind, part: i, index: k})
			}
		}
		all = append(all, gene{kind: geneStart, part: i}, gene{kind: geneOffset, part: i})
		if n := min(len(o.Drew[i]), mostDraws); n > 0 {
			for k := range n {
				all = append(all, gene{kind: geneJitter, part: i, at: o.Drew[i][k]})
			}
			all = append(all, gene{kind: geneAllJitter, part: i, index: len(o.Drew[i])})
		}
		add(geneCancel, len(p.Cancels))
		if c.Env.Reruns {
			add(geneRerun, len(p.Reruns))
		}
		add(geneFreeze, len(p.Freezes))
		add(geneLength, len(p.Freezes))
		add(geneRate, len(p.Rates))
	}
	for _, k := range d.Perm(len(o.Sent))[:min(len(o.Sent), mostFates)] {
		q := &o.Sent[k]
		all = append(all, gene{kind: geneOut, part: q.Candidate, at: q.Step}, gene{kind: geneBack, part: q.Candidate, at: q.Step})
		if c.holds() {
			all = append(all, gene{kind: geneHold, part: q.Candidate, at: q.Step})
		}
	}
	for k := range g.Service.Rates {
		all = append(all, gene{kind: geneServiceRate, index: k})
	}
	return all
}

// move adds the duration by to the gene's number in the plan g; a draw of jitter it changes so that its waits are longer by that
// duration in all. It tells whether the environment allows the new value. If it returns false, g is perhaps changed and must not
// be used. For locks that expire by themselves it leaves the offset of a wall clock as it is, and returns true.
func (x *gene) move(c *Case, g *Genome, by time.Duration) bool {
	p := &g.Parts[x.part]
	switch x.kind {
	case geneStart:
		if e := g.follows(x.part); e != nil {
			later := *e
			p.Follows = &later
			return moved(&later.After, by, g.Horizon)
		}
		return moved(&p.Start, by, g.Horizon)
	case geneOffset:
		return c.Config.Lock.Expires() || moved(&p.Offset, by, time.Second)
	case geneJitter:
		return p.moveJitter(c, x.at, by)
	case geneAllJitter:
		return p.moveAllJitter(c, x.index, by)
	case geneHold, geneOut, geneBack:
		f := p.fate(x.at, AllVerbs)
		leg := map[geneKind]*time.Duration{geneHold: &f.Hold, geneOut: &f.Out.Delay, geneBack: &f.Back.Delay}[x.kind]
		if !moved(leg, by, c.Env.MaxRoundTrip) || f.Hold > c.mostHold() || f.Hold+f.Out.Delay+f.Back.Delay > c.Env.MaxRoundTrip {
			return false
		}
		p.set(x.at, f)
		return true
	case geneCancel:
		return moved(&p.Cancels[x.index].After, by, g.Horizon)
	case geneRerun:
		return moved(&p.Reruns[x.index], by, g.Horizon)
	case geneFreeze:
		return moved(&p.Freezes[x.index].After, by, g.Horizon)
	case geneLength:
		return moved(&p.Freezes[x.index].Length, by, c.Env.MaxPause)
	case geneRate:
		return moved(&p.Rates[x.index].After, by, g.Horizon)
	}
	return moved(&g.Service.Rates[x.index].After, by, g.Horizon)
}

// moved adds the duration by to *x, and tells whether *x is then from 0 to limit, both included. It changes *x in any case.
func moved(x *time.Duration, by, limit time.Duration) bool {
	*x += by
	return 0 <= *x && *x <= limit
}

// moveJitter changes the draw of jitter after the step given as at so that its wait is longer by the duration given as by. It
// adds a Wait for the step if there is none. It returns false if the draw is then not in [0,1), so that the plan must not be
// used.
func (p *Part) moveJitter(c *Case, at Step, by time.Duration) bool {
	i := p.wait(at)
	if i < 0 {
		i = len(p.Waits)
		p.Waits = append(p.Waits, Wait{at, p.Jitter})
	}
	return movedJitter(c, &p.Waits[i].Jitter, by)
}

// moveAllJitter changes p.Jitter and the draws in p.Waits, each by an n-th of what makes a wait longer by the duration given as
// by. If the candidate draws n times, all its waits together are then longer by that duration. n must be above 0. It returns
// false if a draw is then not in [0,1), so that the plan must not be used.
func (p *Part) moveAllJitter(c *Case, n int, by time.Duration) bool {
	by /= time.Duration(n)
	for i := range p.Waits {
		if !movedJitter(c, &p.Waits[i].Jitter, by) {
			return false
		}
	}
	return movedJitter(c, &p.Jitter, by)
}

// movedJitter changes a draw of jitter, *x, so that its wait is longer by the duration given as by. It tells whether the draw is
// still in [0,1); it changes *x in any case.
func movedJitter(c *Case, x *float64, by time.Duration) bool {
	*x += float64(by) / (machine.JitterFactor * float64(c.Config.RetryPeriod))
	return 0 <= *x && *x < 1
}
