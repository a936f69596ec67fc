package draw

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// add draws a fault of that kind and adds it to the plan. It adds none where a limit leaves nothing for the fault to do.
func (d *drawing) add(kind plan.FaultKind) {
	before := len(d.plan.Faults)
	with := append(d.plan.Faults, plan.Fault{Kind: kind})
	ok := d.fault(&with[before])
	if d.inElection(with[before:]); ok {
		d.plan.Faults = with
	}
}

// fault draws the fault f, of which only the kind is set: when it begins and ends, whom it is on, and its details. It returns false
// where a limit leaves nothing for the fault to do.
func (d *drawing) fault(f *plan.Fault) (ok bool) {
	calm, kind := d.calm(), f.Kind
	ok = true
	f.At = min(calm-1, d.moment(calm))
	if kind.Window() {
		f.Until = d.sheet.durations.Put(max(f.At+1, min(calm, f.At+d.length())))
	}
	if kind.Has("on") {
		f.On = d.aim()
	}
	switch kind {
	case plan.FaultDelay:
		d.delay(f)
	case plan.FaultLose:
		f.Leg = pick(d, plan.BothLegs, plan.RequestLeg, plan.ResponseLeg, plan.ResponseLeg)
		if d.oneIn(2) {
			f.Probability = d.sheet.fractions.Put(d.Float64())
		}
	case plan.FaultError:
		f.Status = pick(d, 403, 429, 500, 503, 504)
		if f.Status == 429 && d.ofPython() {
			f.Status = 500 // a 429 ends the run of that client, and that is not simulated
		}
		if d.space.Limits.MaxRoundTrip == 0 && d.oneIn(4) {
			f.Status = 409
		}
		f.Applied = d.oneIn(2)
		f.Verb = d.verb()
		if d.someClients && d.oneIn(2) {
			f.RetryAfter = d.retryAfter()
		}
	case plan.FaultThrottle:
		f.Verb = d.verb()
		if !d.oneIn(3) {
			f.RetryAfter = d.retryAfter()
		}
	case plan.FaultBrownout:
		d.brownout(f)
	case plan.FaultRestart:
		f.Identity = pick(d, plan.SameIdentity, plan.NewIdentity)
	case plan.FaultClock:
		ok = d.clock(f)
	case plan.FaultPause:
		ok = d.pause(f)
	}
	if len(d.objects) > 1 && kind.Has("object") && d.oneIn(2) {
		f.Object = pick(d, d.objects...).String()
	}
	if d.space.Restless && f.Until != nil && d.oneIn(6) {
		f.Until = nil
	}
	return ok
}

// ofPython tells whether a candidate has the client for Python.
func (d *drawing) ofPython() bool {
	return slices.ContainsFunc(d.plan.Candidates, func(c plan.Candidate) bool { return c.Profile.Client == machine.OfPython })
}

// calm returns the time at which faults have to be over: the horizon in a restless space, otherwise two thirds of it.
func (d *drawing) calm() time.Duration {
	if d.space.Restless {
		return d.plan.Horizon
	}
	return d.plan.Horizon * 2 / 3
}

// moment draws when a fault begins: in half of the draws at any time up to calm, otherwise near an instant that matters to a
// leader without trouble: a renewal, the deadline of its poll, or the end of its lease. In the second case the result can be
// after calm.
func (d *drawing) moment(calm time.Duration) time.Duration {
	if d.oneIn(2) {
		return d.even(calm)
	}
	trip := d.plan.Network.Request.Max + d.plan.Network.Response.Max
	at := 2*trip + time.Duration(d.IntN(12))*(d.timings.RetryPeriod+trip)
	switch d.IntN(4) {
	case 0:
		at += d.timings.LeaseDuration
	case 1:
		at += d.timings.RetryPeriod + d.timings.RenewDeadline
	}
	near := d.spread(1, d.timings.RetryPeriod)
	if d.oneIn(2) {
		near = -near
	}
	return max(0, at+near)
}

// length draws how long a fault lasts: over orders of magnitude, or about as long as one of the timings.
func (d *drawing) length() time.Duration {
	t := &d.timings
	if d.oneIn(2) {
		return d.spread(time.Millisecond, 2*t.LeaseDuration)
	}
	about := pick(d, t.RetryPeriod, t.RenewDeadline, t.LeaseDuration, t.RetryPeriod+t.RenewDeadline)
	return about + d.spread(1, t.RetryPeriod) - d.spread(1, t.RetryPeriod) + t.RetryPeriod
}

// aim draws the candidates that a fault is on: mostly the leader. nil is all of them.
func (d *drawing) aim() []string {
	switch d.IntN(6) {
	case 0:
		return nil
	case 1:
		return d.sheet.on(plan.RoleFollower)
	case 2:
		return d.sheet.on(d.plan.Candidates[d.IntN(len(d.plan.Candidates))].ID)
	}
	return d.sheet.on(plan.RoleLeader)
}

// delay sets at random which legs of messages the fault f slows down, and by how much.
func (d *drawing) delay(f *plan.Fault) {
	leg := func() *plan.Delay {
		late := d.spread(time.Millisecond, d.most())
		if d.oneIn(3) {
			late = d.most() - d.spread(1, d.most())
		}
		return d.sheet.fixed(late)
	}
	which := d.IntN(3)
	if which != 0 {
		f.Request = leg()
	}
	if which != 1 {
		f.Response = leg()
	}
}

// clock sets at random whose clock the fault f changes, and its new drift or its jump, within the limits. A jump of a clock
// that decides when a lock expires is taken off d.apart. It returns false if that jump is longer than what was left of
// d.apart: the fault must not be used.
func (d *drawing) clock(f *plan.Fault) bool {
	if d.space.Kind().Expires() && d.oneIn(3) {
		f.On = d.sheet.on(plan.ServiceName)
	}
	if d.space.Limits.MaxDriftPPM > 0 && d.oneIn(2) {
		f.DriftPPM = d.sheet.drifts.Put(d.drift())
		return true
	}
	most := time.Minute
	if d.space.Decisive(&d.space.Profile, f) {
		most = max(1, d.apart) // Nothing left is drawn for too, so that seeds keep their other faults.
	}
	if f.Jump = d.even(2*most) - most; f.Jump == 0 {
		f.Jump = 1
	}
	if d.space.Decisive(&d.space.Profile, f) {
		d.apart -= f.Jump.Abs()
		return d.apart >= 0
	}
	return true
}

// pause shortens the freeze f, which must have an end, to the time for which processes may still be frozen, and adds its length
// to d.frozen. Where the limits allow it, it draws whether answers come first. It returns false, and changes nothing, where no such time is left.
func (d *drawing) pause(f *plan.Fault) bool {
	left := d.space.Limits.MaxPause - d.frozen
	if left <= 0 {
		return false
	}
	until := max(f.At+1, min(*f.Until, f.At+left))
	d.frozen += until - f.At
	f.Until = d.sheet.durations.Put(until)
	f.AnswersFirst = d.space.Limits.AnswersFirst && d.oneIn(2)
	return true
}

// verb draws the kind of request that a fault is about, 0 for all.
func (d *drawing) verb() machine.Verb { return pick(d, d.space.Verbs(&d.space.Profile)...) }
