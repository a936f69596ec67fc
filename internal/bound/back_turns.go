package bound

import (
	"slices"
	"time"
)

const (
	// mostWaits is how many RetryPeriods a lease lasts, at most, in a plan of mixedBacks.
	mostWaits = 16
	// mixedSteps is how many ranges of places a search for such a plan computes at most.
	mixedSteps = 100_000
)

// BackTurn is a turn of a leader that takes a lease back in its poll. Nothing but renewals that fail goes wrong in it. The leader
// takes the lock, and renews Renewals times, a RetryPeriod apart. Late of these renewals look new. The last of them begins a second,
// and all later ones are in the same second. In the poll that follows the leader takes the lock back at tick number Ticks, and has
// read the other's record Waits ticks before that. All are plain counts.
type BackTurn struct{ Renewals, Late, Ticks, Waits int }

// places has parts of a second in which a leader takes the lock, on its clock, so that other turns follow. Element 2n is for the first
// leader, and element 2n + 1 for the second one, where the other's poll has begun n RetryPeriods before.
type places [][]interval

// mixed is a plan of turns of different lengths. waits is after how many RetryPeriods a lease is over, a plain count. ahead is how much
// the second leader's clock is ahead of the first one's. begins has the places from which turns go on for ever.
type mixed struct {
	period, waits, ahead time.Duration
	turns                []mixedTurn
	begins               places
}

// mixedTurn is one way to go on when a leader has just taken the lock. Plain counts are all but the interval and moved.
type mixedTurn struct {
	// interval is in which part of a second the leader has taken the lock, on its clock. from is the element of places for that.
	interval
	from int
	// renewals is how often the leader renews, and late is how many of these renewals look new.
	renewals, late time.Duration
	// ticks is at which tick of its poll the other leader takes the lock back, and after is how many RetryPeriods after this one that is.
	ticks, after time.Duration
	// moved is by how much of a second later that is, each by its own clock; it is below a second. to is the element of places for it.
	moved time.Duration
	to    int
}

// mixedBacks returns a plan in which two leaders take the lock from each other for ever, by leases that run out in their polls; nil if
// it finds none. Requests take next to no time, and all attempts begin at the ticks of both leaders, which come together. Turns are no
// number of seconds. So a leader chooses its next turn by how far into a second of its clock it takes the lock. Where the other one is in
// a second of its clock follows from that, since no clock drifts. That clock is ahead by half a second, or by as much as makes both
// leaders take the lock at the same places of a second.
func (m *model) mixedBacks() *mixed {
	period := m.c.RetryPeriod
	waits := m.lease()/period + 1
	if period >= time.Second || waits > mostWaits || m.c.onTwoObjects() || m.c.Profile.ReadsFirst() {
		return nil
	}
	for most := range waits { // of the renewals that look new
		least := time.Duration(1) // of those that look the same: the answer to the last one makes up for what comes before
		if m.answered == 0 {
			least = most + 1 // requests take some time: more comes after the last write that looks new than before it
		}
		for _, ahead := range []time.Duration{time.Second / 2, time.Second - (most+waits)*period%time.Second} {
			p := &mixed{period: period, waits: waits, ahead: ahead}
			for late := range most + 1 {
				for alike := least; alike*period < time.Second; alike++ {
					p.addTurns(m, late, alike)
				}
			}
			if p.lasts() {
				return p
			}
		}
	}
	return nil
}

// addTurns adds to the plan all turns in which late renewals look new, and alike renewals after those look the same. The other leader
// reads the record when it looks new for the last time, or later, and takes the lock waits RetryPeriods after that.
func (p *mixed) addTurns(m *model, late, alike time.Duration) {
	const second = time.Second
	renewals := late + alike
	low := time.Duration(0)
	high := second - 1 - alike*p.period
	if late > 0 {
		low = (second - late*p.period%second) % second
		high = low + min(p.period-1, high)
	}
	parts := []interval{{low, min(high, second-1)}, {0, high - second}}
	for ticks := p.waits; ticks*p.period < m.c.RenewDeadline && (1+ticks-p.waits)*p.period < m.lease(); ticks++ {
		for polled := range ticks - p.waits - late + 1 {
			after := ticks - polled
			next := after - 1 - renewals // the other one's turn comes after its last renewal
			if next < 0 || next > p.waits {
				continue
			}
			for leader, ahead := range []time.Duration{p.ahead, second - p.ahead} {
				moved := (after*p.period + ahead) % second
				for _, part := range parts {
					k := mixedTurn{part, 2*int(polled) + leader, renewals, late, ticks, after, moved, 2*int(next) + 1 - leader}
					if part.low <= part.high {
						p.turns = append(p.turns, k)
					}
				}
			}
		}
	}
}

// lasts tells whether turns of p are known to go on for ever. Then it sets p.begins.
func (p *mixed) lasts() bool {
	now := make(places, 2*p.waits+2)
	for i := range now {
		now[i] = []interval{{0, time.Second - 1}}
	}
	for steps := 0; steps < mixedSteps; {
		before := p.before(now, 0)
		if slices.EqualFunc(before, now, slices.Equal) {
			p.begins = now
			return !now.empty()
		}
		now = before
		for _, k := range p.turns {
			steps += 1 + len(now[k.to])
		}
	}
	return false
}

// before returns the places from which one turn leads to those in the parameter to. All of the turn's renewals are margin or more from
// the ends of their seconds.
func (p *mixed) before(to places, margin time.Duration) places {
	all := make(places, len(to))
	for _, k := range p.turns {
		for _, part := range to[k.to] {
			for _, by := range []time.Duration{k.moved, k.moved - time.Second} {
				r := interval{max(k.low, part.low-by), min(k.high-margin, part.high-by)}
				if r.low <= r.high {
					all[k.from] = append(all[k.from], r)
				}
			}
		}
	}
	for i := range all {
		all[i] = joinedUp(all[i])
	}
	return all
}

// BackTurns returns as many turns as the parameter turns says, one after the other, by which two leaders go on taking leases back from
// each other for ever. The leaders take turns with them. place is how far into a second of its clock the first leader takes the lock. The
// second one's clock is ahead of that by ahead, and it takes the lock apart later. It returns nil, and zeros, if no such plan is known.
func BackTurns(c *Config, e *Environment, turns int) (place, ahead, apart time.Duration, all []BackTurn) {
	p := newModel(c, e).mixedBacks()
	if p == nil {
		return 0, 0, 0, nil
	}
	path, place := p.path(turns + 1)
	for i := range turns {
		all = append(all, BackTurn{int(path[i].renewals), int(path[i].late), int(path[i+1].ticks), int(p.waits)})
	}
	return place, p.ahead, path[0].after * p.period, all
}

// path returns that many turns, one after the other, that keep far from the ends of seconds, and the place at which the first one begins.
func (p *mixed) path(turns int) (path []mixedTurn, place time.Duration) {
	margin := time.Second / 4
	layers := p.layers(turns, margin)
	for len(layers) <= turns { // with a margin of 0 there are as many as one likes
		margin /= 2
		layers = p.layers(turns, margin)
	}
	from, widest := 0, time.Duration(-1)
	for i, parts := range layers[turns] {
		for _, part := range parts {
			if width := part.high - part.low; width > widest && i%2 == 0 {
				from, place, widest = i, part.low+width/2, width
			}
		}
	}
	at := place
	for i := range turns {
		k := p.toward(layers[turns-1-i], from, at, margin)
		path = append(path, k)
		at, from = (at+k.moved)%time.Second, k.to
	}
	return path, place
}

// layers returns the places from which no turn is known to follow, one turn, two, and so on, up to that many turns; no more of them than
// there are places. All renewals are margin or more from the ends of their seconds.
func (p *mixed) layers(turns int, margin time.Duration) []places {
	all := []places{p.begins}
	for range turns {
		next := p.before(all[len(all)-1], margin)
		if next.empty() {
			break
		}
		all = append(all, next)
	}
	return all
}

// empty tells whether there is no place.
func (s places) empty() bool {
	return !slices.ContainsFunc(s, func(parts []interval) bool { return len(parts) > 0 })
}

// toward returns a turn that leads from a place to one of those in the parameter to. There must be one.
func (p *mixed) toward(to places, from int, at, margin time.Duration) mixedTurn {
	i := slices.IndexFunc(p.turns, func(k mixedTurn) bool {
		next := (at + k.moved) % time.Second
		return k.from == from && k.low <= at && at <= k.high-margin &&
			slices.ContainsFunc(to[k.to], func(part interval) bool { return part.low <= next && next <= part.high })
	})
	return p.turns[i]
}
