package bound

import (
	"math/bits"
	"time"

	"interregnum/scenarios/plan"
)

const million = 1_000_000

// model is a configuration in an environment, in the terms of docs/derivation.md.
type model struct {
	c *Config
	e *Environment
	// strict: RenewDeadline counts from the renewal, and every write carries its own time.
	strict bool
	// trip is the longest true time after which an answer counts, and answered the same where a deadline ends the wait.
	trip, answered time.Duration
	// direct is the longest true time from a write to its answer: a wait in the client's limiter goes before.
	direct time.Duration
	// timeout is the client's, on its own clock; 0 where nothing shorter than RenewDeadline ends a lost request.
	timeout time.Duration
	// gaveUp is the true time after which a request without an answer is given up at the latest, be there a deadline or not;
	// 0 is never. Where answers take longer than the timeout, requests wait in the client's limiter before it starts.
	gaveUp time.Duration
	// playable leaves out what the simulated world cannot show.
	playable bool
	// upTo is an upper bound of an overlap that may be longer than computed; 0 where none is known.
	upTo time.Duration
}

func newModel(c *Config, e *Environment) *model {
	if c.Lock == "" {
		said := *c
		said.Lock, c = plan.Lease, &said
	}
	m := &model{
		c: c, e: e,
		strict: c.Profile.CountsFromRenewal(),
		trip:   e.MaxRoundTrip,
	}
	if c.RequestTimeout > 0 {
		m.gaveUp = max(m.slow(c.RequestTimeout), m.trip)
		if c.Lock.Expires() { // whose clients have no limiter
			m.gaveUp = m.slow(c.RequestTimeout)
			m.trip = min(m.trip, m.gaveUp)
		}
		if c.RequestTimeout < c.RenewDeadline {
			m.timeout = c.RequestTimeout
		}
	}
	m.direct = m.trip
	if c.RequestTimeout > 0 {
		m.direct = min(m.trip, m.slow(c.RequestTimeout))
	}
	m.answered = min(m.trip, m.slow(c.RenewDeadline))
	return m
}

// lossy is whether a request without an answer lasts longer than any that has one, and is yet given up within a poll.
func (m *model) lossy() bool { return m.timeout > 0 && m.gaveUp > m.trip }

// slow is the true time that a clock's slowest rate makes of a local one, and fast the fastest. A timer fires at the first whole
// nanosecond at which the clock shows its time, and a clock loses less than another one as it changes its rate.
func (m *model) slow(d time.Duration) time.Duration {
	if m.e.MaxDriftPPM == 0 || d <= 0 {
		return d
	}
	return True(d, -m.e.MaxDriftPPM) + 2
}

// fast returns the true time that a clock at its fastest rate takes to show d.
func (m *model) fast(d time.Duration) time.Duration { return True(d, m.e.MaxDriftPPM) }

// most is the most that a clock shows of a true time, and least the least.
func (m *model) most(d time.Duration) time.Duration  { return Local(d, m.e.MaxDriftPPM) }
func (m *model) least(d time.Duration) time.Duration { return Local(d, -m.e.MaxDriftPPM) }

// True is the true time in which a clock of that drift shows d, and Local what it shows in a true time of d. Both are
// cut to whole nanoseconds.
func True(d time.Duration, driftPPM int64) time.Duration {
	return scale(d, million, uint64(million+driftPPM))
}

// Local is what a clock of that drift shows in a true time of d.
func Local(d time.Duration, driftPPM int64) time.Duration {
	return scale(d, uint64(million+driftPPM), million)
}

// scale is d·numerator/denominator, in 128 bits.
func scale(d time.Duration, numerator, denominator uint64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), numerator)
	quotient, _ := bits.Div64(hi, lo, denominator)
	return time.Duration(quotient)
}

// lease is how long, on its own clock, a follower waits after a record has last changed for it.
func (m *model) lease() time.Duration { return m.c.Lease() }

// takeover is how soon, in true time, a follower can take over after the record has last changed for it. It looks at
// most once every RetryPeriod.
func (m *model) takeover() time.Duration {
	return m.fast(max(m.lease(), m.c.RetryPeriod))
}
