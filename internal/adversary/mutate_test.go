package adversary

import (
	"slices"
	"time"

	"interregnum/internal/fate"
)

// mutate returns a copy of a plan with one to six random changes; o is the outcome of the plan's run.
func (d draw) mutate(c *Case, g *Genome, o *Outcome) *Genome {
	out := g.clone()
	for n := 0; n == 0 || n < 6 && d.chance(0.45); n++ {
		d.change(c, out, o)
	}
	return out
}

// change makes one change of a random kind in the plan g; some kinds change nothing in some plans. o is the outcome of the plan's
// run.
func (d draw) change(c *Case, g *Genome, o *Outcome) {
	i := d.IntN(len(g.Parts))
	p := &g.Parts[i]
	if (c.Env.MaxPause > 0 || c.Env.MaxDriftPPM > 0) && d.chance(0.2) {
		d.freezeOrDrift(c, g, p)
		return
	}
	switch n := d.IntN(100); {
	case n < 12:
		d.corner(c, g, o)
	case n < 30:
		d.changeFate(c, p, d.stepOf(i, o))
	case n < 40:
		d.stretch(c, p, d.stepOf(i, o))
	case n < 54:
		d.align(c, g, i, o)
	case n < 60:
		d.meet(c, g, i, o)
	case n < 65:
		p.Segments = append(p.Segments, d.segment(c, d.stepOf(i, o)))
	case n < 70:
		d.resegment(c, p)
	case n < 72:
		d.renumber(p, d.stepOf(i, o))
	case n < 74:
		p.Base = d.easy(c)
	case n < 78:
		d.rejitter(p, o.Drew[min(i, len(o.Drew)-1)])
	case n < 80:
		p.Offset = d.wall(c)
	case n < 85:
		d.alignSecond(c, p, i, o)
	case n < 88:
		d.shift(c, &p.Start)
		p.Start = max(0, p.Start)
	case n < 91:
		p.Segments = append(p.Segments, d.cut(d.stepOf(i, o)))
	case n < 95:
		d.recancel(c, p)
	case n < 97:
		d.reshape(c, g, i, o)
	case n < 99:
		d.retime(c, p)
	default:
		d.trouble(c, p)
	}
}

// corner gives an extreme fate to a random request of the plan g, one of those that were sent shortly before or after a start of
// work in the run o. It does nothing if there is none.
func (d draw) corner(c *Case, g *Genome, o *Outcome) {
	all := o.around(about)
	if len(all) == 0 {
		return
	}
	if q := pick(d, all...); q.Candidate < len(g.Parts) { // another change may have taken it out
		g.Parts[q.Candidate].insert(q.Step, pick(d, c.corners()...), d.IntN(3))
	}
}

// stretch gives one to four requests of the candidate p, beginning with that step, the same extreme delays, which it draws: the
// longest ones in one direction, or none at all.
func (d draw) stretch(c *Case, p *Part, at Step) {
	trip := c.Env.MaxRoundTrip
	slow := fate.Way{Delay: trip}
	legs := pick(d, Fate{Back: slow}, Fate{Back: slow}, Fate{Out: slow}, Fate{}, Fate{Hold: trip})
	for range 1 + d.IntN(4) {
		f := p.fate(at, AllVerbs)
		f.Hold, f.Out.Delay, f.Back.Delay = legs.Hold, legs.Out.Delay, legs.Back.Delay
		p.set(at, f)
		at.Number++
	}
}

// stepOf draws a request of the i-th candidate: one of the last that arrived at the service in the run o or, about as often, an
// early one of a random phase.
func (d draw) stepOf(i int, o *Outcome) Step {
	var last []int
	var through []Step
	for k := range o.Sent {
		q := &o.Sent[k]
		if q.Candidate != i {
			continue
		}
		for len(last) <= q.Phase {
			last = append(last, 0)
		}
		last[q.Phase] = q.Number
		if q.Arrived != never {
			through = append(through, q.Step)
		}
	}
	if n := len(through); n > 0 && d.chance(0.5) {
		at := through[n-1-d.IntN(min(n, 6))]
		at.Number += pick(d, 0, 0, 0, 1)
		return at
	}
	if len(last) == 0 {
		return Step{0, 1}
	}
	phase := d.IntN(len(last))
	return Step{phase, 1 + d.IntN(min(last[phase]+1, pick(d, 4, 8, 8, most)))}
}

// changeFate changes, at random, the fate that the candidate p's request with that step has.
func (d draw) changeFate(c *Case, p *Part, number Step) {
	f := d.otherFate(c, p.fate(number, AllVerbs))
	p.set(number, f)
}

// otherFate returns f with random changes, or another random fate. Case.allow cuts what the environment does not allow.
func (d draw) otherFate(c *Case, f Fate) Fate {
	switch d.IntN(10) {
	case 0, 7:
		return d.fate(c)
	case 8:
		f.Out.Lost, f.Back.Lost = false, true
	case 9:
		f.Out.Lost, f.Back.Lost, f.Status, f.Applied = false, false, unavailable, true
	case 1:
		f.Out.Delay, f.Back.Delay = d.legs(c)
	case 2:
		d.shift(c, &f.Out.Delay)
	case 3:
		d.shift(c, &f.Back.Delay)
	case 4:
		f.Out.Lost = !f.Out.Lost
	case 5:
		f.Back.Lost = !f.Back.Lost
	case 6:
		f.Status, f.Applied = pick(d, 0, unavailable), d.chance(0.7)
	}
	if c.holds() && d.chance(0.15) {
		f = d.held(c, f)
	}
	if c.holds() && d.chance(0.1) {
		f.Hold = 0
	}
	if c.Env.HiddenConflicts && d.chance(0.1) {
		f.Out.Lost, f.Back.Lost, f.Status, f.Applied = false, false, conflict, true
	}
	return f
}

// resegment changes or removes one of p's segments, drawn at random. It does nothing if there are none.
func (d draw) resegment(c *Case, p *Part) {
	if len(p.Segments) == 0 {
		return
	}
	i := d.IntN(len(p.Segments))
	s := &p.Segments[i]
	switch d.IntN(9) {
	case 8:
		s.Phase = max(0, s.Phase+pick(d, -1, 1))
	case 0, 1:
		p.Segments = append(p.Segments[:i], p.Segments[i+1:]...)
	case 2:
		s.From = max(1, s.From+pick(d, -2, -1, 1, 2))
	case 3:
		s.To = max(s.From, s.To+pick(d, -1, 1, 2))
	case 4:
		s.To = pick(d, s.From, s.From+1, most)
	case 5:
		by := pick(d, -2, -1, 1, 2)
		s.From, s.To = max(1, s.From+by), max(1, s.To+by)
	case 6:
		s.Verbs = d.verbs()
	case 7:
		s.Fate = d.otherFate(c, s.Fate)
	}
}

// renumber moves what the plan has for the request from, and for later requests of its phase, to other requests: by a random
// amount of up to three request numbers down or two up.
func (d draw) renumber(p *Part, from Step) {
	from.Number--
	p.shiftAfter(from, pick(d, -3, -2, -1, 1, 2))
}

// rejitter changes one of a candidate's draws of jitter at random, or adds or removes one. drew are the steps after which the
// candidate drew in the run.
func (d draw) rejitter(p *Part, drew []Step) {
	n := len(p.Waits)
	switch {
	case len(drew) == 0 || d.chance(0.3):
		p.Jitter = d.fraction()
	case n > 0 && d.chance(0.2):
		p.Waits = slices.Delete(p.Waits, n-1, n)
	case n > 0 && d.chance(0.5):
		p.Waits[d.IntN(n)].Jitter = d.fraction()
	default:
		p.Waits = append(p.Waits, Wait{drew[d.IntN(len(drew))], d.fraction()})
	}
}

// recancel adds, changes or removes one cancel of a candidate, at random.
func (d draw) recancel(c *Case, p *Part) {
	if len(p.Cancels) == 0 || d.chance(0.3) {
		p.Cancels = append(p.Cancels, d.anchor(c))
		return
	}
	i := d.IntN(len(p.Cancels))
	a := &p.Cancels[i]
	switch d.IntN(4) {
	case 0:
		p.Cancels = append(p.Cancels[:i], p.Cancels[i+1:]...)
	case 1:
		a.Number = max(0, a.Number+pick(d, -2, -1, 1, 2))
	case 2:
		d.shift(c, &a.After)
		a.After = max(0, a.After)
	case 3:
		*a = d.anchor(c)
	}
}

// alignSecond sets the wall clock of the i-th candidate, p, so that something that happened to it in the run o is at a whole
// second, or just before or after one. It does nothing for locks that expire by wall clock, and if it finds nothing that
// happened.
func (d draw) alignSecond(c *Case, p *Part, i int, o *Outcome) {
	at, ok := d.moment(o, i)
	if !ok {
		return
	}
	if c.Config.Lock.ByWallClock() {
		return
	}
	p.Offset = ((d.epsilon()-at)%time.Second + time.Second) % time.Second
}

// retime adds, changes or removes, at random, one of the times after which a candidate's Runs begin again, or adds a cancel after
// which it runs again at once. It does nothing if the environment has no reruns.
func (d draw) retime(c *Case, p *Part) {
	if c.Env.Reruns {
		switch {
		case d.chance(0.3):
			p.again(d.anchor(c))
		case len(p.Reruns) == 0 || d.chance(0.3):
			p.Reruns = append(p.Reruns, d.wait(c))
		case d.chance(0.3):
			p.Reruns = p.Reruns[:len(p.Reruns)-1]
		default:
			x := &p.Reruns[d.IntN(len(p.Reruns))]
			d.shift(c, x)
			*x = max(0, *x)
		}
	}
}

// about is how many requests before each start of work are looked at, and how many after it.
const about = 6
