package adversary

import (
	"time"

	"interregnum/internal/fate"
)

// genome returns a new random plan for a case, with two candidates or more.
func (d draw) genome(c *Case) *Genome {
	g := &Genome{Horizon: c.horizon(d)}
	for range d.crowd() {
		g.Parts = append(g.Parts, d.part(c))
	}
	if d.chance(0.5) {
		g.Parts[0].Start = 0
	}
	if c.Config.Lock.Expires() {
		g.Service.Offset = d.wall(c)
		for c.Env.MaxDriftPPM > 0 && d.chance(0.5) {
			g.Service.Rates = append(g.Service.Rates, d.rate(c))
		}
	}
	return g
}

// crowd draws how many candidates a new plan has: 2 to mostParts, mostly few.
func (d draw) crowd() int {
	n := pick(d, 2, 2, 2, 3)
	for n < mostParts && d.chance(0.1) {
		n += 1 + d.IntN(3)
	}
	return min(n, mostParts)
}

// horizon draws how long a plan lasts: always long enough for a few leaders.
func (c *Case) horizon(d draw) time.Duration {
	t := &c.Config.Timings
	return time.Duration(pick(d, 2, 2, 3, 4))*(t.LeaseDuration+t.RenewDeadline) + 4*t.RetryPeriod +
		10*c.Env.MaxRoundTrip + c.Env.Drain + 2*c.Env.MaxPause + 2*time.Second
}

// part draws all that one candidate meets: its start, clock, jitter, fates of requests, cancels, freezes and reruns, as far as
// the case allows them.
func (d draw) part(c *Case) Part {
	p := Part{Base: d.easy(c)}
	switch d.IntN(3) {
	case 0:
		p.Start = d.upTo(c.Config.LeaseDuration)
	case 1:
		p.Start = d.upTo(2 * c.Config.RetryPeriod)
	}
	if d.chance(0.7) {
		p.Offset = d.wall(c)
	}
	p.Jitter = d.fraction()
	for n := range pick(d, 0, 0, 4) {
		p.Waits = append(p.Waits, Wait{Step{0, 1 + n}, d.fraction()})
	}
	if d.chance(0.6) {
		p.Segments = append(p.Segments, d.cut(Step{pick(d, 0, 1, 1, 1, 2), 1 + d.IntN(pick(d, 2, 5, 12))}))
	}
	if d.chance(0.3) {
		d.trouble(c, &p)
	}
	for range d.IntN(4) {
		p.Segments = append(p.Segments, d.segment(c, d.step()))
	}
	if d.chance(0.2) {
		p.Cancels = append(p.Cancels, d.anchor(c))
	}
	for c.Env.MaxPause > 0 && d.chance(0.5) {
		p.Freezes = append(p.Freezes, d.freeze(c))
	}
	for c.Env.MaxDriftPPM > 0 && d.chance(0.6) {
		p.Rates = append(p.Rates, d.rate(c))
	}
	if c.Env.Reruns && d.chance(0.6) {
		p.Cancels = append(p.Cancels, d.anchor(c), d.anchor(c))
		p.Reruns = append(p.Reruns, d.wait(c), d.wait(c))
	}
	return p
}

// wall draws by how much a wall clock is ahead of true time: from 0 to a second or, with locks that expire by wall clock, to
// MaxClockOffset.
func (d draw) wall(c *Case) time.Duration {
	if c.Config.Lock.ByWallClock() {
		return pick(d, 0, c.Env.MaxClockOffset, d.upTo(c.Env.MaxClockOffset))
	}
	return d.upTo(time.Second)
}

// freeze draws when a process is frozen, for how long, up to MaxPause, and what it handles first as it wakes.
func (d draw) freeze(c *Case) Freeze {
	return Freeze{d.anchor(c), pick(d, c.Env.MaxPause, c.Env.MaxPause/2, d.upTo(c.Env.MaxPause)), d.chance(0.5)}
}

// rate draws a change of a clock's drift, to MaxDriftPPM, minus MaxDriftPPM or 0, and when it happens.
func (d draw) rate(c *Case) Rate {
	r := Rate{Anchor: Anchor{After: d.wait(c)}, PPM: c.Env.MaxDriftPPM * int64(d.IntN(3)-1)}
	if d.chance(0.5) {
		r.Anchor = d.anchor(c)
	}
	return r
}

// trouble sets the fates of p's first eight requests, sent before it leads, and sometimes of the first four as leader. About half
// of them are lost or fail, at random. Without a client timeout they fail instead of being lost.
func (d draw) trouble(c *Case, p *Part) {
	same, alike, last := d.easy(c), d.chance(0.3), 9
	if alike {
		last = 13
	}
	for n := 1; n < last; n++ {
		f, at := d.easy(c), Step{0, n}
		if n >= 9 {
			at = Step{1, n - 8}
		}
		if alike {
			f = same
		}
		if d.chance(0.5) {
			switch d.IntN(4) {
			case 0:
				f.Back.Lost = true
			case 1:
				f.Out.Lost = true
			case 2:
				f.Status = unavailable
			case 3:
				f.Status, f.Applied = unavailable, true
			}
			if c.Config.RequestTimeout == 0 && (f.Back.Lost || f.Out.Lost) {
				f.Status, f.Applied, f.Back.Lost, f.Out.Lost = unavailable, f.Back.Lost, false, false // else it waits for ever
			}
		}
		p.set(at, f)
	}
}

// corners returns the extreme fates that a request can have. Case.allow cuts those that the environment does not allow.
func (c *Case) corners() []Fate {
	trip := c.Env.MaxRoundTrip
	slow, hidden := fate.Way{Delay: trip}, fate.Refusal{Status: unavailable, Applied: true}
	all := []Fate{
		{}, {Back: slow}, {Out: slow}, {Back: lost}, {Out: lost}, {Refusal: fate.Refusal{Status: unavailable}},
		{Refusal: hidden}, {Back: slow, Refusal: hidden},
	}
	if c.Env.HiddenConflicts {
		all = append(all, Fate{Back: slow, Refusal: fate.Refusal{Status: conflict, Applied: true}})
	}
	if c.holds() {
		all = append(all, Fate{Hold: trip}, Fate{Hold: trip, Back: lost})
	}
	return all
}

// step draws a step: a phase of a candidate's life, and the number of a request in it, from 1 on.
func (d draw) step() Step { return Step{pick(d, 0, 0, 1, 1, 2, 3), 1 + d.IntN(pick(d, 2, 4, 8))} }

// anchor draws an anchor: a step of a candidate, which can be the beginning of a phase, and a time after it.
func (d draw) anchor(c *Case) Anchor {
	at := d.step()
	at.Number -= d.IntN(2)
	return Anchor{Step: at, After: d.wait(c)}
}

// wait draws a duration that can matter in a case: 0, one of at most the longest round trip, one of at most a RetryPeriod, or one
// of the durations of the configuration or the environment, once, twice or three times.
func (d draw) wait(c *Case) time.Duration {
	switch d.IntN(4) {
	case 0:
		return 0
	case 1:
		return d.upTo(c.Env.MaxRoundTrip)
	case 2:
		return d.upTo(c.Config.RetryPeriod)
	}
	return d.notable(c)
}

// easy draws a fate without a fault: the request is applied and answered, after random delays.
func (d draw) easy(c *Case) Fate {
	var f Fate
	f.Out.Delay, f.Back.Delay = d.legs(c)
	return f
}

// legs draws how long a request and its answer travel. Mostly it draws an extreme: no time at all, or the longest round trip in
// one direction.
func (d draw) legs(c *Case) (out, back time.Duration) {
	trip := c.Env.MaxRoundTrip
	switch d.IntN(8) {
	case 0, 6:
		return 0, 0
	case 1:
		return trip, 0
	case 2, 7:
		return 0, trip
	case 3:
		out = d.upTo(trip)
		return out, trip - out
	case 4:
		return min(trip, 1), 0
	}
	return d.between(1, trip), d.between(1, trip)
}

// fate draws any fate: answered, lost on the way out or back, an error, or, where the case has these, a hidden conflict or a wait
// in the limiter.
func (d draw) fate(c *Case) Fate {
	f := d.easy(c)
	switch d.IntN(6) {
	case 0:
		f.Out.Lost = true
	case 1, 2:
		f.Back.Lost = true
	case 3:
		f.Status, f.Applied = unavailable, d.chance(0.7)
	}
	if c.Env.HiddenConflicts && d.chance(0.3) {
		f.Back.Lost, f.Status, f.Applied = false, conflict, true
	}
	if c.holds() && d.chance(0.2) {
		f = d.held(c, f)
	}
	return f
}

// held returns f with a random wait in the client's rate limiter, and delays that are cut so that the round trip does not exceed
// MaxRoundTrip.
func (d draw) held(c *Case, f Fate) Fate {
	f.Hold = pick(d, c.mostHold(), c.mostHold(), d.upTo(c.mostHold()))
	if left := c.Env.MaxRoundTrip - f.Hold; left < f.Out.Delay+f.Back.Delay {
		f.Out.Delay = min(f.Out.Delay, left)
		f.Back.Delay = left - f.Out.Delay
	}
	return f
}

// holds tells whether a request can wait in the client's rate limiter.
func (c *Case) holds() bool { return c.mostHold() > 0 }

// verbs draws the set of kinds of requests for which a fate is: all kinds in three of seven draws.
func (d draw) verbs() Verbs {
	return pick(d, AllVerbs, AllVerbs, AllVerbs, Gets, Creates, Updates, Gets|Creates)
}

// segment draws a fate and the requests that get it: one, a few, or all to the end of the phase. They begin at that step or next
// to it.
func (d draw) segment(c *Case, near Step) Segment {
	s := Segment{Phase: near.Phase, From: max(1, near.Number+d.IntN(3)-1), Verbs: d.verbs(), Fate: d.fate(c)}
	s.To = s.From + pick(d, 0, 0, 0, 1, 2, most-s.From)
	return s
}

// cut returns a segment that covers all requests of a candidate from a step to the end of its phase. All of them fail in the same
// way, which it draws.
func (d draw) cut(from Step) Segment {
	s := Segment{Phase: from.Phase, From: from.Number, To: most, Verbs: AllVerbs}
	switch d.IntN(4) {
	case 0:
		s.Fate.Back.Lost = true
	case 1:
		s.Fate.Status = unavailable
	default:
		s.Fate.Out.Lost = true
	}
	return s
}

// notable draws one of the durations of the configuration or the environment, and returns it, or two or three times as much. The
// result can be 0.
func (d draw) notable(c *Case) time.Duration {
	t := &c.Config.Timings
	x := pick(d, t.LeaseDuration, t.RenewDeadline, t.RetryPeriod, c.Env.MaxRoundTrip, c.Config.RequestTimeout,
		t.LeaseDuration.Truncate(time.Second), time.Second, c.Env.Drain, t.LeaseDuration-t.RenewDeadline, c.Env.MaxPause)
	return x * time.Duration(pick(d, 1, 1, 1, 1, 2, 3))
}

// shift adds a random amount to *x, small or large, positive or negative. *x can become negative.
func (d draw) shift(c *Case, x *time.Duration) {
	by := d.between(1, c.Config.LeaseDuration)
	if d.chance(0.3) {
		by = d.notable(c)
	}
	if d.chance(0.5) {
		by = -by
	}
	*x += by
}
