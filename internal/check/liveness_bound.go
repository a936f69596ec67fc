package check

import (
	"math"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// failover is how long it takes at most, once nothing goes wrong any more, until a leader works: a lease that somebody
// left behind, observed one jittered period late and looked at again one such period after it has run out, four round
// trips, and before all that an attempt that hangs, its message still on the way, work that drains, and a Run that has to
// begin anew. It is in true time, by the slowest clock. An attempt on two objects is five requests and not two; and one
// of them may be missing, whose creation looks to all like a new lease of nobody known, which is to be waited out first.
// Of a lock that expires by itself, who has lost a watch looks again one leaseDuration later; and a row may carry a time
// that is ahead of every clock.
func failover(p *plan.Plan) time.Duration {
	var lease, retry, attempt, drain, rejoin time.Duration
	twice := false
	rate := million + p.Service.DriftPPM
	if service(p) == nil {
		rate = math.MaxInt64
	}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		lease = max(lease, c.LeaseDuration+time.Second)
		retry = max(retry, c.RetryPeriod)
		attempt = max(attempt, c.RenewDeadline, c.RequestTimeout)
		drain = max(drain, c.Drain)
		twice = twice || len(c.Lock.Objects()) == 2 || c.Lock.Expires()
		rate = min(rate, million+c.Clock.DriftPPM)
		if c.Rejoin != nil {
			rejoin = max(rejoin, *c.Rejoin)
		}
	}
	roundTrip, delay := p.Network.Request.Max+p.Network.Response.Max, time.Duration(0)
	for i := range p.Faults {
		f := &p.Faults[i]
		if f.DriftPPM != nil {
			rate = min(rate, million+*f.DriftPPM)
		}
		for _, d := range []*plan.Delay{f.Request, f.Response} {
			if d != nil {
				delay = max(delay, d.Max)
			}
		}
	}
	leases, retries, trips := time.Duration(1), 2.0, time.Duration(4)
	if twice {
		leases, retries, trips = 2, 3, 10
	}
	local := float64(leases*lease) + retries*(1+machine.JitterFactor)*float64(retry) + float64(attempt)
	bound := local*million/float64(rate) + float64(trips*roundTrip+delay+drain+rejoin) + skew(p) + setback(p)
	return time.Duration(min(bound, float64(plan.MaxDuration)))
}

// exitsAgain tells whether a process may exit again and again with no fault at all, and take its other elections with it:
// one of them has timings that leave no time for a renewal. Then nothing says when a leader works in the others.
func exitsAgain(p *plan.Plan) bool {
	roundTrip := p.Network.Request.Max + p.Network.Response.Max
	return len(p.Elections) > 1 && slices.ContainsFunc(p.Candidates, func(c plan.Candidate) bool {
		slow := time.Duration(float64(2*roundTrip) * float64(million+max(0, c.Clock.DriftPPM)) / million)
		period := time.Duration((1 + machine.JitterFactor) * float64(c.RetryPeriod))
		return c.OnLoss == plan.LossExit &&
			(c.RenewDeadline <= period+slow || c.RequestTimeout > 0 && c.RequestTimeout <= slow)
	})
}

// setback is what processes that end once the faults are over add to the time until a leader works, in nanoseconds of
// true time: an election that is then lost takes the process of others with it, and so does a probe that fails.
func setback(p *plan.Plan) (most float64) {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		var d time.Duration
		if c.OnLoss == plan.LossExit {
			d = 2*c.LeaseDuration + c.RetryPeriod
		}
		if l := c.LivenessProbe; l != nil {
			d += time.Duration(l.FailureThreshold+1)*l.Period + l.Tolerance + l.RestartAfter + c.LeaseDuration
		}
		most = max(most, float64(d))
	}
	if most == 0 {
		return 0
	}
	rate := int64(million)
	for i := range p.Candidates {
		rate = min(rate, million+p.Candidates[i].Clock.DriftPPM)
	}
	for i := range p.Faults {
		if ppm := p.Faults[i].DriftPPM; ppm != nil {
			rate = min(rate, million+*ppm)
		}
	}
	return most * million / float64(rate)
}

// skew is how far, at most, the wall clocks that rows are compared by come to be apart, 0 without rows.
func skew(p *plan.Plan) float64 {
	row := false
	least, most := p.Service, p.Service
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if c.Lock != plan.SQLTTL {
			continue
		}
		row = true
		if c.Now != plan.DatabaseNow {
			least.Offset, most.Offset = min(least.Offset, c.Clock.Offset), max(most.Offset, c.Clock.Offset)
			least.DriftPPM, most.DriftPPM = min(least.DriftPPM, c.Clock.DriftPPM), max(most.DriftPPM, c.Clock.DriftPPM)
		}
	}
	if !row {
		return 0
	}
	sum := float64(most.Offset - least.Offset)
	for i := range p.Faults {
		f := &p.Faults[i]
		sum += float64(f.Jump.Abs())
		if f.DriftPPM != nil {
			least.DriftPPM, most.DriftPPM = min(least.DriftPPM, *f.DriftPPM), max(most.DriftPPM, *f.DriftPPM)
		}
	}
	return sum + float64(p.Horizon)/million*float64(most.DriftPPM-least.DriftPPM)
}
