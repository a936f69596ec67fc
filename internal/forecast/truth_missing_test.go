package forecast_test

import (
	"fmt"
	"math"
	"time"
)

// This file has the arithmetic of requests that are answered 404 although the object is there: what becomes of a leader's attempts, and
// of those to acquire, as sums over all their courses. It uses nothing of the simulator.

// missing is an election in which each request is answered 404 with probability p.
type missing struct {
	p                     float64
	deadline, retry, trip time.Duration
}

// missingCase: one process of 15/10/2 s that stands again at once.
func missingCase(p float64) truthCase {
	m := missing{p, 10 * sec, 2 * sec, trip}
	u := m.usual()
	c := truthCase{name: fmt.Sprintf("%g %% are answered 404", 100*p), question: asked(1, errorsOf(404, p)),
		truths: []truth{{losses, u.losses, 5e-4}, {leaderless, u.leaderless, 3e-3}}}
	if p > 0.3 {
		c.runs, c.length = 40, 20*hour
	}
	return c
}

// usual returns the truth. A term is polls with a wait between them, the last of which fails; then comes a gap.
func (m *missing) usual() usual {
	one := polled{}
	m.attempt(&one, 1, 0, true)
	gap := m.reacquired()
	cycle := one.takes/one.fails + (1/one.fails-1)*m.retry.Seconds() + gap
	return usual{losses: 1 / cycle, leaderless: gap / cycle}
}

// attempt adds the courses of a poll that begin with an attempt at that time, and with that probability. has: the lock has the object that
// its last answer brought. A Create that fails takes it away, and then no update is sent until a read has succeeded.
func (m *missing) attempt(all *polled, probability float64, at time.Duration, has bool) {
	if at >= m.deadline {
		all.fails += probability
		all.takes += probability * m.deadline.Seconds()
		return
	}
	sent, rest := 0, probability
	succeeds := func() {
		sent++
		all.takes += rest * (1 - m.p) * (at + time.Duration(sent)*m.trip).Seconds()
		rest *= m.p
	}
	if has {
		succeeds()
	}
	m.attempt(all, rest*m.p, at+m.retry, false) // the read is answered 404, and a Create finds the object
	rest *= 1 - m.p
	sent++
	succeeds()
	m.attempt(all, rest, at+m.retry, true)
}

// reacquired returns the mean time until a candidate leads that has lost the lock and knows nothing of it. It reads and writes. While the
// lease that it has read lasts, it begins with a write if its lock has the object. That this lease runs out before it leads is left out.
func (m *missing) reacquired() float64 {
	p, trip, wait := m.p, m.trip.Seconds(), (1+jitterFactor/2)*m.retry.Seconds()
	// first, without and with are the mean times from an attempt on: of a candidate that knows nothing, one whose lock has lost the object,
	// and one whose lock has it.
	var first, without, with float64
	for range 1000 {
		reads := func(vain float64) float64 {
			return trip + p*(trip+wait+vain) + (1-p)*(trip+p*(wait+with))
		}
		first, without, with = reads(first), reads(without), trip+p*reads(without)
	}
	return first
}

// missed is how likely five attempts in a row fail, by the states of the lock alone: with has and without the probabilities that so many
// attempts have failed and left the lock with the object, or without it.
func missed(p float64) float64 {
	has, without := 1.0, 0.0
	for range 5 {
		has, without = has*p*(1-p)*p+without*(1-p)*p, has*p*p+without*p
	}
	return has + without
}

// sameAs tells whether the sum over all courses agrees with the states.
func (m *missing) sameAs(fails float64) bool {
	one := polled{}
	m.attempt(&one, 1, 0, true)
	return math.Abs(one.fails/fails-1) < 1e-9
}
