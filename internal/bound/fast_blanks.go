package bound

import "time"

// fastBlanks returns a plan as takeBlanks returns it, in which each leader's clock is as fast as it may be from the beginning of a turn until
// the last success of that turn, and as slow as it may be from then on. All renewals look the same. The more of them there are the longer is
// a turn, but that takes little true time, so that turns with few renewals and with many fit between the turns of the other leader. It returns nil
// if it finds none, as where no clock drifts.
func (m *model) fastBlanks() *blanks {
	period := m.c.RetryPeriod
	if m.e.MaxDriftPPM == 0 {
		return nil
	}
	b := m.writingLate(m.least(m.takeover()) + period/64)
	b.pause, b.told, b.success, b.hurries = 0, 0, 0, true
	apart := m.slow(b.apart)
	for n := time.Duration(0); n*period < time.Second && m.fast(n*period) < apart-m.fast(period/64); n++ {
		b.addTurns(m, func(k *turnKind) {
			k.low, k.high = (n+k.periods)*period+k.fails.low+1, (n+k.periods)*period+k.fails.high
			if m.fast(n*period)+m.slow(k.periods*period+k.fails.low) < 2*apart {
				k.high = 0
			}
			k.first, k.renewals, k.periods = n*period, n, n+k.periods
			if m.lossy() && k.fails.low > 0 { // requests take some time
				k.high++
			}
		})
	}
	var forEver bool
	if b.begins, _, _, forEver = rotations(b.kinds, 100_000); forEver {
		return b
	}
	return nil
}
