package bound

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
)

// refusedByOther returns an error if a client that is not client-go, or a real server, rejects the timings, and if nobody can
// lead with them; otherwise nil.
func (c *Config) refusedByOther() error {
	switch {
	case c.Profile.EndsInTime():
		return c.refusedByWallClock()
	case c.Profile.Client == machine.OfPython:
		return c.refusedByPython()
	case !c.Profile.HasDeadline():
		return c.refusedByRust()
	}
	return c.refusedByFabric8()
}

// refusedByPython returns an error if the client for Python refuses the timings, by the rules of client-go or its own: a
// RetryPeriod below a second, or a LeaseDuration with fractions of a second. It returns nil if it accepts them.
func (c *Config) refusedByPython() error {
	switch err := c.Timings.Validate(); {
	case err != nil:
		return err
	case c.RetryPeriod < time.Second:
		return fmt.Errorf("retryPeriod %v is below 1s, which the client for Python refuses", c.RetryPeriod)
	case c.LeaseDuration%time.Second != 0:
		return fmt.Errorf("leaseDuration %v is no whole number of seconds, which the client for Python cannot write", c.LeaseDuration)
	}
	return nil
}

// refusedByFabric8 returns an error for a timing below a millisecond, for a RenewDeadline shorter than RetryPeriod, with which
// each leader stops before it renews, and for a LeaseDuration below a second, which a server rejects; otherwise nil. Other
// rules for the timings are only in the builder of that client, which Flink does not use.
func (c *Config) refusedByFabric8() error {
	for _, t := range []struct {
		name string
		of   time.Duration
	}{{"leaseDuration", c.LeaseDuration}, {"renewDeadline", c.RenewDeadline}, {"retryPeriod", c.RetryPeriod}} {
		if t.of < time.Millisecond {
			return fmt.Errorf("%s must be a millisecond at least, is %v", t.name, t.of)
		}
	}
	switch {
	case c.RenewDeadline < c.RetryPeriod:
		return fmt.Errorf("renewDeadline %v is less than retryPeriod %v, so that each leader stops before it renews",
			c.RenewDeadline, c.RetryPeriod)
	case c.LeaseDuration < time.Second:
		return c.noSeconds()
	}
	return nil
}

// refusedByRust returns an error for a RetryPeriod below a millisecond, or a LeaseDuration below a second, which the program
// around kube-leader-election or a server rejects; otherwise nil. No rule compares the two.
func (c *Config) refusedByRust() error {
	switch {
	case c.RetryPeriod < time.Millisecond:
		return fmt.Errorf("retryPeriod must be a millisecond at least, is %v", c.RetryPeriod)
	case c.LeaseDuration < time.Second:
		return c.noSeconds()
	}
	return nil
}

// unstopped stores in r the worst case of a client that is not client-go, in which nothing ends a leader once no answer comes any
// more. Without a request timeout, which Python never has, the leader waits for the answer to a renewal. With a timeout, the
// answer to the write that takes the lock is lost: the candidate reads its own name, works, and tries to acquire the lock for
// ever. In Rust errors end no leader, with a timeout or without. It also stores Failover and Handover.
func (m *model) unstopped(r *Result) {
	p := &m.c.Profile
	r.Plan = Plan{Kind: Unstopped, Unacquired: m.c.RequestTimeout > 0 && p.TimesOut() && p.HasDeadline()}
	why := Unanswered
	switch {
	case r.Plan.Unacquired:
		why = NoDeadline
	case !p.HasDeadline():
		why = NoErrorStops
	}
	r.endless(why)
	r.Overlap, r.Terms = Forever, []Term{{"unstopped", Forever}}
	if m.c.Profile.ByRenewTime() {
		m.renewTimeFailover(r)
		return
	}
	m.failover(r)
	r.Handover = r.Failover // the client for Python never releases the lock
}

// renewTimeFailover stores Failover and Handover in r, for followers that count by their wall clocks. In the worst case a
// follower has looked just before the lease runs out by its clock. It looks again a jittered period after it began that look, and
// takes the lock.
func (m *model) renewTimeFailover(r *Result) {
	noticed := m.retry() + 2*m.trip + m.e.MaxPause
	r.Failover = m.slow(m.c.LeaseDuration+m.e.MaxClockOffset) + noticed
	r.Handover = r.Failover
	if m.c.ReleaseOnCancel {
		// The attempt under way ends first; then it reads the record, and its release arrives.
		released := 4*m.trip + m.e.MaxPause + noticed
		r.Handover = min(r.Handover, released)
		if !m.c.Profile.HasDeadline() { // its release leaves a lease of a second, however short the one before was
			r.Handover = released + m.slow(time.Second+m.e.MaxClockOffset)
		}
	}
}
