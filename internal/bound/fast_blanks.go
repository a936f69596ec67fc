package bound

import "time"

// fastBlanks returns a plan as takeBlanks returns it, in which each leader's clock is fast from the beginning of a turn until the last success of
// that turn, and as slow as it may be from then on; then the leader is frozen, too. All renewals look the same. The more of them there are the
// longer is a turn by the leader's clock, but they take little true time, so that turns with few renewals and with many fit between the turns of
// the other leader. It returns nil if it finds none, as where no clock drifts.
func (m *model) fastBlanks() *blanks {
	if m.e.MaxDriftPPM == 0 {
		return nil
	}
	pause := m.least(m.e.MaxPause)
	for _, least := range []time.Duration{0, 1} { // successes of a turn beside the first; with two of them it may be frozen for longer
		if b := m.hurrying(least, pause/(2-least)); b.lasts() {
			return b
		}
	}
	return nil
}

// hurrying returns such a plan with at least that many renewals in each turn, a plain count, and freezes that are as long as pause at most. It
// leaves blanks.begins unset.
func (m *model) hurrying(least, pause time.Duration) *blanks {
	period := m.c.RetryPeriod
	b := m.plainBlanks(m.least(m.takeover()) + period/64)
	b.pause, b.told, b.success, b.hurries = pause, 0, 0, true
	apart := m.slow(b.apart)
	for n := least; n < mostTried && n*period < time.Second; n++ {
		rate, renewals := m.hurries(n*period, apart-period/64)
		if renewals >= apart-period/64 {
			break
		}
		b.addTurns(m, func(k *turnKind) {
			frozen := m.least(max(0, 2*apart-renewals-m.slow(k.periods*period+k.fails.low))) // it must be
			k.low = (n+k.periods)*period + k.fails.low + frozen + 1
			k.high = (n+k.periods)*period + k.fails.high + pause
			k.first, k.renewals, k.periods, k.driftPPM = n*period, n, n+k.periods, rate
			if frozen <= pause && k.low > k.high { // requests take some time
				k.high = k.low
			}
		})
	}
	return b
}

// hurries returns the slowest rate of three, in parts per million, with which a clock shows d in less than the time given as within, and how
// long that takes; the fastest one if none is fast enough.
func (m *model) hurries(d, within time.Duration) (driftPPM int64, takes time.Duration) {
	for _, rate := range []int64{-m.e.MaxDriftPPM, 0, m.e.MaxDriftPPM} {
		if driftPPM, takes = rate, True(d, rate)+2; takes < within {
			break
		}
	}
	return driftPPM, takes
}
