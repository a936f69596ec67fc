package bound

import "time"

// turnKind is one way in which a leader that takes blanks can spend a turn. Here a turn lasts from the first of its writes that
// look like its last one to the same write of the next turn. All times are on the leader's clock; periods, ticks, renewals and late
// are plain counts.
type turnKind struct {
	// interval is how long such a turn lasts. first is how long, at least, after the turn's beginning the leader's last success
	// comes. after is how long, at most, before the turn's end the last success comes.
	interval
	first, after time.Duration
	// periods is how many RetryPeriods the turn has, and ticks is how many of them are ticks of the poll that takes the lock.
	periods, ticks time.Duration
	// renewals is how many writes follow the first one and look the same. fails is how long the first attempt of the last poll
	// takes; only the kinds of a plan have it set.
	renewals time.Duration
	fails    interval
	// more is by how much more than blanks.late renewals of the next turn look new, a plain count, in a plan of hurrying.
	more time.Duration
	// driftPPM is the drift of the leader's clock until its last success, in a plan of hurrying.
	driftPPM int64
}

// blanks is a plan in which two leaders take blanks from each other for ever. Both leaders do the same, half a turn apart. All
// times are on a leader's clock, at its slowest.
type blanks struct {
	// late is how many renewals look new in each turn at least, a plain count; see turnKind.more. The last of these begins the second in which the writes
	// after it look the same.
	late time.Duration
	// before is how long those renewals take, at least.
	before time.Duration
	// apart is the shortest time from the beginning of one leader's turn to the beginning of the other leader's next turn.
	apart time.Duration
	// pause is how long, at most, a leader is frozen after the last success of a turn, and early is how long after the first one of
	// those that look the same. answer is how long, at most, one request takes. success is how long, at most, the answers to one
	// success take.
	pause, early, answer, success time.Duration
	// reads is how long the Get that reads the blank takes to arrive, in every turn. told is how much later than that, at most,
	// the write that follows is answered.
	reads, told time.Duration
	// splits and crosses are for two objects; see splitting and crossing. holds is the shortest time until a leader is told of the
	// last success of such a turn: with splits from that success on, with crosses from the first write of the turn. gets is how
	// long the Get of the first renewal takes, with crosses.
	splits, crosses bool
	holds, gets     time.Duration
	// wakes: with splits, a leader is frozen over the end of the poll of its last success, and handles the answer first as it wakes. All of
	// its freezes are part of that success.
	wakes bool
	// hurries: the clock of a leader has another rate until the last success of a turn; see hurrying.
	hurries bool
	// held is how long a leader is frozen as the Get that reads the blank waits in the limiter; a part of reads. See holding.
	held time.Duration
	// writes is how long after the reading of the blank, at most, the write that takes the lock is applied, where it is counted.
	writes time.Duration
	rotation
}

// takeBlanks returns a plan by which two leaders, of a profile that releases blindly, take the lock from each other for ever; nil
// if it finds none. In the plan each leader loses the lock to a third candidate when the lease has run out, and takes the lock by
// the blank that the third candidate's release leaves.
func (m *model) takeBlanks() *blanks {
	pause := m.least(m.e.MaxPause)
	earlies := []time.Duration{pause / 2, 0, pause / 8}
	if pause == 0 {
		earlies = earlies[:1]
	}
	for _, eagerly := range []bool{false, true} {
		for late := range min(64, m.mostLate()) + 1 {
			for _, apart := range m.aparts(late) {
				for _, early := range earlies {
					for _, slowly := range []bool{true, false} {
						if b := m.planned(late, apart, early, slowly, eagerly); b.lasts() {
							return b
						}
					}
				}
			}
		}
	}
	if b := m.writeLate(); b != nil {
		return b
	}
	if m.e.MaxRoundTrip == 0 && m.e.MaxDriftPPM == 0 {
		ordered := *m.e
		ordered.MaxRoundTrip = oneInstant
		return newModel(m.c, &ordered).takeBlanks()
	}
	if b := m.fastBlanks(); b != nil {
		return b
	}
	return m.heldBlanks()
}

// oneInstant is how long a request takes at most in a plan for requests that take no time: those of one instant follow each other.
const oneInstant = 70 * time.Nanosecond

// takesBlanks tells whether takeBlanks finds a plan, in this environment or in one in which clocks drift half as much, or not at all: whatever can
// happen there can happen here, too.
func (m *model) takesBlanks() bool {
	if m.takeBlanks() != nil {
		return true
	}
	if m.e.MaxDriftPPM == 0 {
		return false
	}
	for _, drift := range []int64{m.e.MaxDriftPPM / 2, 0} {
		steadier := *m.e
		steadier.MaxDriftPPM = drift
		if newModel(m.c, &steadier).takeBlanks() != nil {
			return true
		}
	}
	return false
}

// aparts returns the values to try for blanks.apart, on a clock at its slowest. The first two are a lease and late RetryPeriods, and
// a little more than the RetryPeriods that exceed that. The others are half of a number of whole seconds, or of equal parts of a
// second: they leave a leader more time for its renewals. Requests of one instant leave none: there the last value is an answer more than
// those RetryPeriods.
func (m *model) aparts(late time.Duration) []time.Duration {
	least := m.least(m.takeover()) + late*m.c.RetryPeriod
	renewed := (least/m.c.RetryPeriod + 1) * m.c.RetryPeriod
	all := []time.Duration{least, renewed + m.c.RetryPeriod/64}
	for _, parts := range []time.Duration{1, 2, 3, 4, 5, 6, 8} {
		part := time.Second / parts
		for turn := (2*least/part + 1) * part; turn < 2*least+min(2*least, 2*part); turn += part {
			all = append(all, turn/2)
		}
	}
	if m.e.MaxRoundTrip == oneInstant {
		all = append(all, renewed+m.least(m.answered))
	}
	return all
}

// mostLate returns how many renewals of a turn can look new at most, as a plain count. Each of them makes the other leader's turn
// a RetryPeriod later.
func (m *model) mostLate() time.Duration {
	_, both := m.calls()
	longest := min(time.Second, m.least(m.takeover())) + m.c.RetryPeriod + m.c.RenewDeadline + m.least(2*both*m.answered+m.e.MaxPause)
	return max(0, longest-m.least(2*m.takeover())) / m.c.RetryPeriod
}

// planned returns a plan with all kinds of turns in which late renewals look new; late is a plain count. apart becomes
// blanks.apart, and early becomes blanks.early: half of the longest freeze, or less. It leaves blanks.begins unset. The rest of the
// longest freeze follows the last success of a turn. A turn has two successes at least, unless early is half of the longest freeze.
// If slowly is true, one Get takes long: the Get that reads a blank or, on two objects, the Get that fails at the beginning of a
// poll. If eagerly is true, the first attempt of a poll takes the lock, and otherwise one of the last two.
func (m *model) planned(late, apart, early time.Duration, slowly, eagerly bool) *blanks {
	deadline := m.c.RenewDeadline - 1
	update, both := m.calls()
	b := m.plainBlanks(apart)
	b.late, b.before, b.early, b.pause = late, late*m.c.RetryPeriod, early, b.pause-early
	if early > 0 && early == m.least(m.e.MaxPause)/2 {
		b.pause = early
	}
	longest := b.answer
	if slowly { // the last request of its Get fails
		longest *= both - update
	}
	fails := m.failsWithin(longest)
	left := max(0, deadline-m.lastAttempt(fails))
	if eagerly {
		fails, left = []interval{{}}, deadline
	}
	if slowly && update == 1 {
		b.reads = min(b.answer, left)
	}
	if eagerly {
		b.reads /= 2 // it may be told late as well, in the same second
	}
	if late == 0 { // the write that takes the lock
		b.told = min(b.told, left-b.reads)
	}
	for _, f := range fails {
		most := (deadline - f.low) / m.c.RetryPeriod
		least := max(1, most-1)
		if eagerly {
			most, least = 0, 0
		}
		for ticks := most; ticks >= least; ticks-- {
			f.high = min(f.high, deadline-ticks*m.c.RetryPeriod)
			for n := time.Duration(0); n < 64 && (late+n)*m.c.RetryPeriod < apart+b.reads; n++ { // with more there are none
				if n+late == 0 && b.pause > early {
					continue
				}
				if k := m.plannedTurn(b, f, ticks, n); k.low <= k.high {
					b.kinds = append(b.kinds, k)
				}
			}
		}
	}
	return b
}

// plainBlanks returns what all plans begin with. It has the longest freeze as blanks.pause, and the longest answer to one request as
// blanks.told.
func (m *model) plainBlanks(apart time.Duration) *blanks {
	deadline := m.c.RenewDeadline - 1
	_, both := m.calls()
	b := &blanks{apart: apart, pause: m.least(m.e.MaxPause), answer: min(m.least(m.answered), deadline)}
	b.told, b.success = min(m.least(m.direct), deadline), min(both*b.answer, deadline)
	return b
}

// failsWithin returns the ranges of how long the first attempt of a poll can take that fails: no longer than longest, or as long as the
// request timeout, if an answer can be lost.
func (m *model) failsWithin(longest time.Duration) []interval {
	fails := []interval{{0, longest}}
	if m.lossy() {
		fails = append(fails, interval{m.timeout, m.timeout})
	}
	return fails
}

// plannedTurn returns the kind of turns of plan b with n renewals that look the same, and with that many ticks in the last poll.
// fails is the range of how long the first attempt of that poll takes. If there are no such turns, the result has a low above its
// high.
func (m *model) plannedTurn(b *blanks, fails interval, ticks, n time.Duration) turnKind {
	period := m.c.RetryPeriod
	k := turnKind{first: n * period, periods: b.late + n + 1 + ticks, ticks: ticks, renewals: n, fails: fails}
	last, alike := b.told, k.first
	if n > 0 { // its last write comes before the other one's turn
		lease, direct := b.apart-b.late*period, min(m.least(m.direct), b.answer)
		last = min(b.success, lease-alike+direct)
		alike += b.told + (n-1)*b.success
		alike += b.frozenBefore(n)
		alike = min(alike, time.Second, lease)
		k.high = min(0, lease-alike-max(0, last-direct))
	}
	k.after = last + b.pause + (1+b.late+ticks)*period + fails.high
	if n > 0 && b.late == 0 {
		alike, k.first = alike+b.reads, k.first+b.reads
	} else {
		k.after += b.reads
	}
	k.low, k.high = k.periods*period+fails.low+b.reads, k.high+alike+k.after
	if n > 0 {
		k.low++ // requests take some time
	}
	k.low = max(2*b.apart, k.low)
	if k.first-b.reads >= b.apart-b.late*period {
		k.high = 0
	}
	return k
}

// frozen returns how long a leader is frozen, at most, after success number i of those that look the same, counted from 0; the last one
// is number n. Freezes after two successes that follow each other last for early and pause together, or less.
func (b *blanks) frozen(i, n time.Duration) time.Duration {
	switch {
	case i == n, i%2 == 1 && i+1 < n:
		return b.pause
	case i == 0:
		return b.early - b.held
	}
	return b.early
}

// frozenBefore returns how long a leader is frozen, at most, after all successes that look the same before number n, together: the sum of frozen.
// n must be 1 or more.
func (b *blanks) frozenBefore(n time.Duration) time.Duration {
	return n*b.early - b.held + (n-1)/2*(b.pause-b.early)
}

// lastAttempt returns the latest time in a poll at which its last attempt can begin, on the leader's clock, for a profile that
// drops ticks; 0 if only one attempt fits into a poll. Ticks count from the end of the first attempt, and fails has the ranges of
// how long that one can take.
func (m *model) lastAttempt(fails []interval) (latest time.Duration) {
	period, deadline := m.c.RetryPeriod, m.c.RenewDeadline
	for _, f := range fails {
		if ticks := (deadline - 1 - f.low) / period; f.low < deadline && ticks > 0 {
			latest = max(latest, min(ticks*period+f.high, deadline))
		}
	}
	return latest
}
