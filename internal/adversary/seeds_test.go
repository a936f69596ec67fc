package adversary

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
)

// What follows knows the derivation: it takes the worst case that this has found for plans of the adversary.

// witness returns, as a plan of the adversary, the worst case that package bound derives for the case's configuration in the
// environment e. It makes the plan's horizon longer by a LeaseDuration and, for locks that expire by wall clock, sets wall clocks
// by alignWalls. The error is that of bound.Of or of Recorded.
func witness(c *Case, e *bound.Environment) (*Genome, error) {
	r, err := bound.Of(&c.Config, e)
	if err != nil {
		return nil, err
	}
	g, err := Recorded(&stage.Witness(&c.Config, e, r).Plan)
	if err != nil {
		return nil, err
	}
	g.Horizon += c.Config.LeaseDuration // so that there is room for what is longer
	if c.Config.Lock.ByWallClock() {
		g.alignWalls(c)
	}
	return g, nil
}

// edges are by how much shorter round trips are tried. If a worst case needs one exact nanosecond, there is perhaps another one,
// nearly as bad, that does not.
var edges = [...]time.Duration{50 * time.Microsecond, 300 * time.Microsecond}

// seeds returns plans of the worst cases that package bound derives: first the one for the case's own environment, then those for
// environments that are slightly better or worse. In a run, the case's own environment still limits what happens in them.
func seeds(c *Case) (all []*Genome, err error) {
	environments := []bound.Environment{c.Env}
	for _, edge := range edges {
		e := c.Env
		if c.Config.RequestTimeout > 0 {
			e.MaxRoundTrip = min(e.MaxRoundTrip, c.Config.RequestTimeout)
		}
		e.MaxRoundTrip = max(0, e.MaxRoundTrip-edge)
		environments = append(environments, e)
	}
	for _, change := range []func(*bound.Environment){
		func(e *bound.Environment) { e.MaxRoundTrip += e.MaxRoundTrip/2 + time.Millisecond },
		func(e *bound.Environment) { e.MaxPause += c.Config.RetryPeriod },
	} {
		e := c.Env
		change(&e)
		environments = append(environments, e)
	}
	for i := range environments {
		g, err := witness(c, &environments[i])
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

// following returns a copy of the plan in which each candidate that started just after another one's request arrived follows that
// request. It then stays behind the request when earlier events move.
func (f *found) following() *Genome {
	const soon = 50 * time.Microsecond
	g := f.g.clone()
	for i := range g.Parts {
		start := f.o.Starts[i]
		for k := range f.o.Sent {
			q := &f.o.Sent[k]
			if after := start - q.Arrived; q.Arrived != never && q.Candidate != i && 0 < after && after <= soon {
				g.Parts[i].Follows = &Event{Of: q.Candidate, Anchor: Anchor{Step: q.Step, After: after}}
			}
		}
	}
	return g
}

// climbFrom searches for the plan with the longest overlap, beginning with the given plans, and returns it with its outcome. It
// ends after about runs runs, or as soon as an overlap is longer than enough. The same seed leads to the same result. There must
// be at least one plan to begin with.
func climbFrom(c *Case, w world, seed uint64, runs int, enough time.Duration, from []*Genome) *found {
	k := &climber{c: c, w: w, d: newDraw(seed, 5), limit: runs, enough: enough}
	for n, g := range from {
		if n > 0 && !k.left(1) {
			break
		}
		f := k.try(g)
		k.all = keep(k.all, f, overlap)
		k.all = keep(k.all, k.try(f.following()), overlap)
	}
	length := min(max(runs/20, 20), 1000)
	for n := 0; k.left(1); n++ {
		at := &island{at: k.all[min(len(k.all)-1, int(k.d.ExpFloat64()))], of: overlap, cold: n%2 == 0}
		switch n % 4 {
		case 1:
			k.kick(at)
		case 3:
			at.take(at.at)
			k.crowd(at, 3+k.d.IntN(3), length/2)
		}
		k.climb(at, length)
		if n%4 == 2 {
			k.refate(at, length)
		}
		k.sweep(at, length/2)
		k.all = keep(k.all, at.best, overlap)
	}
	return k.best
}

// kick replaces the island's present plan by one that is a few random changes away, even if that one is worse. It does not offer
// it as the island's best plan.
func (k *climber) kick(at *island) {
	f := at.at
	for range 1 + k.d.IntN(4) {
		f = k.try(k.d.mutate(k.c, f.g.tidy(f.o), f.o))
	}
	at.at = f
}

// alignWalls sets the offsets of the wall clocks that do not decide when a row expires. They get the offset of one that does: the
// service's clock, or the first candidate's where the callers' clocks decide. This is needed since the environment limits how far
// apart wall clocks are.
func (g *Genome) alignWalls(c *Case) {
	if c.Config.Now == plan.CallerNow {
		g.Service.Offset = g.Parts[0].Offset
		return
	}
	for i := range g.Parts {
		g.Parts[i].Offset = g.Service.Offset
	}
}
