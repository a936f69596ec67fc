package draw

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// anyTimings draws valid timings: those of Kubernetes in half of the draws, otherwise random ones.
func (d *drawing) anyTimings() machine.Timings {
	if d.oneIn(2) {
		return machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}
	}
	retry := d.spread(100*time.Millisecond, 5*time.Second)
	deadline := retry*6/5 + 1 + d.spread(10*time.Millisecond, 6*retry)
	lease := max(time.Second, deadline+1+d.spread(time.Millisecond, 2*deadline))
	if d.oneIn(2) {
		lease = (lease + time.Second - 1).Truncate(time.Second)
	}
	if d.space.Lock.ByWallClock() {
		lease = (lease + time.Millisecond - 1).Truncate(time.Millisecond)
	}
	return machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: retry}
}

// most returns the longest delay that is drawn for one way of a message: half of the longest round trip or, without a bound on
// that, RenewDeadline and RetryPeriod together.
func (d *drawing) most() time.Duration {
	if limit := d.space.Limits.MaxRoundTrip; limit > 0 {
		return limit / 2
	}
	return d.timings.RenewDeadline + d.timings.RetryPeriod
}

// network draws how long messages take without a fault, one way and the other, and stores that in the plan.
func (d *drawing) network() {
	// A call on two objects is up to three requests, one after the other.
	calls := time.Duration(2*len(d.space.Kind().Objects()) - 1)
	if d.space.Locks != nil {
		calls = 3
	}
	if d.space.Elections > 0 {
		// An election that no renewal reaches in time, and that ends its process, would never let another of its elections lead.
		calls *= 8
	}
	leg := func() plan.Delay {
		low := d.spread(100*time.Microsecond, min(d.most(), d.timings.RetryPeriod/8/calls))
		if d.oneIn(2) {
			return plan.Delay{Min: low, Max: low}
		}
		return plan.Delay{Min: low, Max: min(d.most(), 4*low)}
	}
	d.plan.Network = plan.Network{Request: leg(), Response: leg()}
}

// candidate draws the i-th candidate: its lock, start, jitter, request timeout, clock, drain and writes, whether it releases the
// lock, whether it runs again after its Run has returned, whether it shares the identity of the first, and its client. What the
// space and its limits do not allow, it does not have. offset is the largest offset of its wall clock.
func (d *drawing) candidate(i int, offset time.Duration) plan.Candidate {
	s := d.space
	c := plan.Candidate{
		ID: candidateID(i), Profile: s.Profile, Lock: s.Kind(), Timings: d.timings,
		StartAt: time.Duration(i) * d.spread(time.Millisecond, d.timings.RetryPeriod),
	}
	if s.Locks != nil {
		c.Lock = pick(d, s.Locks...)
	}
	if c.Lock.ByWallClock() {
		c.Now, c.Precision = s.Now, s.Precision
	}
	if d.oneIn(2) {
		c.Jitter = d.sheet.fractions.Put(d.Float64())
	}
	c.ReleaseOnCancel = d.oneIn(2)
	if d.oneIn(2) {
		// Longer than a round trip without a fault, or nobody would ever lead.
		trip := d.plan.Network.Request.Max + d.plan.Network.Response.Max + time.Millisecond
		c.RequestTimeout = trip + d.spread(d.timings.RetryPeriod/4, d.timings.RenewDeadline)
	}
	if !c.Profile.TimesOut() {
		c.RequestTimeout = 0
	}
	c.Clock.Offset = d.even(offset)
	c.Clock.DriftPPM = d.drift()
	if s.Limits.MaxDrain > 0 && d.oneIn(2) {
		c.Drain = d.even(s.Limits.MaxDrain)
	}
	if s.Limits.MaxPause > 0 {
		c.WriteEvery = d.spread(50*time.Millisecond, 2*time.Second)
	}
	if d.oneIn(2) {
		rejoin := d.spread(time.Millisecond, 10*time.Second)
		c.Rejoin = d.sheet.durations.Put(rejoin)
		c.SameElector = rejoin%2 == 1 // not drawn: one more draw would shift all that follow
	}
	if s.Limits.Shared && i > 0 && d.oneIn(4) {
		c.Identity = "a"
	}
	if s.Limits.Clients {
		d.giveClient(&c)
	}
	return c
}

// service draws the clock of a service whose locks expire by themselves, and stores it in the plan. It does nothing
// for other locks.
func (d *drawing) service() {
	if d.space.Kind().Expires() {
		d.plan.Service.Offset = d.even(time.Minute)
		d.plan.Service.DriftPPM = d.drift()
	}
}
