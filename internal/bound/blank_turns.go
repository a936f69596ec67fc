package bound

import "time"

// BlankTurn is a turn of a leader that takes the lock by a blank: the record without a holder that a release leaves. The turn
// lasts until the leader takes the lock by a blank again. All times are on the leader's clock, at its slowest.
type BlankTurn struct {
	// Length is the time from the beginning of the attempt that takes the lock to the beginning of the attempt that takes it
	// again. Reads is how long the Get of each of these attempts takes to arrive. Apart is how long after the first of the writes
	// that look like this turn's last one the other leader's turn begins.
	Length, Reads, Apart time.Duration
	// Took has how long each success takes: first the attempt that takes the lock, without Reads, and then each renewal. The
	// first Late renewals look new; the last of these begins the second in which the writes after it look the same.
	Took []time.Duration
	Late int
	// Frozen has how long the process is frozen after each success. After the last one comes the poll that takes the lock again. Its
	// first attempt fails after Fails, because its answer is lost if Loses is true. The attempts at its ticks fail too, but the
	// one at the last tick, number Ticks, takes the lock; Ticks is a plain count.
	Frozen []time.Duration
	Fails  time.Duration
	Loses  bool
	Ticks  time.Duration
	// Splits and Crosses are for a lock on two objects. With either, the last success writes the second object long after the first
	// one: with Splits between the reading and the writing of the candidate that takes the lock over, with Crosses between those
	// of the other leader's first renewal. The Get of that renewal takes Gets in each turn.
	Splits, Crosses bool
	Gets            time.Duration
	// Wakes, with Splits: the process is frozen over the end of the poll of the last success, and handles its answer first as it wakes.
	Wakes bool
	// Hurries: the leader's clock is as fast as it may be for the renewals that look new. From then on it has the drift DriftPPM until the last
	// success. The times of the turn up to then are on that clock.
	Hurries  bool
	DriftPPM int64
	// Held is how long the process is frozen as the Get that reads the blank waits in the client's limiter; it is a part of Reads. Where it is not
	// 0 the leader's clock is at its slowest only while it waits for timers, and otherwise at its fastest.
	Held time.Duration
}

// BlankTurns returns as many turns as the parameter turns says, one after the other, by which two leaders go on taking blanks
// from each other for ever. The profile of c must release blindly. Each leader has all of these turns. phase is how far into a
// second of its clock a leader's first turn begins. It returns 0 and nil if no such plan is known.
func BlankTurns(c *Config, e *Environment, turns int) (phase time.Duration, all []BlankTurn) {
	b := newModel(c, e).takeBlanks()
	if b == nil {
		return 0, nil
	}
	phase = b.phase()
	more := time.Duration(0)
	for at := phase; len(all) < turns; {
		k, length := b.next(at)
		if b.crosses {
			all = append(all, b.crossingTurn(&k, length, c.RetryPeriod))
		} else {
			all = append(all, b.turn(&k, more, length, c.RetryPeriod))
		}
		at, more = (at+length)%time.Second, k.more
	}
	return phase, all
}

// next returns one of b.kinds, and a length, for a turn whose beginning is the duration given as at after the beginning of a
// second, on the leader's clock. It chooses them so that other turns can follow: of all ranges of such lengths it takes the
// widest, and returns the middle of that range. A range counts as no wider than what the last success leaves of its second.
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
				if room := min(to-from, time.Second-1-at-k.first); room > widest {
					best, length, widest = k, from+(to-from)/2, room
				}
			}
		}
	}
	return best, length
}

// turn returns a turn of kind k that lasts for length, from the first of its writes that look like its last one; period is RetryPeriod.
// Before that write it has that many renewals more than b.late. The turn's RetryPeriods, reads and shortest failing
// attempt take a part of length. The rest of length is spent in this order, each item as long as it can be: the last freeze, the first
// attempt of the last poll, the answers to the last success, those to the first success, those to the successes between, and the
// freezes after all of these. All times are on the leader's clock.
func (b *blanks) turn(k *turnKind, more, length, period time.Duration) BlankTurn {
	rest := length - k.periods*period - b.reads - k.fails.low - b.holds
	some := func(most time.Duration) time.Duration { return part(&rest, most) }
	late := b.late + more
	t := BlankTurn{
		Length: length + (more-k.more)*period, Reads: b.reads, Apart: b.apart - b.before, Late: int(late), Ticks: k.ticks, Loses: k.fails.low > 0,
		Splits: b.splits, Wakes: b.wakes, Hurries: b.hurries, DriftPPM: k.driftPPM, Held: b.held,
	}
	last := int(late + k.renewals)
	t.Took, t.Frozen = make([]time.Duration, last+1), make([]time.Duration, last+1)
	t.Frozen[last] = some(b.pause)
	t.Fails = k.fails.low + some(k.fails.high-k.fails.low)
	if k.renewals > 0 {
		t.Took[last] = some(b.success)
	}
	t.Took[late] = b.holds + some(b.told-b.holds)
	t.Apart -= max(0, t.Took[late]-b.told+b.writes)
	for i := last - 1; i > int(late); i-- {
		t.Took[i] = some(b.success)
	}
	for i := range k.renewals {
		t.Frozen[late+i] = some(b.frozen(i, k.renewals))
	}
	return t
}

// part takes from rest as much as there is, up to most, and returns how much that is.
func part(rest *time.Duration, most time.Duration) time.Duration {
	d := min(*rest, most)
	*rest -= d
	return d
}
