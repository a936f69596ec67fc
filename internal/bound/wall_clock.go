package bound

import (
	"fmt"
	"time"
)

// This file is of the clients for Java and C#, whose leaders stop when RenewDeadline is over, and whose followers count by their
// wall clocks. docs/method/derivation.md has the sums.

// refusedByWallClock returns an error if the client for Java or C# rejects the timings (Profile.Validate), and for a
// RetryPeriod or RenewDeadline below a millisecond, or a LeaseDuration below a second, which a server rejects; otherwise nil.
func (c *Config) refusedByWallClock() error {
	if err := c.Profile.Validate(c.Timings); err != nil {
		return err
	}
	switch {
	case c.RetryPeriod < time.Millisecond:
		return fmt.Errorf("retryPeriod must be a millisecond at least, is %v", c.RetryPeriod)
	case c.RenewDeadline < time.Millisecond:
		return fmt.Errorf("renewDeadline must be a millisecond at least, is %v", c.RenewDeadline)
	case c.LeaseDuration < time.Second:
		return c.noSeconds()
	}
	return nil
}

// wallClock returns the worst case of the clients for Java and C#. The error wraps ErrNoBound in two cases: a leader can perhaps
// take the lock back while it still tries to renew, so that the overlap is not known to end; or no overlap is known, and none is
// ruled out.
func (m *model) wallClock() (*Result, error) {
	unit := m.c.Profile.WallUnit()
	apart := m.c.LeaseDuration.Truncate(unit) - m.e.MaxClockOffset
	if apart-unit <= m.c.RenewDeadline {
		return nil, fmt.Errorf("%w where a leader may take the lock back while it tries to renew: want a leaseDuration (%v) that is "+
			"longer than renewDeadline (%v) and max-clock-offset (%v) together, and %v more", ErrNoBound, m.c.LeaseDuration,
			m.c.RenewDeadline, m.e.MaxClockOffset, unit)
	}
	set, most := m.setBack()
	chain := Chain{
		Join: JoinAcquired, Gap: unit + set, LastWrite: m.answered, Last: min(2*m.answered, m.slow(m.c.RenewDeadline)),
	}
	r := &Result{Plan: Plan{Kind: Expired, Chain: chain}}
	length, soonest := m.length(&chain), m.fast(apart-unit)
	looks := m.looksAgain(apart - unit)
	r.Plan.CompareAndSwap = chain.LastWrite < length-looks
	terms := []Term{
		{"clockUnit", m.slow(unit) + m.fast(apart) - soonest}, {"lastRenewal", chain.Last},
		{"retryPeriod", m.c.RetryPeriod}, {"renewDeadline", m.c.RenewDeadline},
		{"setBack", m.slow(chain.Gap) - m.slow(unit)}, {"setForward", m.fast(m.c.LeaseDuration) - m.fast(apart)},
		{"notBefore", soonest - looks}, {"leaseDuration", -m.c.LeaseDuration},
	}
	if r.Plan.CompareAndSwap {
		terms = append([]Term{{"roundTrip", chain.LastWrite}}, terms[2:4]...)
	}
	tail, told := m.slow(m.c.RetryPeriod+m.c.RenewDeadline), m.slow(m.c.RetryPeriod)
	over := min(length-looks, chain.LastWrite) + tail
	most = min(length+most-soonest, chain.LastWrite) + tail
	if m.c.ReleaseOnCancel && m.c.Profile.LooksLater() {
		if most+m.e.MaxPause > 0 { // it may take the lock back that its successor has released, and that one is told late
			most += told + m.e.MaxPause
		}
		if told > over {
			r.Plan, over, terms = Plan{Kind: ToldLate}, told, []Term{{"untilTold", m.c.RetryPeriod}}
		}
	}
	m.total(r, terms)
	r.Slack = max(0, most-over)
	r.AtLeast = r.Slack > 0
	if r.Overlap <= 0 && r.Overlap+r.Slack > 0 {
		return nil, fmt.Errorf("%w with these timings: no overlap is known, and none up to %v is ruled out", ErrNoBound,
			r.Overlap+r.Slack)
	}
	m.wallClockFailover(r)
	r.Outage = m.outage()
	return r, nil
}

// setBack returns two times. set is for how long, on the leader's clock, its renewals can look the same because that clock is set
// back between them. more is by how much longer, in true time, this can last at most. Renewals are RetryPeriod apart. From the
// acquiring of the lock to the first renewal it takes as long as needed in Java, and no longer than an answer in C#.
func (m *model) setBack() (set, more time.Duration) {
	if m.c.Profile.LooksLater() {
		return m.e.MaxClockOffset, 0
	}
	// A renewal takes some time, and a witness has round trips of 40 ns.
	renewals := (m.e.MaxClockOffset + m.c.Profile.WallUnit()/2) / (m.c.RetryPeriod + 100*time.Nanosecond)
	rest := max(0, m.e.MaxClockOffset-renewals*m.c.RetryPeriod)
	first := min(rest, m.least(m.answered))
	return m.e.MaxClockOffset - rest + first, m.slow(rest - first)
}

// looksAgain returns the shortest true time after which a follower that saw the record finds that the lease has run out. waits is
// how long the lease lasts on the follower's own clock. In Java the follower's waits have a random part, so that it can look at
// any time from then on. In C# it looks again after RetryPeriod, and no sooner, or after 1.2 to 2.4 RetryPeriods if an attempt got no answer;
// the last answer can be late.
func (m *model) looksAgain(waits time.Duration) time.Duration {
	period, late := m.c.RetryPeriod, m.most(m.trip)
	switch more := waits - period; {
	case more < 0 && !m.c.Profile.Jitters():
		waits = period
	case m.c.Profile.Jitters(), more <= late, more >= period*6/5, more > period && more-period <= late:
	case more <= period:
		waits = 2 * period
	default:
		waits = period * 11 / 5
	}
	return m.fast(waits)
}

// wallClockFailover stores Failover and Handover in r, with a follower that is frozen once. Followers count the lease by a wall
// clock that is set back by up to MaxClockOffset and, in Java, the program is told up to a RetryPeriod later that it leads.
// Handover is shorter than Failover only with a release that surely comes in time.
func (m *model) wallClockFailover(r *Result) {
	noticed := m.trip + m.retry() + 2*m.trip + m.e.MaxPause
	if m.c.Profile.LooksLater() {
		noticed += m.slow(m.c.RetryPeriod)
	}
	lease := m.slow(m.c.LeaseDuration + m.c.Profile.WallUnit() + m.e.MaxClockOffset)
	r.Failover = m.e.MaxRoundTrip + m.trip + m.retry() + m.trip + lease + noticed
	r.Handover = r.Failover
	attempt := m.most(3*m.trip + m.e.MaxPause) // with a trip to spare
	if m.c.ReleaseOnCancel && m.c.Profile.Releases() && attempt < m.c.RetryPeriod.Truncate(time.Second) {
		// The attempt under way ends first, instead of being interrupted, and then the release arrives.
		r.Handover = min(r.Handover, 3*m.trip+m.e.MaxRoundTrip+m.e.MaxPause+noticed)
	}
}
