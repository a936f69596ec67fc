package bound

import "time"

// BlankTurn is a turn of a leader that takes the lock by a blank, which is the record without a holder that a release leaves.
// It lasts until the leader does so again. All times are on its clock, at its slowest.
type BlankTurn struct {
	// Length is from the beginning of the one attempt to that of the other. The Get of each takes Reads to arrive. The other leader's turn begins
	// Apart after the first of the writes that look like the last one.
	Length, Reads, Apart time.Duration
	// Took has how long the attempt that takes the lock takes, beside Reads, and then each renewal, of which Late look new, or begin what looks the same.
	Took []time.Duration
	Late int
	// Then the process is frozen. The first attempt of the poll that follows fails after Fails, by a lost answer if Loses is true, and so do all at
	// its ticks but the last.
	Frozen, Fails time.Duration
	Loses         bool
	Ticks         time.Duration
}

// BlankTurns returns that many turns, one after the other, by which two leaders go on taking blanks from each other for ever;
// each leader has all of them. phase is how far into a second the clock of each leader is when its first turn begins. all is
// nil if no such plan is known.
func BlankTurns(c *Config, e *Environment, turns int) (phase time.Duration, all []BlankTurn) {
	b := newModel(c, e).takeBlanks()
	if b == nil {
		return 0, nil
	}
	phase = b.begins[0].low + (b.begins[0].high-b.begins[0].low)/2
	for at := phase; len(all) < turns; {
		k, length := b.next(at)
		all = append(all, b.turn(&k, length, c.RetryPeriod))
		at = (at + length) % time.Second
	}
	return phase, all
}

// next chooses the next turn: one of b.kinds, and its length. The turn begins when the clock is at into its second, and others
// can follow it. Of the ranges of such lengths it takes the widest, and returns its middle.
func (b *blanks) next(at time.Duration) (best turnKind, length time.Duration) {
	widest := time.Duration(-1)
	for _, k := range b.kinds {
		low, high := k.low, min(k.high, time.Second-1-at+k.after)
		if at+k.first >= time.Second {
			continue
		}
		for _, part := range b.begins {
			for s := (at + low).Truncate(time.Second); s <= at+high; s += time.Second {
				from, to := max(low, s+part.low-at), min(high, s+part.high-at)
				if to-from > widest {
					best, length, widest = k, from+(to-from)/2, to-from
				}
			}
		}
	}
	return best, length
}

// turn returns a turn of kind k that lasts for length. A turn is longer than its RetryPeriods: it spends the rest on a freeze,
// then on the first attempt of its last poll, then on the answers to its last success, to the first, and to those between, each
// as long as may be.
func (b *blanks) turn(k *turnKind, length, period time.Duration) BlankTurn {
	rest := length - k.periods*period - b.reads - k.fails.low
	some := func(most time.Duration) time.Duration {
		d := min(rest, most)
		rest -= d
		return d
	}
	t := BlankTurn{Length: length, Reads: b.reads, Apart: b.apart - b.late*period, Late: int(b.late), Ticks: k.ticks, Loses: k.fails.low > 0}
	t.Took = make([]time.Duration, 1+b.late+k.renewals)
	t.Frozen = some(b.pause)
	t.Fails = k.fails.low + some(k.fails.high-k.fails.low)
	last := len(t.Took) - 1
	if k.renewals > 0 {
		t.Took[last] = some(b.success)
	}
	t.Took[b.late] = some(b.told)
	for i := last - 1; i > int(b.late); i-- {
		t.Took[i] = some(b.success)
	}
	return t
}
