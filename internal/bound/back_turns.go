package bound

import "time"

// mostWaits is how many RetryPeriods a lease lasts, at most, in a plan of mixedBacks.
const mostWaits = 16

// BackTurn is a turn of a leader that takes a lease back in its poll. Nothing but renewals that fail goes wrong in it. The leader
// takes the lock, and renews Renewals times, a RetryPeriod apart. Late of these renewals look new. The last of them begins a second,
// and all later ones are in the same second. In the poll that follows the leader takes the lock back at tick number Ticks, and has
// read the other's record Waits ticks before that. All are plain counts.
type BackTurn struct{ Renewals, Late, Ticks, Waits int }

// mixed is a plan of turns of different lengths. waits is after how many RetryPeriods a lease is over, a plain count, and apart is how
// long after a leader's turn the other leader's turn begins. The times of its turns count from the attempt that takes the lock.
type mixed struct {
	waits, apart time.Duration
	rotation
}

// mixedBacks returns a plan in which two leaders take the lock from each other for ever, by leases that run out in their polls; nil if
// it finds none. No request takes any time, and all attempts begin at ticks. Both leaders have the same turns, and the other one's come
// later, always by the same number of RetryPeriods. Turns are no number of seconds. So a leader chooses the next one by how far into a
// second of its clock it takes the lock. A later renewal of a turn can begin a second: then the other one's turn must begin later.
func (m *model) mixedBacks() *mixed {
	period := m.c.RetryPeriod
	waits := m.lease()/period + 1
	if waits > mostWaits || m.c.onTwoObjects() || m.c.Profile.ReadsFirst() {
		return nil
	}
	for most := range waits { // of the renewals that look new
		p := &mixed{waits: waits, apart: (most + waits) * period}
		for late := range most + 1 {
			// Requests take some time: more comes after the last write that looks new than before it.
			for alike := most + 1; alike*period < time.Second; alike++ {
				p.addTurns(m, most, late, alike)
			}
		}
		if p.lasts() {
			return p
		}
	}
	return nil
}

// addTurns adds to the plan all turns in which late renewals look new, at most most in any turn, and alike renewals after those look the
// same. The other leader reads the record when it looks new for the last time, and takes the lock waits RetryPeriods after that.
// The first leader reads the other's record as many RetryPeriods after that, and its own lease counts then.
func (p *mixed) addTurns(m *model, most, late, alike time.Duration) {
	period := m.c.RetryPeriod
	renewals := late + alike
	for ticks := p.waits; ticks*period < m.c.RenewDeadline; ticks++ {
		k := turnKind{periods: renewals + 1 + ticks, ticks: ticks, renewals: renewals, late: late}
		if k.periods < 2*p.waits+most+late || (1+ticks-p.waits)*period >= m.lease() {
			continue
		}
		k.interval = interval{k.periods * period, k.periods * period}
		k.after = k.high
		k.first = renewals * period
		if late > 0 {
			k.from = time.Second - late*period
			k.first = max((late-1)*period, k.first-time.Second)
		}
		p.kinds = append(p.kinds, k)
	}
}

// BackTurns returns as many turns as the parameter turns says, one after the other, by which two leaders go on taking leases back from
// each other for ever. Each leader has all of these turns, the second one so much later as apart says. phase is how far into a second of
// its clock a leader's first turn begins. It returns nil, and zeros, if no such plan is known.
func BackTurns(c *Config, e *Environment, turns int) (phase, apart time.Duration, all []BackTurn) {
	p := newModel(c, e).mixedBacks()
	if p == nil {
		return 0, 0, nil
	}
	phase = p.phase()
	for at := phase; len(all) < turns; {
		k := p.next(at)
		all = append(all, BackTurn{int(k.renewals), int(k.late), int(k.ticks), int(p.waits)})
		at = (at + k.low) % time.Second
	}
	return phase, p.apart, all
}

// next returns the kind of turn that is farthest from every edge, for a turn that begins so far into a second: its renewals are in the
// right seconds, and other turns can follow it.
func (p *mixed) next(at time.Duration) (best turnKind) {
	widest := time.Duration(-1)
	for _, k := range p.kinds {
		room := time.Second - 1 - k.first - at
		if k.late > 0 {
			room = min(room, at-k.from)
		}
		next := (at + k.low) % time.Second
		for _, part := range p.begins {
			if r := min(room, next-part.low, part.high-next); r > widest {
				best, widest = k, r
			}
		}
	}
	return best
}
