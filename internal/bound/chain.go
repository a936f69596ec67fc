package bound

import (
	"time"

	"interregnum/elector/machine"
)

// Join is how writes that look the same to a follower come before the last attempt to renew.
type Join uint8

// The joins.
const (
	// JoinNone: the last attempt's own writes are all that look the same.
	JoinNone Join = iota
	// JoinAcquired: acquiring and the first renewal fall in one second. The answer to acquiring is slow.
	JoinAcquired
	// JoinRetried: acquiring, tried again, and renewals follow each other within one second: RetryPeriod is below it.
	JoinRetried
	// JoinTicked: a slow attempt leaves a tick, so that the next two start less than a second apart.
	JoinTicked
)

// Chain is the renewal that lasts longest after the first write that looks the same to a follower: its last attempt, and
// what came before within the same second.
type Chain struct {
	Join Join
	// Gap is the time, on the leader's slow clock, from the first of those writes to the start of the last attempt.
	Gap time.Duration
	// Setup are the attempts, in the poll of JoinTicked, before the first of those writes, in local time on a clock
	// that is as fast as it can be; SetupPause is the true time for which the last of them is frozen.
	Setup      []time.Duration
	SetupPause time.Duration
	// Last is how long the last attempt takes, in true time. FirstLost: the answer to its optimistic update is lost.
	Last      time.Duration
	FirstLost bool
}

// length is the true time from the first write that looks the same to the acknowledgement, less what it costs.
func (m *model) length(c *Chain) time.Duration {
	return m.slow(c.Gap) + c.Last - c.SetupPause
}

// chain finds the longest.
func (m *model) chain() Chain {
	best := Chain{Join: JoinAcquired, Gap: min(time.Second, m.least(m.answered))}
	if m.c.RetryPeriod < time.Second {
		best = Chain{Join: JoinRetried, Gap: time.Second}
	}
	best.Last, best.FirstLost = m.last(m.c.RenewDeadline)
	if best.Gap == time.Second || m.c.Profile.Ticks == machine.TicksDropped {
		return best
	}
	if ticked, ok := m.ticked(); ok && m.length(&ticked) > m.length(&best) {
		return ticked
	}
	return best
}

// last is the longest, in true time, that an attempt to renew can take and succeed where its poll has so much local
// time left. The optimistic update was applied, its answer an error or lost; Get and Update follow, with the same
// renewTime. A leader that always reads first writes once.
func (m *model) last(left time.Duration) (d time.Duration, firstLost bool) {
	rest := m.slow(left)
	if m.c.Profile.Renewal == machine.ReadFirst {
		return min(rest, 2*m.answered), false
	}
	if m.timeout > 0 && m.timeout < left {
		return min(rest, m.slow(m.timeout)+2*m.answered), true
	}
	return min(rest, 3*m.answered), false
}
