package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/sim"
)

// acquire gets the lock at once, from a service that has none yet.
func (a *actor) acquire() {
	a.pass(a.trip())
	a.request(machine.Create, answered, 0)
}

// renew is a poll that succeeds at once, and the wait for the next.
func (a *actor) renew() {
	if a.cfg.Profile.Renewal == machine.ReadFirst {
		a.pass(a.trip())
	}
	a.pass(a.trip())
	a.wait(a.cfg.RetryPeriod)
}

// last is the attempt of a chain that succeeds after so long. It tells when its last write was applied.
func (a *actor) last(c *bound.Chain) (applied time.Duration) {
	// What came before may have taken some microseconds more than planned.
	left := min(c.Last, bound.True(a.polled+a.cfg.RenewDeadline-a.local, a.driftPPM)) - slack
	r := a.longest()
	if c.FirstLost {
		before := a.now
		a.request(machine.Update, unheard, 0)
		left -= a.now - before
	}
	// What is cut off for want of time is cut off at the start: the last write's answer is as late as can be.
	update := min(r, max(left-2*a.trip(), a.trip()))
	get := min(r, max(left-update-a.trip(), a.trip()))
	first := left - update - get
	switch {
	case c.FirstLost:
		get = min(r, left-update)
	case a.cfg.Profile.Renewal == machine.ReadFirst:
		get = min(r, left-update)
	default:
		a.request(machine.Update, hidden, min(r, first))
	}
	a.request(0, answered, get)
	applied = a.now + a.leg
	a.request(0, answered, update)
	return applied
}

// longest is the longest round trip of an answer that still counts within a poll.
func (a *actor) longest() time.Duration {
	r := min(max(a.env.MaxRoundTrip, a.trip()), bound.True(a.cfg.RenewDeadline, a.driftPPM)-slack)
	if f := a.cfg.RequestTimeout; f > 0 {
		r = min(r, bound.True(f, a.driftPPM)-slack)
	}
	return r
}

// mark is an attempt that fails, though its update was applied: the first of those that look the same. It takes at least
// so long.
func (a *actor) mark(took time.Duration) (applied time.Duration) {
	applied = a.now + a.leg
	if took == 0 {
		a.fault(errorOn(machine.Update, true), a.id, a.now, a.now+5*a.leg)
		a.pass(3 * a.trip())
		return applied
	}
	a.fail(took, true)
	return applied
}

// fail is an attempt that fails after so long, or at once. What it takes is cut into as many requests whose answers are
// lost as fit, and the rest. A Get that is answered makes the leader's own lease count anew.
func (a *actor) fail(took time.Duration, applied bool) {
	switch {
	case took == 0 && a.lock() != sim.Lease: // a Get that fails would leave the lock without an object
		a.fault(errorOn(machine.Update, false), a.id, a.now, a.now+5*a.leg)
		a.pass(3 * a.trip())
		return
	case took == 0:
		a.fault(errorOn(0, false), a.id, a.now, a.now+3*a.leg)
		a.pass(2 * a.trip())
		return
	}
	given, f := 0, bound.True(a.cfg.RequestTimeout, a.driftPPM)
	r := a.longest()
	for f > 0 && given < 2 && took-time.Duration(given+1)*f >= 0 &&
		took-time.Duration(given)*f > time.Duration(3-given)*r {
		given++
	}
	rest := took - time.Duration(given)*f
	each := min(r, rest/time.Duration(3-given))
	first, last, silent := refused, refused, lost
	if applied {
		first, silent = hidden, unheard
	}
	if given > 0 {
		first = silent
	}
	if given == 2 {
		last = lost
	}
	a.request(machine.Update, first, each)
	a.request(machine.Get, answered, each)
	a.request(machine.Update, last, each)
}
