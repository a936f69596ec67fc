package bound

import (
	"math/bits"
	"time"

	"interregnum/plan"
)

const million = 1_000_000

// model has a configuration and an environment, and the durations that the formulas of docs/method/derivation.md use. All fields but
// upTo are constant once a computation has begun.
type model struct {
	c *Config
	e *Environment
	// strict: RenewDeadline counts from the renewal, and every write carries its own time.
	strict bool
	// trip is the longest round trip of a request whose answer counts, in true time. answered is the longest round trip of such a
	// request within a poll, which RenewDeadline can end sooner.
	trip, answered time.Duration
	// direct is the longest true time from when a write leaves the client's limiter to the handling of its answer.
	direct time.Duration
	// timeout is the client's request timeout, on its own clock; 0 where RenewDeadline ends a lost request first.
	timeout time.Duration
	// gaveUp is the true time, from the call on, after which a client gives up a request without an answer if no deadline ends it
	// before; 0 if it never gives up. It includes the wait in the client's limiter where answers can take longer than the
	// timeout.
	gaveUp time.Duration
	// limited is the longest wait of a request for a token, in true time; 0 where Config.Client has no limiter. sent is the
	// longest true time of an answered call after that wait, retries included. marked is the longest true time from when a write
	// that is applied leaves the limiter to the end of the call: this is direct, unless a retry hides that the write was applied.
	limited, sent, marked time.Duration
	// playable: leave out worst cases that the simulated world cannot show.
	playable bool
	// steady: leave out attempts that outlast a tick, where the lock is acquired so slowly that its write and a renewal's are a second apart.
	steady bool
	// sumOnly: leave out how often the lock can be taken back.
	sumOnly bool
	// fromSecond: on two objects, each lease counts from a renewal's write on the second one; see countsFromSecond.
	fromSecond bool
	// upTo is an upper bound of the overlap, where perhaps a longer one than the computed one is possible; 0 where none is known.
	upTo time.Duration
}

// newModel returns the model of a configuration that is not refused. A configuration without a kind of lock counts as one on a
// Lease. It changes neither c nor e.
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
		if c.Lock.Expires() || c.Profile.EndsInTime() { // whose clients have no limiter
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
	m.marked, m.sent = m.direct, m.trip
	m.answered = min(m.trip, m.slow(c.RenewDeadline))
	if c.Client != nil {
		m.clientWaits()
	}
	return m
}

// lost returns after how long a client gives up a request that gets no answer, in true time, from when the request leaves the
// client's limiter. The result has no meaning where gaveUp is 0.
func (m *model) lost() time.Duration { return m.gaveUp - m.limited }

// losesMore tells whether the first write of an attempt takes longer if its answer is lost than if it is applied and answered by an
// error. No Retry-After makes the latter longer, unlike a call that succeeds.
func (m *model) losesMore() bool {
	if m.c.Client == nil {
		return m.gaveUp > m.trip
	}
	return m.gaveUp > 0 && m.lost() > m.marked
}

// lossy tells whether a lost answer must be computed apart: the client gives up such a request later than any answer comes, and
// yet before its poll is over.
func (m *model) lossy() bool { return m.timeout > 0 && m.gaveUp > m.trip }

// slow returns the true time that a clock at its slowest rate takes to show d. Where clocks drift, it adds 2 ns: a timer fires
// only at the first whole nanosecond at which the clock shows its time, and a clock loses up to one more when it changes its
// rate. It returns a d of 0 or less as it is.
func (m *model) slow(d time.Duration) time.Duration {
	if m.e.MaxDriftPPM == 0 || d <= 0 {
		return d
	}
	return True(d, -m.e.MaxDriftPPM) + 2
}

// fast returns the true time that a clock at its fastest rate takes to show d.
func (m *model) fast(d time.Duration) time.Duration { return True(d, m.e.MaxDriftPPM) }

// most returns how much time a clock at its fastest rate shows in a true time of d.
func (m *model) most(d time.Duration) time.Duration { return Local(d, m.e.MaxDriftPPM) }

// least returns how much time a clock at its slowest rate shows in a true time of d.
func (m *model) least(d time.Duration) time.Duration { return Local(d, -m.e.MaxDriftPPM) }

// True returns the true time in which a clock with that drift shows d, cut to whole nanoseconds. d must not be negative, and
// driftPPM must be above minus a million.
func True(d time.Duration, driftPPM int64) time.Duration {
	return scale(d, million, uint64(million+driftPPM))
}

// Local returns the time that a clock with that drift shows in a true time of d, cut to whole nanoseconds. d must not be
// negative, and driftPPM must be above minus a million.
func Local(d time.Duration, driftPPM int64) time.Duration {
	return scale(d, uint64(million+driftPPM), million)
}

// scale returns d·numerator/denominator, cut to whole nanoseconds; the product has 128 bits.
func scale(d time.Duration, numerator, denominator uint64) time.Duration {
	if numerator == denominator {
		return d
	}
	hi, lo := bits.Mul64(uint64(d), numerator)
	quotient, _ := bits.Div64(hi, lo, denominator)
	return time.Duration(quotient)
}

// lease returns how long a follower waits, on its own clock, from when it last saw the record change until it takes the
// lock.
func (m *model) lease() time.Duration { return m.c.Lease() }

// takeover returns the shortest true time from when a follower last saw the record change to when it takes the lock over. A
// follower makes at most one attempt in every RetryPeriod.
func (m *model) takeover() time.Duration {
	return m.fast(max(m.lease(), m.c.RetryPeriod))
}
