package bound

import "time"

// mostTried is how many numbers of ticks, and of renewals, the plans of this file and of fastBlanks have at most. Where a RetryPeriod is that
// short, there may be plans that they miss.
const mostTried = 64

// writeLate returns a plan as takeBlanks returns it, for a lock on two objects: one in which a leader's last success of a turn writes the
// second object long after the first one. It returns nil if it finds none.
func (m *model) writeLate() *blanks {
	if !m.c.onTwoObjects() {
		return nil
	}
	for late := range min(mostTried, m.mostLate()) + 1 {
		aparts := m.aparts(late)
		for _, apart := range aparts {
			for _, apart := range []time.Duration{max(aparts[0], apart-m.c.RetryPeriod/512), apart} { // turns may be shorter, or longer, than that twice
				b := m.crossing(apart)
				if late > 0 {
					b = m.splitting(late, apart, false)
				}
				if b.lasts() {
					return b
				}
				if late > 0 && m.e.MaxPause > 0 {
					if b = m.splitting(late, apart, true); b.lasts() {
						return b
					}
				}
			}
		}
	}
	return nil
}

// splitting returns a plan in which late renewals of a turn look new, and no other ones follow; late is a plain count above 0. The last
// of these writes the second object only once the third candidate has read both, so that the lease counts from its write on the first
// one. apart becomes blanks.apart, and wakes becomes blanks.wakes.
func (m *model) splitting(late, apart time.Duration, wakes bool) *blanks {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	b := m.plainBlanks(apart)
	b.late, b.before, b.splits, b.holds, b.wakes = late, late*period, true, apart-late*period, wakes
	arrives := b.holds + period/128
	sent := arrives - b.answer // or later
	if wakes && sent < deadline {
		before := max(0, sent-b.told-b.answer) // it is frozen before that, too
		b.told, b.pause = deadline+b.pause-before, 0
	} else {
		b.told = min(b.told+2*b.answer, b.holds+b.told, deadline)
	}
	near := min(period/128, (b.told-b.holds)/2)
	if b.holds += near; near < 0 {
		return b
	}
	b.addTurns(m, func(k *turnKind) {
		k.periods += late
		k.low = max(2*apart, b.holds+k.periods*period+k.fails.low)
		k.high = min(2*apart+near, b.told+b.pause+k.periods*period+k.fails.high)
	})
	return b
}

// addTurns adds turns to b.kinds: for each way in which the first attempt of the last poll can fail, and each large number of ticks after it,
// the one that complete completes, if there is such a turn. complete gets a turn without renewals that look the same; it sets interval.
func (b *blanks) addTurns(m *model, complete func(*turnKind)) {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	for _, f := range m.failsWithin(b.answer) {
		most := (deadline - f.low) / period
		for ticks := most; ticks > max(0, most-mostTried); ticks-- {
			k := turnKind{periods: 1 + ticks, ticks: ticks, fails: interval{f.low, min(f.high, deadline-ticks*period)}}
			complete(&k)
			k.after = k.high
			if k.low <= k.high {
				b.kinds = append(b.kinds, k)
			}
		}
	}
}

// crossing returns a plan in which the last success of a turn writes the first object before the other leader takes the lock, and the
// second one while that leader renews for the first time: after that renewal has read the second object, and before it writes it. All
// renewals of a turn look the same. apart becomes blanks.apart; turns last for twice that, or a little more.
func (m *model) crossing(apart time.Duration) *blanks {
	period := m.c.RetryPeriod
	b := m.plainBlanks(apart)
	near := min(period/128, b.told/4)
	latest := min(apart, time.Second) - near
	whole := min(b.told+2*b.answer, m.c.RenewDeadline-1) // of the last success
	b.crosses, b.gets = true, min(max(0, latest+whole-b.told-apart-near-period), 2*b.answer)
	b.holds = apart + near + period + b.gets
	for n := time.Duration(2); n < mostTried && n*period+b.gets < latest; n++ {
		for begins := latest; begins > latest-period && begins >= n*period+b.gets; begins -= max(1, period/16) {
			told := min(begins+whole, b.holds+b.told-near)
			reads := begins + b.told + b.answer // the second object, at the latest
			if begins-n*period-b.gets > (n-2)*b.success+b.told || told < b.holds || reads < apart+2*near {
				continue
			}
			b.addTurns(m, func(k *turnKind) {
				k.first, k.renewals = begins, n
				k.low = max(2*apart, b.holds+k.periods*period+k.fails.low)
				k.high = min(2*apart+near, told+b.pause+k.periods*period+k.fails.high)
				k.periods += n
			})
		}
	}
	return b
}

// crossingTurn returns a turn of kind k that lasts for length. The turn's RetryPeriods after its last success, the shortest failing attempt
// and the shortest time until it is told take a part of length. The rest is spent on the last freeze, on the first attempt of the last poll,
// and on the last answer. The last renewal begins k.first after the first write.
func (b *blanks) crossingTurn(k *turnKind, length, period time.Duration) BlankTurn {
	rest := length - (1+k.ticks)*period - k.fails.low - b.holds
	some := func(most time.Duration) time.Duration { return part(&rest, most) }
	t := BlankTurn{Length: length, Apart: b.apart, Ticks: k.ticks, Loses: k.fails.low > 0, Gets: b.gets, Crosses: true}
	last := int(k.renewals)
	t.Took, t.Frozen = make([]time.Duration, last+1), make([]time.Duration, last+1)
	t.Frozen[last] = some(b.pause)
	t.Fails = k.fails.low + some(k.fails.high-k.fails.low)
	t.Took[last] = b.holds + rest - k.first
	rest = k.first - k.renewals*period - b.gets
	for i := last - 1; i > 1; i-- {
		t.Took[i] = some(b.success)
	}
	t.Took[1] = b.gets + rest
	return t
}
