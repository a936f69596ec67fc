package adversary

import (
	"slices"
	"time"
)

// mostParts is how many candidates a plan has at most.
const mostParts = 10

// crowd draws how many candidates a new plan has: mostly few.
func (d draw) crowd() int {
	n := pick(d, 2, 2, 2, 3)
	for n < mostParts && d.chance(0.1) {
		n += 1 + d.IntN(3)
	}
	return min(n, mostParts)
}

// event is something that a candidate did in a run: as a rule it has written. Another one may start just after it.
func (d draw) event(c *Case, o *Outcome) (*Event, bool) {
	var wrote, arrived []*Request
	for k := range o.Sent {
		switch q := &o.Sent[k]; {
		case q.Wrote:
			wrote = append(wrote, q)
		case q.Arrived != never:
			arrived = append(arrived, q)
		}
	}
	if len(wrote) == 0 || len(arrived) > 0 && d.chance(0.1) {
		wrote = arrived
	}
	if len(wrote) == 0 {
		return nil, false
	}
	q := wrote[d.IntN(len(wrote))]
	if d.chance(0.5) {
		q = wrote[max(0, len(wrote)-1-int(d.ExpFloat64()*2))]
	}
	return &Event{Of: q.Candidate, Anchor: Anchor{Step: q.Step, After: pick(d, 0, 0, 0, 1, d.wait(c))}}, true
}

// of returns the request that an event of this run is about, nil where there is none.
func (o *Outcome) of(e *Event) (found *Request) {
	for k := range o.Sent {
		if q := &o.Sent[k]; q.Candidate == e.Of && q.Step == e.Step {
			found = q
		}
	}
	return found
}

// refer renumbers, in all candidates from one on, whom they follow: to gives the new number of each.
func (g *Genome) refer(from int, to func(int) int) {
	for i := from; i < len(g.Parts); i++ {
		if e := g.Parts[i].Follows; e != nil {
			later := *e
			later.Of = to(e.Of)
			g.Parts[i].Follows = &later
		}
	}
}

// drop takes a candidate out of a plan. Who followed it starts when it started in the run.
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

// swap has two candidates change their places.
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

// relay inserts copies of n candidates after them. A copy follows the candidate as far before it as the original does, and everybody after the
// originals starts that much later.
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

// period is the time between two leaders that came one after the other in a run: as a rule the last two.
func (d draw) period(o *Outcome) time.Duration {
	n := len(o.Works)
	if n < 2 {
		return 0
	}
	i := n - 1
	if d.chance(0.3) {
		i = 1 + d.IntN(n-1)
	}
	return max(0, o.Works[i].Start-o.Works[i-1].Start)
}

// reshape changes at random who takes part: it adds, drops, swaps, repeats or replaces a candidate.
func (d draw) reshape(c *Case, g *Genome, i int, o *Outcome) {
	n := len(g.Parts)
	switch d.IntN(9) {
	case 0:
		if n < mostParts && (n < 4 || d.chance(0.5)) {
			g.Parts = append(g.Parts, d.part(c))
			d.follow(c, &g.Parts[n], o)
		}
	case 1:
		if n > 2 {
			g.drop(i, o)
		}
	case 2:
		g.swap(i, d.IntN(n))
	case 3:
		g.Horizon = c.horizon(d) * time.Duration(1+n/4)
	case 4:
		g.Parts[i] = d.part(c)
	case 5:
		if n < mostParts {
			g.relay(i, 1, d.period(o))
		}
	case 6:
		many := 1 + d.IntN(min(3, n))
		g.relay(n-many, many, d.period(o))
	case 7:
		d.follow(c, &g.Parts[i], o)
	case 8: // meets what another one meets, or the same with another start
		other := (&Genome{Parts: g.Parts[d.IntN(n):][:1]}).clone().Parts[0]
		p := &g.Parts[i]
		other.Start, other.Follows = p.Start, p.Follows
		g.Parts[i] = other
	}
}

// follow has a candidate start after something that another one did, or just when that was in the run.
func (d draw) follow(c *Case, p *Part, o *Outcome) {
	e, ok := d.event(c, o)
	if !ok {
		return
	}
	if p.Follows = e; d.chance(0.2) {
		p.Follows, p.Start = nil, e.instant(o.of(e).Arrived)
	}
}

// together returns the longest time for which the work of n candidates runs at once. Where that never happens it is negative: by how long the work
// missed it, and by far more for each candidate too few.
func (o *Outcome) together(n int, horizon time.Duration) time.Duration {
	best := -4 * horizon * time.Duration(n)
	for i := range o.Works {
		at := o.Works[i].Start
		ends := o.working(at, -1)
		if m := len(ends) - n; m >= 0 {
			best = max(best, ends[m]-at)
		} else {
			best = max(best, 4*horizon*time.Duration(m)+ends[0]-at)
		}
	}
	return best
}

// working returns, in order, when the last work of each candidate ends of what began up to an instant. The candidate but is left out.
func (o *Outcome) working(at time.Duration, but int) (ends []time.Duration) {
	for i := range o.Starts {
		last := never
		for k := range o.Works {
			if w := &o.Works[k]; w.Candidate == i && i != but && w.Start <= at {
				last = max(last, w.End)
			}
		}
		if last != never {
			ends = append(ends, last)
		}
	}
	slices.Sort(ends)
	return ends
}

// meet changes a candidate's plan so that one of its requests arrives just after another candidate has written; what it would send meanwhile fails at
// once.
func (d draw) meet(c *Case, g *Genome, i int, o *Outcome) {
	var at time.Duration
	for range 8 {
		if e, ok := d.event(c, o); ok && e.Of != i {
			at = o.of(e).Arrived + 1
			break
		}
	}
	var last *Request
	for k := range o.Sent {
		if q := &o.Sent[k]; q.Candidate == i && q.Sent < at {
			last = q
		}
	}
	if last == nil {
		return
	}
	p, trip, period := &g.Parts[i], c.Env.MaxRoundTrip, c.Config.RetryPeriod
	step, left := last.Step, at-last.Sent
	if left > trip {
		n := int((left - trip + period - 1) / period)
		if n > 2*mostFates {
			return
		}
		if !d.chance(0.3) {
			n = int(left / period)
		}
		failed := Fate{Status: unavailable}
		p.Segments = append(p.Segments, Segment{Phase: step.Phase, From: step.Number, To: step.Number + n, Verbs: AllVerbs, Fate: failed})
		if d.chance(0.5) {
			n *= 2 // an attempt reads, too
		}
		step.Number, left = step.Number+n, left-time.Duration(n)*period
	}
	out := min(max(0, left), trip)
	p.set(step, Fate{Out: out, Back: pick(d, 0, trip-out)})
	for n := range d.IntN(3) { // and what it sends then comes through
		p.set(Step{step.Phase, step.Number + n + 1}, d.easy(c))
	}
}

// crowded returns the goal of a long overlap, with a hint for n candidates that work at once or, with release, after another one has released.
// Between plans of the same overlap the hint shows a way on.
func crowded(n int, release bool) goal {
	return func(f *found) time.Duration {
		many := f.o.together(n, f.g.Horizon)
		if release {
			many = f.o.wiped(n-1, f.g.Horizon)
		}
		return f.score + many/64
	}
}

// crowd climbs with ever more candidates that work at once, up to most, and puts the best plan on the island.
func (k *climber) crowd(at *island, most, length int) {
	now := &island{of: overlap}
	if len(k.all) > 0 && k.d.chance(0.8) {
		now.take(k.all[min(len(k.all)-1, int(k.d.ExpFloat64()/2))])
	} else {
		k.settle(now, false)
		k.climb(now, length)
	}
	for n := 3; n <= most && k.left(1); n++ {
		from := k.prune(now.best, now.of)
		now = &island{of: crowded(n, k.c.Config.ReleaseOnCancel && k.d.chance(0.7))}
		now.take(from)
		for tries := 0; tries < 40 && k.left(1); tries++ {
			now.take(k.try(k.larger(now.best)))
		}
		k.climb(now, length)
		at.take(now.best)
	}
	at.take(now.best)
	at.at = k.prune(now.best, now.of)
}

// prune takes candidates out of a plan for as long as that makes it no worse.
func (k *climber) prune(f *found, of goal) *found {
	for i := len(f.g.Parts) - 1; i >= 0 && len(f.g.Parts) > 2 && k.left(1); i-- {
		g := f.g.tidy(f.o)
		g.drop(i, f.o)
		if less := k.try(g); of(less) >= of(f) {
			f = less
		}
	}
	return f
}

// larger returns a changed plan, in most cases with more candidates.
func (k *climber) larger(from *found) *Genome {
	g, d := from.g.tidy(from.o), k.d
	if len(g.Parts) == mostParts {
		g.drop(d.IntN(mostParts), from.o)
	}
	if d.chance(0.7) {
		for again := true; again && len(g.Parts) < mostParts; again = d.chance(0.3) {
			p := d.follower(k.c, from)
			d.follow(k.c, &p, from.o)
			g.Parts = append(g.Parts, p)
		}
	} else {
		d.reshape(k.c, g, d.IntN(len(g.Parts)), from.o)
	}
	if d.chance(0.5) {
		g = d.mutate(k.c, g, from.o)
	}
	g.Horizon = min(max(g.Horizon, d.period(from.o)+from.g.Horizon), 2*k.c.horizon(d)+g.Horizon/2)
	return g
}
