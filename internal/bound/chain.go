package bound

import "time"

// Join says by what course of events some writes look the same to a follower as those of the last attempt that succeeds.
// Followers that compare whole seconds see no difference between writes whose times are in one second.
type Join uint8

// The joins.
const (
	// JoinNone: only the last attempt's own writes look the same.
	JoinNone Join = iota
	// JoinAcquired: the acquiring of the lock takes long, so that its write and the first renewal's fall into one second.
	JoinAcquired
	// JoinRetried: RetryPeriod is below a second, so that the acquiring, tried twice, and some renewals follow each other
	// within one second.
	JoinRetried
	// JoinTicked: a slow attempt leaves a tick, so that the next two attempts begin less than a second apart.
	JoinTicked
	// JoinRerun: the elector is cancelled, and runs again within the same second.
	JoinRerun
)

// Chain is a leader's writes that look the same to a follower, up to the last attempt that succeeds. That attempt is a
// renewal, unless Plan.Acquiring says otherwise.
type Chain struct {
	Join Join
	// Gap is the time from the first of these writes to the start of the last attempt, on the leader's clock. That clock is at
	// its slowest then.
	Gap time.Duration
	// AcquireLost: in JoinAcquired, the acquiring begins with an update whose answer is lost.
	AcquireLost bool
	// Setup has how long each attempt takes that comes before the first of these writes in the poll of JoinTicked, on the
	// leader's clock, which is at its fastest then. SetupPause is the true time for which the process is frozen during the last
	// of these attempts or, where there are none, before the first write.
	Setup      []time.Duration
	SetupPause time.Duration
	// Last is how long the last attempt takes, in true time. LastWrite is the part of Last from the sending of its last write to
	// the handling of the answer. FirstLost: the answer to the attempt's optimistic update is lost.
	Last, LastWrite time.Duration
	FirstLost       bool
	// begins is when the attempt with the first of these writes begins, in JoinTicked, from the start of its poll, on the leader's clock.
	begins time.Duration
}

// beginsFrozen tells whether the chain's first write is in the first attempt of a poll, before which the process is frozen.
func (c *Chain) beginsFrozen() bool {
	return c.Join == JoinTicked && len(c.Setup) == 0 && c.SetupPause > 0
}

// length returns the true time from the first write of the chain to the handling of its last answer, minus SetupPause.
func (m *model) length(c *Chain) time.Duration {
	return m.slow(c.Gap) + c.Last - c.SetupPause
}

// ahead returns how long before the handling of the chain's last answer a successor's work can start, at most, in true time. It
// is negative if that work can only start later. The successor has to wait for two things: until the lease has run out for it,
// and until the chain's last write, which would otherwise make its compare-and-swap fail.
func (m *model) ahead(c *Chain) time.Duration {
	return min(m.length(c)-m.takeover(), c.LastWrite-c.SetupPause)
}

// better tells whether a successor can start sooner with c than with other. If it can start equally soon with both, better tells
// whether c is the longer one.
func (m *model) better(c, other *Chain) bool {
	if mine, others := m.ahead(c), m.ahead(other); mine != others {
		return mine > others
	}
	return m.length(c) > m.length(other)
}

// joined returns the chain with the longest Gap in which the acquiring of the lock and the first renewal write within one second,
// so that both look the same to a follower. The caller fills in Last, LastWrite and FirstLost.
func (m *model) joined() Chain {
	switch {
	case m.c.RetryPeriod < time.Second:
		return Chain{Join: JoinRetried, Gap: time.Second}
	case m.e.Reruns:
		return Chain{Join: JoinRerun, Gap: time.Second}
	case m.writesOnce(): // and the answer is late
		return Chain{Join: JoinAcquired, Gap: min(time.Second, m.least(m.direct))}
	}
	c := Chain{Join: JoinAcquired, Gap: min(time.Second, m.least(m.fromFirst(m.marked, m.sent, m.sent)))}
	if f := m.c.RequestTimeout; f > 0 && f < time.Second && m.losesMore() {
		c.Gap, c.AcquireLost = min(time.Second, m.acquiredAfter(f)), true
	}
	if m.closesEarly() {
		c.Gap = time.Second
	}
	return c
}

// longestJoined tells whether no chain of JoinTicked is longer than c, which joined has made, and whose last attempt has all of its poll. It
// is so if c.Gap is a whole second. But if acquiring the lock takes that second, and requests wait, more calls of its own can come before
// the last attempt in a poll: then it is true only with m.steady.
func (m *model) longestJoined(c *Chain) bool {
	return c.Gap == time.Second && (c.Join != JoinAcquired || m.limited == 0 || m.steady)
}

// acquiring returns the longest chain that ends with the acquiring of the lock; no deadline limits that. A candidate can find its
// own name in the record, after a write of its own that was applied and not acknowledged. Its attempt then makes the three
// requests of a leader, all with one renewTime, and the answer to the first of them can be lost.
func (m *model) acquiring() Chain {
	c := Chain{LastWrite: m.direct}
	switch {
	case m.c.RetryPeriod < time.Second:
		c.Join, c.Gap = JoinRetried, time.Second
	case m.e.Reruns:
		c.Join, c.Gap = JoinRerun, time.Second
	}
	switch {
	case c.Gap == 0 && m.writesOnce():
		c.Last = m.direct
	case m.c.Profile.ReadsFirst():
		c.Last = m.longestAttempt()
	case m.losesMore() && c.Gap == 0:
		c.Last, c.FirstLost = m.fromFirst(m.lost(), m.sent, m.sent), true
	case m.losesMore():
		c.Last, c.FirstLost = m.inTurn(m.justBefore(), m.lost(), m.sent, m.sent), true
	case c.Gap == 0:
		c.Last = m.fromFirst(m.marked, m.sent, m.sent) // what comes before the first write does not count
	default:
		c.Last = m.inTurn(m.justBefore(), m.sent, m.sent, m.sent)
	}
	if m.c.Closes {
		return m.acquiringClosed(c)
	}
	return c
}

// writesOnce tells whether an attempt to acquire makes at most one write. This is so if the profile has no optimistic update. It
// is also so if RetryPeriod is at least a lease: a candidate that finds its own name in the record then sees the lease run out
// before it tries again.
func (m *model) writesOnce() bool {
	return m.c.Profile.ReadsFirst() || m.c.RetryPeriod >= m.lease()
}

// last returns c with Last, LastWrite and FirstLost filled in, for the longest last attempt that fits into its poll. The
// parameter left is how much of the poll remains as that attempt begins, on the leader's clock. The attempt's optimistic update
// is applied, and its answer is an error or is lost. A Get and an Update follow, with the same renewTime. If the profile reads
// first, the attempt is one Get and one Update. FirstLost is set only where a lost answer lets the successor start sooner.
func (m *model) last(c Chain, left time.Duration) Chain {
	rest := m.slow(left)
	trips := m.inPoll(&c, m.sent)
	if m.c.Profile.ReadsFirst() {
		trips = min(2*m.answered, m.longestAttempt())
	}
	c.Last, c.LastWrite = min(rest, trips), min(rest, m.direct)
	if m.c.Profile.ReadsFirst() || !m.lossy() || m.timeout >= left {
		return c
	}
	lost := c
	lost.FirstLost = true
	lost.Last = min(rest, m.inPoll(&c, m.lost()))
	lost.LastWrite = min(rest-m.lost()+m.asleep(), m.direct)
	if m.ahead(&lost) > m.ahead(&c) {
		return lost
	}
	return c
}

// tickedAt returns the chain, with its last attempt filled in as by last, in which one attempt of a poll makes the first write,
// and a later attempt of the same poll is the last one. The first attempt begins x after the start of the poll, and the last one
// begins gap after the first, on the leader's clock. It returns an empty chain and false if RenewDeadline is over when the last
// one would begin.
func (m *model) tickedAt(x, gap time.Duration) (Chain, bool) {
	left := m.c.RenewDeadline - x - gap
	if gap == time.Second-1 {
		gap++ // as close as one likes
	}
	if left <= 0 {
		return Chain{}, false
	}
	return m.last(Chain{Join: JoinTicked, Gap: gap, begins: x}, left), true
}

// inPoll returns how long the last attempt of chain c takes at most, in true time, where that attempt is part of a poll. first is
// how long the attempt's first call takes, in true time, counted from when the call leaves the client's limiter.
func (m *model) inPoll(c *Chain, first time.Duration) time.Duration {
	if m.c.Client == nil {
		return min(first, m.slow(m.c.RenewDeadline)) + 2*m.answered
	}
	// The first attempt of the chain and the last one take tokens from one bucket.
	before := m.marked
	switch {
	case c.Join == JoinTicked:
		before = m.ticking(c)
	case c.Join != JoinAcquired || m.closesEarly():
		return m.inTurn(m.justBefore(), first, m.sent, m.sent)
	case c.AcquireLost:
		before = m.lost()
	}
	return min(m.renewedAfter(c, before, first)-m.slow(c.Gap), m.inTurn(m.ownBefore(c, before), first, m.sent, m.sent))
}

// ticking returns how long the first call of the first attempt of c takes at most, in true time, from when it leaves the limiter, if c is of
// JoinTicked. A call whose answer is lost is over before the last attempt begins, and so within c.Gap.
func (m *model) ticking(c *Chain) time.Duration {
	if m.e.MaxPause > 0 || 0 < m.timeout && m.timeout <= c.Gap {
		return max(m.marked, m.lost())
	}
	return m.marked
}

// acquiredAfter returns the longest time, on a leader's clock, from a write that acquires the lock and whose answer is lost to
// the end of the attempt with that write. f is the request timeout, which counts only if the configuration has no client.
func (m *model) acquiredAfter(f time.Duration) time.Duration {
	if m.c.Client == nil {
		return f + m.least(2*m.trip)
	}
	return m.least(m.fromFirst(m.lost(), m.sent, m.sent))
}
