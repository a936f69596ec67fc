package bound

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// rotating returns how often, at most, two leaders of a profile that releases blindly take the lock from each other where
// RetryPeriod is below a second. It returns 0 and false where no limit is known. docs/method/derivation.md, "Many turns in a second",
// has the sums.
//
// A turn lasts for about two leases. All writes of a turn are within one second of the leader's clock: if one looked new, the
// other leader would have to wait for so much longer. So there is a part of a second in which no turn can begin, and after a
// number of turns one of them would have to begin there.
func (m *model) rotating() (n time.Duration, known bool) {
	if n, known = m.rotatingWithin(2); known || m.e.MaxDriftPPM > 0 {
		return n, known
	}
	return m.rotatingWithin(0)
}

// rotatingWithin returns what rotating returns. It takes an attempt to last up to rounded longer than its requests; where no clock
// drifts, 0 is enough, since nothing is rounded there.
func (m *model) rotatingWithin(rounded time.Duration) (n time.Duration, known bool) {
	t, ok := m.turn()
	if !ok {
		return 0, false
	}
	period := m.c.RetryPeriod
	low, high := m.least(m.takeover()+t.soonest), m.most(2*t.latest)
	most := high / period
	if low < m.c.RenewDeadline+m.most(m.e.MaxPause) || most > 300 {
		return 0, false // a turn may have no success, or is too long to compute
	}
	_, both := m.calls()
	attempt := m.most(both*m.trip) + rounded
	kinds := m.allTurns(&t, low, high, attempt)
	drift := high - m.least(2*t.latest)
	groups := [][]turnKind{kinds}
	if t.latest-t.soonest+drift+m.moved(most, attempt)+m.most(m.e.MaxPause)+most*t.loses < period { // all turns have the same number of them
		groups = make([][]turnKind, most+2)
		for _, k := range kinds {
			groups[k.periods] = append(groups[k.periods], k)
		}
	}
	n = 6
	for _, kinds := range groups {
		_, turns, ends, _ := rotations(kinds, 1_000_000)
		if !ends {
			return 0, false
		}
		n = max(n, 6+2*turns)
	}
	return n, true
}

// allTurns returns all kinds of turns that are possible and in which all writes of the leader look the same. A turn lasts for low
// to high, on the leader's clock, and an attempt for no longer than attempt. t is what the method turn returns.
func (m *model) allTurns(t *turnTimes, low, high, attempt time.Duration) (all []turnKind) {
	period, pause := m.c.RetryPeriod, m.most(m.e.MaxPause)
	polls, early := slices.Collect(m.polls(attempt)), time.Duration(0)
	if (m.c.RenewDeadline-1)/period > 1 {
		early = pause // it may take the lock late, after a freeze over a tick, hear nothing, and succeed at the next
	}
	for n := time.Duration(0); n*period < min(time.Second, high)+early; n++ {
		for lost := range (n+1)/2 + 1 { // first attempts of polls, and RetryPeriods after that
			at := n*period + lost*m.timeout
			if lost > 0 && t.loses == 0 || at-early >= time.Second {
				break
			}
			for _, p := range polls {
				k := turnKind{first: max(0, at-early), periods: n + 1 + p.periods}
				k.after = attempt + pause + period + p.high
				k.low = max(low, at+period+p.low-early)
				k.high = min(high, at+n*attempt+n/2*pause+k.after)
				if k.low <= k.high {
					all = append(all, k)
				}
			}
		}
	}
	return all
}

// polls yields when attempts of a poll can begin, counted from its start. It uses turnKind for that, and sets two fields only:
// interval is the range of those times, and periods is after how many ticks they come. attempt is how long the first attempt
// takes at most, without the timeout of a lost answer. A poll can have millions of ticks.
func (m *model) polls(attempt time.Duration) iter.Seq[turnKind] {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	return func(yield func(turnKind) bool) {
		more := yield(turnKind{})
		for ticks := time.Duration(1); more && ticks*period <= deadline; ticks++ {
			at := ticks * period
			more = yield(turnKind{interval: interval{at, min(at+attempt, deadline)}, periods: ticks})
			if more && m.lossy() && at+m.timeout <= deadline {
				more = yield(turnKind{interval: interval{at + m.timeout, min(at+m.timeout+attempt, deadline)}, periods: ticks})
			}
		}
	}
}

// turnTimes are bounds of a turn. soonest and latest are in true time, loses is on a leader's clock.
type turnTimes struct {
	// soonest and latest bound the time from the beginning of an attempt that takes the lock to the beginning of the next such
	// attempt, which is the other leader's.
	soonest, latest time.Duration
	// loses is the timeout, where the first attempt of a poll can lose an answer and still be followed by another attempt at a
	// tick; otherwise 0.
	loses time.Duration
}

// turn returns the bounds of a turn. ok is false if the bounds do not hold, because a later write of a turn, and not its first
// one, can be the first that looks like its last one.
func (m *model) turn() (t turnTimes, ok bool) {
	period, deadline, pause := m.c.RetryPeriod, m.c.RenewDeadline, m.e.MaxPause
	update, both := m.calls()
	reads := (both - update) * m.trip
	attempt := m.most(both * m.trip)
	begins := m.lastTick() + attempt // the last attempt of a poll
	if m.lossy() && m.timeout+period <= deadline {
		t.loses = m.timeout
		begins = max(begins, t.loses+(deadline-t.loses)/period*period+attempt)
	}
	begins = min(begins, deadline)
	told := m.told() + pause
	t.soonest = m.takeover() - reads - pause
	t.latest = reads + pause + told + m.slow(period+begins)
	// A write that looks new begins a RetryPeriod later, but for a freeze before, which is counted already.
	return t, t.soonest > 0 && m.most(pause) < period && t.latest-t.soonest-pause < m.fast(period)
}

// moved returns by how much later, at most, a turn of so many RetryPeriods ends because of the time that requests and freezes
// take, on a leader's clock. periods is a plain count; attempt is how long an attempt takes at most.
func (m *model) moved(periods, attempt time.Duration) time.Duration {
	return periods*attempt + (periods/2+2)*m.most(m.e.MaxPause)
}

// rotation is turns of some kinds that go on for ever. begins are the parts of a second, of a leader's clock, in which one can begin so that
// others can follow.
type rotation struct {
	kinds  []turnKind
	begins []interval
}

// lasts tells whether turns of r.kinds are known to go on for ever. Then it sets r.begins.
func (r *rotation) lasts() (forEver bool) {
	r.begins, _, _, forEver = rotations(r.kinds, 100_000)
	return forEver
}

// phase returns how far into a second the first turn begins: in the middle of the first of r.begins.
func (r *rotation) phase() time.Duration {
	first := r.begins[0]
	return first.low + (first.high-first.low)/2
}

// rotations looks for how many turns of these kinds can follow each other. If ends is true, no more than n can. If forEver is
// true, turns can go on for ever, and begins has the parts of a second in which such turns begin. If both are false, the answer
// takes more than limit steps to find; begins is then nil.
//
// It computes in which parts of a second a turn can begin so that one, two, three and more turns can follow.
func rotations(kinds []turnKind, limit int) (begins []interval, n time.Duration, ends, forEver bool) {
	const second = time.Second
	begins = []interval{{0, second - 1}}
	for work := 0; work < limit; n++ {
		var before []interval
		work += 100 + len(kinds)*len(begins)
		for _, k := range kinds {
			for _, b := range begins {
				// A turn that is a second longer than another one ends at the same place.
				least := k.low.Truncate(second)
				for s := least - second; s <= least+2*second && s+b.low < second+k.after; s += second {
					end := min(s+b.high, second+k.after-1)
					if p := (interval{max(0, s+b.low-k.high), min(second-1-k.first, end-k.low)}); p.low <= p.high {
						before = append(before, p)
					}
				}
			}
		}
		before = joinedUp(before)
		switch {
		case len(before) == 0:
			return nil, n + 1, true, false
		case slices.Equal(before, begins):
			return begins, n, false, true
		}
		begins = before
	}
	return nil, n, false, false
}

// joinedUp returns the union of the ranges, as ranges in ascending order that do not overlap or touch. It sorts its argument in
// place.
func joinedUp(all []interval) []interval {
	slices.SortFunc(all, func(a, b interval) int { return cmp.Compare(a.low, b.low) })
	var joined []interval
	for _, r := range all {
		if last := len(joined) - 1; last >= 0 && r.low <= joined[last].high+1 {
			joined[last].high = max(joined[last].high, r.high)
			continue
		}
		joined = append(joined, r)
	}
	return joined
}
