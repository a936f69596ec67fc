package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// observe adds a follower that first sees the record after the instant written, and that takes the lock over as soon as its lease
// has run out for it, but not before the instant notBefore. It returns the follower at the beginning of its attempt to take over.
// Both instants are in true time.
func (s *stage) observe(id string, written, notBefore time.Duration) *actor {
	drift := s.env.MaxDriftPPM
	get := 2 * s.leg * s.gets()
	lasts := get + bound.True(max(s.cfg.Lease(), s.cfg.RetryPeriod), drift) + 5
	start := max(written+1, notBefore-lasts)
	// A jittered wait is less than 2.2 of RetryPeriod.
	polls := 1 + (lasts-1)/(bound.True(s.cfg.RetryPeriod*21/10, drift)+get)
	each := (lasts + polls - 1) / polls
	jitter := jitterFor(s.cfg.RetryPeriod, bound.Local(each-get, drift)+1)
	s.candidate(id, start, jitter, scenarios.Clock{DriftPPM: drift})
	b := &actor{stage: s, id: id, driftPPM: drift}
	b.pass(start)
	for range polls {
		b.pass(get)
		b.wait(machine.Jittered(s.cfg.RetryPeriod, jitter))
	}
	return b
}

// gets returns how many requests a Get makes, one after the other. The result is a plain count: it is a Duration only so that a
// Duration can be multiplied by it.
func (s *stage) gets() time.Duration { return time.Duration(len(s.lock().Objects())) }

// jitterFor returns the draw of jitter, 0 or more, with which a jittered wait of period is as long as wait, or up to a nanosecond
// longer. If wait is below period, the draw is 0.
func jitterFor(period, wait time.Duration) float64 {
	jitter := max(0, (float64(wait)/float64(period)-1)/machine.JitterFactor)
	for machine.Jittered(period, jitter) < wait {
		jitter += 0.4 / float64(period) // below a nanosecond
	}
	return jitter
}
