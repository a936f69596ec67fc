package check

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// slowed returns the longest time that a message takes in the plan's brownouts, if it takes d without one; at least d. The
// time until the service has carried it out is included.
func slowed(p *plan.Plan, d time.Duration) time.Duration {
	longest := d
	for i := range p.Faults {
		f := &p.Faults[i]
		if f.Kind != plan.FaultBrownout {
			continue
		}
		takes := d
		if f.Factor != nil {
			takes = plan.Slowed(d, *f.Factor)
		}
		longest = max(longest, takes+seated(p, f))
	}
	return longest
}

// seated returns the longest time from a request's arrival until the service has carried it out, in the brownout f; 0 without
// seats. It assumes that all other requests that can come in the brownout are served first.
func seated(p *plan.Plan, f *plan.Fault) time.Duration {
	if f.Seats == 0 {
		return 0
	}
	requests := ownRequests*float64(len(p.Candidates)) + float64(f.Others(p.Horizon))
	return time.Duration(min(requests/float64(f.Seats)*float64(f.Takes), float64(plan.LongestSeatWait))) + f.Takes
}

// standsWithin returns the longest time, in true time, between two requests of a candidate that stands for election, if the network
// and the client do nothing worse than they do without faults. It adds up, by its slowest clock: the wait for an answer that does
// not come, a jittered period and, if its lock expires by itself, the LeaseDuration after which it looks beside a watch. It adds
// in true time: a connection that is made, a round trip, work that drains, and the time until Run is called again. The time can
// be longer where faults delay answers, and where the client keeps a request back, in its limiter or for a Retry-After:
// then the candidate does not stand.
func standsWithin(p *plan.Plan, c *plan.Candidate) time.Duration {
	local := max(c.RenewDeadline, c.RequestTimeout)
	if c.Lock.Expires() {
		local += c.LeaseDuration
	}
	period := (1 + machine.JitterFactor) * float64(c.RetryPeriod)
	rate := min(faultRate(p), million+c.Clock.DriftPPM)
	bound := (float64(local)+period)*million/float64(rate) + float64(p.Network.Request.Max+p.Network.Response.Max+c.Dials()+c.Drain)
	if c.Rejoin != nil {
		bound += float64(*c.Rejoin)
	}
	return time.Duration(min(bound, float64(plan.MaxDuration)))
}
