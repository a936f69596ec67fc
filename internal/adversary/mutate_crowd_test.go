package adversary

import (
	"time"

	"interregnum/internal/fate"
)

// reshape changes, at random, who takes part in the plan g. It adds a candidate, or it drops, swaps, repeats or replaces the i-th
// one or changes its start, or it repeats the last few, or changes the horizon. It can leave g as it is. o is the outcome of the
// plan's run.
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

// period returns the time between the starts of two works that came one after the other in a run, which it draws, mostly the last
// two; 0 if there were fewer than two. It is never negative.
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

// meet changes what the i-th candidate meets so that one of its requests arrives just after another candidate's request of the
// run o, which it draws, mostly a write. The requests that it would send before then fail at once. It changes nothing if it finds
// no such pair, or if too many requests would have to fail.
func (d draw) meet(c *Case, g *Genome, i int, o *Outcome) {
	var at time.Duration
	for range 8 {
		if e, ok := d.event(c, o); ok && e.Of != i {
			at = o.request(e).Arrived + 1
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
		failed := Fate{Refusal: fate.Refusal{Status: unavailable}}
		p.Segments = append(p.Segments, Segment{Phase: step.Phase, From: step.Number, To: step.Number + n, Verbs: AllVerbs, Fate: failed})
		if d.chance(0.5) {
			n *= 2 // an attempt reads, too
		}
		step.Number, left = step.Number+n, left-time.Duration(n)*period
	}
	out := min(max(0, left), trip)
	p.set(step, Fate{Out: fate.Way{Delay: out}, Back: fate.Way{Delay: pick(d, 0, trip-out)}})
	for n := range d.IntN(3) { // and what it sends then comes through
		p.set(Step{step.Phase, step.Number + n + 1}, d.easy(c))
	}
}
