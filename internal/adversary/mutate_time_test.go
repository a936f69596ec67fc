package adversary

import "time"

// epsilon draws a small distance between two instants: 0, a nanosecond or a microsecond, with either sign.
func (d draw) epsilon() time.Duration {
	return pick(d, -time.Microsecond, -1, -1, 0, 1, 1, time.Microsecond)
}

// align makes two things happen at nearly the same instant. It draws from the outcome an instant at which something happened to
// candidate i, and another instant at which anything happened. It then moves the first to the second, or to a notable duration
// before or after the second, or to a whole second of candidate i's wall clock, within a microsecond. For this it changes a
// start, a cancel or a delay of candidate i. If nothing fits in a few tries, it changes nothing.
func (d draw) align(c *Case, g *Genome, i int, o *Outcome) {
	p := &g.Parts[i]
	for range 12 {
		from, ok := d.moment(o, i)
		to, also := d.moment(o, -1)
		if !ok || !also {
			return
		}
		switch d.IntN(4) {
		case 0:
			to += d.notable(c)
		case 1:
			to -= d.notable(c)
		case 2:
			wall := from + p.Offset
			to = from + wall.Truncate(time.Second) - wall + time.Duration(d.IntN(2))*time.Second
		}
		if d.move(c, p, i, o, from, to-from+d.epsilon()) {
			return
		}
	}
}

// move adds the duration by to one of these, which it draws: the start of the i-th candidate, p; one of its cancels; or a
// delay of one of its last requests before the instant at in the run o. It returns false, and changes nothing, if it finds no
// such request, if the start or cancel would then be below 0 or above four LeaseDurations, if a delay would be below 0, or if
// the round trip would be above MaxRoundTrip.
func (d draw) move(c *Case, p *Part, i int, o *Outcome, at, by time.Duration) bool {
	if d.chance(0.25) {
		if p.Start+by < 0 || p.Start+by > c.Config.LeaseDuration*4 {
			return false
		}
		p.Start += by
		return true
	}
	if len(p.Cancels) > 0 && d.chance(0.2) {
		a := &p.Cancels[d.IntN(len(p.Cancels))]
		if a.After+by < 0 || a.After+by > c.Config.LeaseDuration*4 {
			return false
		}
		a.After += by
		return true
	}
	var last []Step
	for k := range o.Sent {
		if s := &o.Sent[k]; s.Candidate == i && s.Sent <= at {
			last = append(last, s.Step)
		}
	}
	back := pick(d, 1, 1, 1, 2, 3)
	if back > len(last) {
		return false
	}
	number := last[len(last)-back]
	f := p.fate(number, AllVerbs)
	x := &f.Out.Delay
	if d.chance(0.5) {
		x = &f.Back.Delay
	}
	*x += by
	if f.Out.Delay < 0 || f.Back.Delay < 0 || f.Hold+f.Out.Delay+f.Back.Delay > c.Env.MaxRoundTrip {
		return false
	}
	p.set(number, f)
	return true
}

// freezeOrDrift adds, changes or removes, at random, a freeze of the candidate p, or a change of the rate of its clock or of the
// service's clock, or does both. It does only what the environment has.
func (d draw) freezeOrDrift(c *Case, g *Genome, p *Part) {
	if c.Env.MaxPause > 0 && d.chance(0.6) {
		switch n := len(p.Freezes); {
		case n == 0 || n < 5 && d.chance(0.2):
			p.Freezes = append(p.Freezes, d.freeze(c))
		case d.chance(0.15):
			p.Freezes = p.Freezes[:n-1]
		default:
			f := &p.Freezes[d.IntN(n)]
			d.reanchor(c, &f.Anchor)
			if d.chance(0.2) {
				f.AnswersFirst = !f.AnswersFirst
			}
			if d.chance(0.4) {
				d.shift(c, &f.Length)
				f.Length = min(max(1, f.Length), c.Env.MaxPause)
			}
		}
	}
	if c.Env.MaxDriftPPM == 0 {
		return
	}
	rates := &p.Rates
	if c.Config.Lock.Expires() && d.chance(0.3) {
		rates = &g.Service.Rates
	}
	switch n := len(*rates); {
	case n == 0 || n < 5 && d.chance(0.3):
		*rates = append(*rates, d.rate(c))
	case d.chance(0.15):
		*rates = (*rates)[:n-1]
	default:
		r := &(*rates)[d.IntN(n)]
		d.reanchor(c, &r.Anchor)
		if d.chance(0.3) {
			r.PPM = -r.PPM
		}
	}
}

// reanchor changes an anchor at random: its step, the time after that, or both.
func (d draw) reanchor(c *Case, a *Anchor) {
	switch d.IntN(5) {
	case 0:
		*a = d.anchor(c)
	case 1:
		a.Number = max(0, a.Number+pick(d, -1, 1))
	case 2:
		a.Phase = max(0, a.Phase+pick(d, -1, 1))
	default:
		d.shift(c, &a.After)
		a.After = max(0, a.After)
	}
}
