package bound

import "interregnum/elector/machine"

// failover computes Failover and Handover.
func (m *model) failover(r *Result) {
	retry := m.slow(m.c.RetryPeriod * 11 / 5) // RetryPeriod and JitterFactor of it
	// The leader's last write is still on its way when it crashes. A follower has just read, its answer is on its way, and
	// it reads again a jittered period later: that is when the lease begins for it.
	observed := m.e.MaxRoundTrip + m.trip + retry + m.trip
	// It reads once more just before the lease runs out, and takes over a jittered period after that.
	r.Failover = observed + m.slow(m.lease()) + m.trip + retry + 2*m.trip + m.e.MaxPause
	r.Handover = r.Failover
	if !m.c.ReleaseOnCancel {
		return
	}
	// A renewal that was on its way makes the release conflict, which then reads and writes again.
	released := 4*m.e.MaxRoundTrip + m.trip + retry + 2*m.trip + m.e.MaxPause
	if m.strict {
		released += m.e.Drain
		if m.e.Drain > m.c.LeaseDuration-m.c.RenewDeadline {
			return // the lease may run out before the work has returned, and is not released then
		}
	}
	r.Handover = min(r.Failover, released)
}

// Load is the average number of requests a second that so many healthy candidates make: a leader renews once every
// RetryPeriod, a follower reads once every jittered RetryPeriod, 1.6 of it on average. Round trips would lower it.
func Load(c *Config, candidates int) float64 {
	leader := 1.0
	if c.Profile.Renewal == machine.ReadFirst {
		leader = 2
	}
	return (leader + float64(candidates-1)/(1+machine.JitterFactor/2)) / c.RetryPeriod.Seconds()
}
