package bound

import (
	"time"

	"interregnum/elector/machine"
)

// failover stores Failover and Handover in r. Its results hold only for a configuration that is Steady. It assumes that the
// follower is frozen once, for MaxPause, and that the leader is too in a handover.
func (m *model) failover(r *Result) {
	switch {
	case m.c.Lock.Expires():
		m.expiringFailover(r)
		return
	case m.c.onTwoObjects():
		m.pairFailover(r)
		return
	}
	// The leader's last write is still on its way when it crashes. A follower has just read, its answer is on its way, and
	// it reads again a jittered period later: that is when the lease begins for it.
	r.Failover = m.e.MaxRoundTrip + m.trip + m.retry() + m.trip + m.e.MaxPause
	if m.lease() > m.c.RetryPeriod {
		// It reads once more just before the lease runs out.
		r.Failover += m.slow(m.lease()) + m.trip
	}
	// It takes over, which is a Get and an Update, a jittered period after that.
	r.Failover += m.retry() + 2*m.trip
	r.Handover = r.Failover + m.returning() // a leader that is stopped renews until its work has returned
	if released, ok := m.released(); ok {
		r.Handover = min(r.Handover, released+m.trip+m.retry()+2*m.trip+m.e.MaxPause)
	}
}

// released returns how long after a graceful stop a release is applied at the latest, in true time. It returns 0 and false where
// it is possible that no release is ever applied. A renewal that is on its way makes the release conflict: a blind release then
// fails, and any other release reads and writes again.
func (m *model) released() (time.Duration, bool) {
	frozen := m.e.MaxPause
	switch {
	case !m.c.ReleaseOnCancel, m.c.Profile.ReleasesBlindly(),
		m.most(3*m.trip+frozen) >= m.c.RenewDeadline: // it ends with its context
		return 0, false
	case !m.strict:
		return m.returning() + 3*m.trip + m.e.MaxRoundTrip + frozen, true
	}
	// The work returns first, unless the lease runs out before; the last renewal that was answered may be this old.
	trip := m.most(m.trip)
	old := max(m.c.RetryPeriod, trip) + trip
	if old+m.most(m.e.Drain+frozen) >= m.c.LeaseDuration {
		return 0, false
	}
	// Work that returns within a round trip finds a renewal on its way; after that the renewal has arrived.
	conflicts := min(m.e.Drain, m.e.MaxRoundTrip) + 3*m.trip
	return max(conflicts, m.e.Drain+m.trip) + m.e.MaxRoundTrip + frozen, true
}

// Failover returns the longest true time from a leader's crash to the start of another leader's work, for a configuration that is
// Steady. It does not depend on RenewDeadline.
func Failover(c *Config, e *Environment) time.Duration {
	var r Result
	if m := newModel(c, e); c.Profile.EndsInTime() {
		m.wallClockFailover(&r)
	} else {
		m.failover(&r)
	}
	return r.Failover
}

// Load returns the average number of requests per second that so many healthy candidates, one or more, make together, if round
// trips take no time. A leader renews once every RetryPeriod. A follower reads once every jittered RetryPeriod, which is 1.6
// RetryPeriods on average. A leader that reads first makes twice as many requests. On two objects one renewal or reading is
// several requests. A key is watched, and read only once every LeaseDuration; the followers count as 0 while LeaseDuration is 0.
func Load(c *Config, candidates int) float64 {
	leader, look := 1.0, 1.0
	if c.Profile.ReadsFirst() && !c.Lock.Expires() {
		leader = 2
	}
	followers, period := float64(candidates-1), c.RetryPeriod.Seconds()
	switch {
	case c.Lock.Watched() && c.LeaseDuration == 0:
		return leader / period // not yet known
	case c.Lock.Watched():
		return leader/period + followers/c.LeaseDuration.Seconds()
	case c.onTwoObjects():
		leader, look = leader*pairUpdate, pairGet
		if c.Profile.ReadsFirst() {
			leader = pairGet + pairUpdate
		}
	}
	wait := 1 + machine.JitterFactor/2
	if !c.Profile.Jitters() {
		wait = 1
	}
	return (leader + followers*look/wait) / period
}
