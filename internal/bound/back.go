package bound

import "time"

// takesBack tells whether two leaders can take the lock from each other for ever, by a plan that can be shown. In that
// plan each leader renews some times after it has taken the lock, and takes the other's lease in its next poll, having
// read it there as soon as it was written. All clocks run as fast as they may, so that answers take long on them.
func (m *model) takesBack() bool {
	lease, period := m.lease(), m.c.RetryPeriod
	if m.backSo(back{turn: 2 * lease}) {
		return true
	}
	if period >= time.Second { // one renewal, which looks new, and may lose an answer
		once := back{turn: 2 * (lease + period), late: 1, renewals: 1}
		if m.backSo(once) {
			return true
		}
		ticks := (m.c.RenewDeadline - 1) / period
		over := max(0, lease+1-ticks*period)
		for _, frozen := range []time.Duration{0, max(over, m.most(m.e.MaxPause))} {
			lost := back{turn: (ticks+2)*period + frozen + m.timeout, late: 1, renewals: 1}
			if m.lossy() && lost.turn > once.turn && m.backSo(lost) {
				return true
			}
		}
		return false
	}
	for turn := 2 * lease; turn <= 2*lease+2*time.Second; turn += time.Second {
		most := (turn/2 - lease) / period
		for late := range min(most, 64) + 1 {
			for renewals := max(late, 1); renewals < late+64 && (renewals-late)*period < time.Second; renewals++ {
				if m.backSo(back{turn: turn, late: late, renewals: renewals}) {
					return true
				}
			}
		}
	}
	return false
}

// back is a turn of a leader that takes a lease back in each poll. It lasts so long, and has so many renewals, the last
// of which look the same; late is how many look new, or begin the second of those that look the same.
type back struct{ turn, late, renewals time.Duration }

// backSo tells whether a leader can have such turns. Each renewal, a wait and each tick of the last poll takes a
// RetryPeriod. The rest of a turn is a freeze, and the time that answers to renewals take. All times are on a leader's
// clock.
func (m *model) backSo(b back) bool {
	lease, period, deadline := m.lease(), m.c.RetryPeriod, m.c.RenewDeadline-1
	answer := min(m.most(m.answered), deadline)
	ticks := min(deadline/period, b.turn/period-1-b.renewals)
	over := max(0, lease+1-ticks*period) // it is frozen over the last tick
	waits := min(ticks, lease/period+1)
	if ticks < 0 || ticks*period+over >= deadline {
		return false
	}
	pause := m.most(m.e.MaxPause) - over
	if b.renewals == 0 { // a freeze counts for two turns
		pause = m.most(m.e.MaxPause)/2 - over
	}
	rest := b.turn - (b.renewals+1+ticks)*period - over
	if pause < 0 || rest < 0 {
		return false
	}
	reads := max(0, waits*period+over+b.late*period-b.turn/2) // from the beginning of the attempt that does so
	longest := 2 * answer
	if (ticks-waits+1)*period+min(rest, pause) >= lease || m.c.Lock.Forgets() && ticks > waits {
		// It begins no more with an update.
		longest = answer
		if reads > longest && waits == ticks {
			return false // it would have to be frozen between the beginning of its ticker and its first attempt
		}
	}
	if pause -= max(0, reads-longest); pause < 0 {
		return false
	}
	rest -= min(rest, pause)
	attempt := min(3*answer, deadline)
	last := attempt // of the last renewal
	if f := m.timeout; m.lossy() && rest > (b.renewals-max(b.late, 1)+1)*attempt && rest >= f {
		last = f + 2*answer
	}
	begins, told := b.renewals*period+max(0, rest-last), b.renewals*period+rest
	return rest <= (b.renewals-max(b.late, 1))*attempt+last && begins < time.Second+b.late*period &&
		told < b.turn/2+min(answer, m.most(m.direct))
}
