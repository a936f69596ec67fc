package bound

import "time"

// mostHurried is how many renewals of a turn look new at most in a plan of fastBlanks.
const mostHurried = 3

// fastBlanks returns a plan as takeBlanks returns it, in which each leader's clock is fast from the beginning of a turn until the last success of
// that turn, and as slow as it may be from then on; then the leader is frozen, too. The more renewals there are the
// longer is a turn by the leader's clock, but they take little true time, so that turns with few renewals and with many fit between the turns of
// the other leader. It returns nil if it finds none, as where no clock drifts.
func (m *model) fastBlanks() *blanks {
	if m.e.MaxDriftPPM == 0 {
		return nil
	}
	for most := range time.Duration(mostHurried + 1) {
		all := []hurry{{0, most, 0, 2}, {0, most, 1, 1}}
		if most > 0 {
			all = append(all, hurry{most, most, 0, 1})
		}
		for _, h := range all {
			if b := m.hurrying(h); b.lasts() {
				return b
			}
		}
	}
	return nil
}

// hurry says which turns a plan of fastBlanks has. All are plain counts. From least to most renewals look new, and alike renewals or more look
// the same as the last of these. A leader is frozen for a part of the longest freeze: each two freezes that follow each other share it if shared is 2.
// With 1 there are two successes or more in each turn, and the only freeze of a turn comes after the last one.
type hurry struct{ least, most, alike, shared time.Duration }

// hurrying returns such a plan. It leaves blanks.begins unset.
func (m *model) hurrying(h hurry) *blanks {
	period := m.c.RetryPeriod
	pause, lease := m.least(m.e.MaxPause)/h.shared, m.least(m.takeover())+period/64
	late := m.fast(h.most * period)
	b := m.plainBlanks(lease + m.least(late))
	b.late, b.before, b.pause, b.told, b.success, b.hurries = h.least, m.least(m.fast(h.least*period)), pause, 0, 0, true
	apart := m.slow(lease)
	for n := h.alike; n < mostTried && n*period < time.Second; n++ {
		rate, renewals := m.hurries(n*period, apart-period/64)
		if renewals >= apart-period/64 {
			break
		}
		for more := range h.most - h.least + 1 {
			b.addTurns(m, func(k *turnKind) {
				frozen := m.least(max(0, 2*apart+late-renewals-m.slow(k.periods*period+k.fails.low))) // it must be
				k.periods += h.least + more
				k.first, k.renewals, k.more, k.periods, k.driftPPM = n*(period+oneInstant), n, more, n+k.periods, rate
				k.low = k.periods*period + k.fails.low + frozen + 1
				k.high = k.periods*period + k.fails.high + pause
				if frozen <= pause && k.low > k.high { // requests take some time
					k.high = k.low
				}
			})
		}
	}
	return b
}

// hurries returns the slowest rate, in parts per million, with which a clock shows d in less than the time given as within, and how long that
// takes; the fastest rate if none is fast enough.
func (m *model) hurries(d, within time.Duration) (driftPPM int64, takes time.Duration) {
	driftPPM = int64(d*million/max(1, within-2)) + 1 - million
	driftPPM = min(max(driftPPM, -m.e.MaxDriftPPM), m.e.MaxDriftPPM)
	return driftPPM, True(d, driftPPM) + 2
}
