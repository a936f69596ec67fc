package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
)

// acquire advances a past an attempt that acquires the lock at once, from a service that has no record yet.
func (a *actor) acquire() {
	a.plain(1)
	a.request(machine.Create, answered, 0)
}

// renew advances a past a poll whose first attempt renews the lock at once, and past the wait for the next poll. It sets
// a.observed to the end of the attempt.
func (a *actor) renew() {
	if a.cfg.Profile.ReadsFirst() {
		a.plain(1)
	}
	a.plain(1)
	a.observed = a.local
	a.wait(a.cfg.RetryPeriod)
}

// last adds the faults that make the renewal at the end of chain c as slow as the chain says, or as slow as the poll's deadline
// still allows if that is less. With a client that has a limiter, and without answers that have a Retry-After, only the deadline
// counts. last advances a past that renewal, and returns when the renewal's last write is applied, in true time.
func (a *actor) last(c *bound.Chain) (applied time.Duration) {
	// What came before may have taken some microseconds more than planned, and far more if tokens are rare.
	left := bound.True(max(0, a.polled+a.cfg.RenewDeadline-a.local), a.driftPPM) - slack
	if !a.cfg.Client.Limits() || a.env.MaxRetryAfter > 0 { // tokens may leave more to it than planned, and less to what comes before
		left = min(c.Last-slack, left)
	}
	return a.succeed(left, a.longest(), c.FirstLost, theFirst)
}

// The calls of an attempt of a leader, by their place in it.
const (
	theFirst = iota
	theGet
	theUpdate
)

// succeed adds the faults with which an attempt takes the time given as left and then succeeds, with answers that take at most r
// each, and advances a past it. Both are in true time. It returns when the attempt's last write is applied. If firstLost is true,
// the answer to the optimistic update is lost; otherwise that update is answered by an error. Without a.cfg.Client it does this
// by attempt, and does not use the parameter from. With it, the calls wait for tokens as soon and as long as they can, beginning
// with the call that from names (theFirst, theGet or theUpdate), since time before the write that acquires the lock does not
// count; it also changes a.due and a.early, and perhaps adds to a.sooner.
func (a *actor) succeed(left, r time.Duration, firstLost bool, from int) (applied time.Duration) {
	if a.cfg.Client == nil {
		return a.attempt(left, r, firstLost)
	}
	a.due, a.early = a.due+a.early, 0
	end := a.now + left
	upTo := func(rest time.Duration) time.Duration { return min(r, max(end-a.now-rest, a.trip())) }
	switch {
	case a.cfg.Profile.ReadsFirst():
	case firstLost && from == theFirst:
		f := bound.True(a.cfg.RequestTimeout, a.driftPPM)
		a.request(machine.Update, unheard, min(r, a.direct()+max(0, left-f-2*a.direct())))
	case firstLost:
		a.request(machine.Update, unheard, 0)
	case from == theFirst:
		a.request(machine.Update, hidden, upTo(2*a.direct()))
	default:
		a.request(machine.Update, hidden, min(a.direct(), upTo(2*a.trip())))
	}
	get := upTo(a.direct())
	if from == theUpdate {
		get = min(a.direct(), upTo(a.trip()))
	}
	a.request(0, answered, get)
	applied = a.request(0, answered, upTo(0))
	if q := a.cfg.Client.QPS; q > 0 {
		a.noteSooner(1/q - (end - a.now).Seconds())
	}
	return applied
}

// attempt adds the faults with which an attempt takes the time given as left and then succeeds, with answers that take at most r
// each. Both are in true time. It advances a past the attempt, and returns when its last write is applied. The attempt begins
// with an optimistic update, which is applied and answered by an error; if firstLost is true, its answer is lost. A Get and an
// Update follow. A leader that reads first makes no optimistic update, unless firstLost is true.
func (a *actor) attempt(left, r time.Duration, firstLost bool) (applied time.Duration) {
	before, others := a.now, (a.gets()-1)*a.trip() // a call's other requests, on another object, are answered at once
	if firstLost {
		a.pass(2 * others)
		a.request(machine.Update, unheard, 0)
		left -= a.now - before
	}
	// What is cut off for want of time is cut off at the start: the last write's answer is as late as can be.
	left -= 3 * others
	update := min(r, max(left-2*a.trip(), a.trip()))
	get := min(r, max(left-update-a.trip(), a.trip()))
	first := left - update - get
	switch {
	case firstLost:
		get = min(r, left-update)
	case a.cfg.Profile.ReadsFirst():
		get = min(r, left-update)
	default:
		a.pass(2 * others)
		a.request(machine.Update, hidden, min(r, first-2*others))
	}
	a.request(0, answered, get)
	a.pass(3 * others)
	return a.request(0, answered, update)
}

// mark adds the faults with which an attempt fails although its update is applied; that update is the first of the writes that
// look the same. The attempt takes at least took, in true time; 0 is as short as possible. It advances a past the attempt, and
// returns when the update is applied.
func (a *actor) mark(took time.Duration) (applied time.Duration) {
	applied = a.now + a.leg
	if a.cfg.Profile.ReadsFirst() || a.local-a.observed >= a.cfg.Lease() { // its own lease has run out for it, too
		a.plain(1)
		return a.request(machine.Update, hidden, took)
	}
	if took == 0 {
		a.fault(errorOn(machine.Update, true), a.id, a.now, a.now+5*a.leg)
		a.plain(3)
		return applied
	}
	a.fail(took, true)
	return applied
}

// fail adds the faults with which an attempt fails after took, in true time, and advances a past it. A took of 0 is an attempt
// that fails at once. It fills took with answered requests and with as few requests with lost answers as possible, two at most.
// If applied is true and took is not 0, the attempt's first write takes effect. If a Get is answered, the leader's own lease
// counts anew from then: a.observed is set.
func (a *actor) fail(took time.Duration, applied bool) {
	switch {
	case took == 0 && a.cfg.Profile.ReadsFirst():
		a.request(machine.Get, refused, 0)
		return
	case took == 0 && a.lock().Forgets(): // a Get that fails would leave the lock without an object
		a.fault(errorOn(machine.Update, false), a.id, a.now, a.now+5*a.leg)
		a.plain(3)
		a.observed = a.local
		return
	case took == 0:
		a.fault(errorOn(0, false), a.id, a.now, a.now+3*a.leg)
		a.plain(2)
		return
	}
	given, f := 0, bound.True(a.cfg.RequestTimeout, a.driftPPM)
	r := a.longest()
	alone := r
	if a.cfg.Client.Limits() { // a wait would take of the burst that is to come later
		alone = min(r, a.direct())
	}
	for f > 0 && given < 2 && took-time.Duration(given+1)*f >= 0 &&
		took-time.Duration(given)*f > time.Duration(3-given)*alone {
		given++
	}
	rest := took - time.Duration(given)*f
	each := min(r, rest/time.Duration(3-given))
	begins := each
	if applied && given == 0 {
		begins = min(each, a.direct()) // the write does not wait
		each = min(r, (rest-begins)/2)
	}
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
	a.request(machine.Update, first, begins)
	a.request(machine.Get, answered, each)
	a.observed = a.local
	a.request(machine.Update, last, each)
}
