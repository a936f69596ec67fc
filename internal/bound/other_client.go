package bound

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
)

// HasBound tells whether the worst case is known of a profile.
func HasBound(p *machine.Profile) bool { return p.CarriesContext() || p.ByRenewTime() }

// refusedByOther returns an error where fabric8's client or a real server rejects the timings, or nobody can lead with them;
// otherwise nil. Only the builder of that client compares timings with each other, and Flink goes without it.
func (c *Config) refusedByOther() error {
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

// unstopped stores in r the worst case of fabric8's client, which nothing ends once no answer comes any more. Without a
// request timeout a leader waits for its renewal. With one, the answer to the write that takes the lock is lost; the
// candidate reads its own name, works, and tries to acquire the lock for ever.
func (m *model) unstopped(r *Result) {
	r.Plan = Plan{Kind: Unstopped, Unacquired: m.c.RequestTimeout > 0}
	why := Unanswered
	if r.Plan.Unacquired {
		why = NoDeadline
	}
	m.endless(r, why)
	r.Overlap, r.Terms = Forever, []Term{{"unstopped", Forever}}
	m.otherFailover(r)
}

// otherFailover stores Failover and Handover in r. A follower has looked just before the lease runs out by its own wall
// clock; it looks again a jittered period after it began to look, and takes the lock.
func (m *model) otherFailover(r *Result) {
	noticed := m.retry() + 2*m.trip + m.e.MaxPause
	r.Failover = m.slow(m.c.LeaseDuration+m.e.MaxClockOffset) + noticed
	r.Handover = r.Failover
	if m.c.ReleaseOnCancel {
		// The attempt under way ends first; then it reads the record, and its release arrives.
		r.Handover = min(r.Handover, 4*m.trip+m.e.MaxPause+noticed)
	}
}
