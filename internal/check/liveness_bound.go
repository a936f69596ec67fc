package check

import (
	"math"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// failover returns the longest time, in true time, from the end of the last fault until a leader works. It adds up, by
// the slowest clock: a lease that somebody left behind, which is observed one jittered period late and looked at again
// one such period after it has run out; an attempt that hangs; and processes that end only after the faults are over.
// It adds in true time: four round trips; a message still on its way; work that drains; and a Run that has to begin
// anew. A client that limits or repeats its requests makes the attempt longer, and a brownout the message on its way. kept
// is how much of the sum is for requests that clients keep back, in their limiters or for a Retry-After.
// An attempt on two objects is five requests and not two, and one of the objects can be missing: its creation
// looks like a new lease of an unknown holder, which has to be waited out first. With a lock that expires by itself, a
// candidate that has lost its watch looks again one LeaseDuration later, and a row can carry a time that is ahead of
// every clock. expires is true if there is such a lock: then its service's clock counts too.
func failover(p *plan.Plan, expires bool) (longest, kept time.Duration) {
	var lease, retry, attempt, swift, dial, drain, rejoin time.Duration
	twice := false
	rate := slowestRate(p)
	if expires {
		rate = min(rate, million+p.Service.DriftPPM)
	}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		lease = max(lease, c.LeaseDuration+time.Second)
		retry = max(retry, c.RetryPeriod)
		swift = max(swift, max(c.RenewDeadline, c.RequestTimeout)+closings(p, c))
		attempt = max(attempt, max(c.RenewDeadline, c.RequestTimeout)+waits(p, c))
		dial = max(dial, c.Dials())
		drain = max(drain, c.Drain)
		twice = twice || len(c.Lock.Objects()) == 2 || c.Lock.Expires()
		if c.Rejoin != nil {
			rejoin = max(rejoin, *c.Rejoin)
		}
	}
	roundTrip, delay := p.Network.Request.Max+p.Network.Response.Max, time.Duration(0)
	for i := range p.Faults {
		for _, d := range []*plan.Delay{p.Faults[i].Request, p.Faults[i].Response} {
			if d != nil {
				delay = max(delay, d.Max)
			}
		}
	}
	usual := max(delay, p.Network.Request.Max, p.Network.Response.Max)
	if slow := slowed(p, usual); slow > usual {
		delay = slow
	}
	leases, retries, trips := time.Duration(1), 2.0, time.Duration(4)
	if twice {
		leases, retries, trips = 2, 3, 10
	}
	local := float64(leases*lease) + retries*(1+machine.JitterFactor)*float64(retry) + float64(swift)
	bound := local*million/float64(rate) + float64(trips*roundTrip+delay+2*dial+drain+rejoin) + skew(p) + setback(p) + leftRunning(p)
	bound = min(bound, float64(plan.MaxDuration))
	longest = time.Duration(min(bound+float64(attempt-swift)*million/float64(rate), float64(plan.MaxDuration)))
	return longest, longest - time.Duration(bound)
}

// exitsAgain tells whether a process can exit again and again without any fault, because the timings of one of its several
// elections leave no time for a renewal. Each exit ends its part in the other elections too, and nothing says when a leader
// works in those. It is false if the plan has only one election.
func exitsAgain(p *plan.Plan) bool {
	roundTrip := p.Network.Request.Max + p.Network.Response.Max
	return len(p.Elections) > 1 && slices.ContainsFunc(p.Candidates, func(c plan.Candidate) bool {
		slow := time.Duration(float64(2*roundTrip) * float64(million+max(0, c.Clock.DriftPPM)) / million)
		period := time.Duration((1 + machine.JitterFactor) * float64(c.RetryPeriod))
		return c.OnLoss == plan.LossExit &&
			(c.RenewDeadline <= period+slow || c.RequestTimeout > 0 && c.RequestTimeout <= slow)
	})
}

// setback returns by how much processes that end only after the faults are over make failover's bound longer, in nanoseconds
// of true time. Such a process exits because it has lost an election, or is killed because a probe failed, and its other
// elections lose it too.
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
	return most * million / float64(min(million, slowestRate(p)))
}

// leftRunning returns by how much loops of renewals that outlive their Run make failover's bound longer, in nanoseconds of
// true time. The client for C# has such loops. A loop writes the record once. If its process does not run any more, the others
// wait for another lease; if it runs again, its Run has to try again. A candidate that runs again can have lost the lock, and
// left a loop, once in a RenewDeadline.
func leftRunning(p *plan.Plan) (sum float64) {
	trips := 4 * float64(p.Network.Request.Max+p.Network.Response.Max)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		period := (1 + machine.JitterFactor) * float64(c.RetryPeriod) * million / float64(slowestRate(p))
		switch {
		case c.Profile.Client != machine.OfCSharp || c.OnLoss == plan.LossExit:
		case c.RunsAgain():
			sum += float64(p.Horizon/c.RenewDeadline+1) * (period + trips)
		default:
			sum += float64(c.LeaseDuration)*million/float64(slowestRate(p)) + 2*period + trips
		}
	}
	return sum
}

// slowestRate returns the slowest rate that a candidate's clock has at the start or that a fault sets, in parts per million
// of true time.
func slowestRate(p *plan.Plan) int64 {
	rate := faultRate(p)
	for i := range p.Candidates {
		rate = min(rate, million+p.Candidates[i].Clock.DriftPPM)
	}
	return rate
}

// faultRate returns the slowest rate that a fault sets a clock to, in parts per million of true time; without such a fault it
// is faster than any clock.
func faultRate(p *plan.Plan) int64 {
	rate := int64(math.MaxInt64)
	for i := range p.Faults {
		if ppm := p.Faults[i].DriftPPM; ppm != nil {
			rate = min(rate, million+*ppm)
		}
	}
	return rate
}

// skew returns an upper bound of the difference, at any time of the run, between the wall clocks by which candidates or the
// service compare times in rows and records, in nanoseconds. It is 0 if there are neither rows nor clients that are not
// client-go.
func skew(p *plan.Plan) float64 {
	row := false
	least, most := p.Service, p.Service
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if !c.Lock.ByWallClock() && !c.Profile.OtherClient() {
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
