package bound

import "time"

// heldShares: plans are tried whose leaders are frozen for one such part of the longest freeze as they read a blank, two, and so on up to half of it.
const heldShares = 16

// heldBlanks returns a plan as takeBlanks returns it, in which each leader is frozen while the Get that reads the blank waits in the client's
// limiter: the attempt has begun by then, and its request leaves only as the process wakes. That freeze counts for the turn that begins, and not
// for the one before. Clocks are as slow as they may be while a leader waits for a timer, and as fast as they may be otherwise, so that freezes
// and answers fill more of a turn. It returns nil if it finds none, as where no request waits in the limiter.
func (m *model) heldBlanks() *blanks {
	if m.c.onTwoObjects() || m.c.Client != nil || m.direct >= m.trip || m.e.MaxPause < heldShares {
		return nil
	}
	for share := time.Duration(1); share <= heldShares/2; share++ {
		if b := m.holding(m.e.MaxPause * share / heldShares); b.lasts() {
			return b
		}
	}
	return nil
}

// holding returns such a plan with freezes of held, in true time, as its leaders read the blank. It leaves blanks.begins unset.
func (m *model) holding(held time.Duration) *blanks {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline-1
	answer, lease := min(m.most(m.answered), deadline), m.takeover()+period/1024
	writes := m.trip - m.fast(m.c.RequestTimeout)
	b := &blanks{
		apart: m.most(lease + writes), reads: m.most(m.trip + held), held: m.most(held), writes: m.most(writes),
		told: answer, success: min(2*answer, deadline), early: m.most(held), pause: m.most(m.e.MaxPause - held),
	}
	left := deadline - b.reads - b.told
	ticks := left / period
	for n := time.Duration(1); ticks > 0 && n < mostTried && n*period < time.Second; n++ {
		before := lease + held - m.slow(n*period) // the last write comes before the other leader reads its blank
		if before < 0 {
			break
		}
		k := turnKind{first: n*period + b.reads, periods: n + 1 + ticks, ticks: ticks, renewals: n, fails: interval{0, min(answer, left-ticks*period)}}
		alike := min(k.first+b.told+(n-1)*b.success+b.frozenBefore(n), time.Second, n*period+m.most(before))
		k.after = b.success + b.pause + (1+ticks)*period + k.fails.high
		k.low = k.periods*period + max(b.reads, m.most(max(0, 2*(lease+writes)-m.slow(k.periods*period)))) + 1
		k.high = alike + k.after
		if alike >= k.first && k.low <= k.high {
			b.kinds = append(b.kinds, k)
		}
	}
	return b
}
