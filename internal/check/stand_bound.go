package check

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// slowness is what a plan's network and faults can add to the time between two requests of a candidate.
type slowness struct {
	// limiter is the longest wait in a client's rate limiter, on the candidate's clock. answer is the longest time that a
	// request which is answered takes, in true time.
	limiter, answer time.Duration
	// rate is that of faultRate.
	rate int64
}

// slownessOf returns what the plan's network and faults can add to the time between two requests of a candidate.
func slownessOf(p *plan.Plan) slowness {
	s := slowness{rate: faultRate(p)}
	request, response := p.Network.Request.Max, p.Network.Response.Max
	for i := range p.Faults {
		f := &p.Faults[i]
		if f.Request != nil {
			request = max(request, f.Request.Max)
		}
		if f.Response != nil {
			response = max(response, f.Response.Max)
		}
		s.limiter = max(s.limiter, f.Limiter)
	}
	s.answer = slowed(p, request) + slowed(p, response)
	return s
}

// slowed returns the longest time that a message takes in the plan's brownouts, if it takes d without one. The time until the
// service has carried it out is included.
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

// standsWithin returns the longest time, in true time, between two requests of a candidate whose process lives and which goes
// on to stand for election. It adds up, by its slowest clock: the wait for an answer that does not come, a jittered period,
// the client's limiter, waits (how long the client keeps back a request) and, if its lock expires by itself, the LeaseDuration
// after which it looks beside a watch. It adds in true time: an answer that comes late, work that drains, and the time until
// Run is called again. There is one case in which the time can be longer: a request without a timeout whose answer is lost is
// waited for without end.
func standsWithin(c *plan.Candidate, s slowness, waits time.Duration) time.Duration {
	local := max(c.RenewDeadline, c.RequestTimeout) + s.limiter + waits
	if c.Lock.Expires() {
		local += c.LeaseDuration
	}
	period := (1 + machine.JitterFactor) * float64(c.RetryPeriod)
	rate := min(s.rate, million+c.Clock.DriftPPM)
	bound := (float64(local)+period)*million/float64(rate) + float64(s.answer+c.Drain)
	if c.Rejoin != nil {
		bound += float64(*c.Rejoin)
	}
	return time.Duration(min(bound, float64(plan.MaxDuration)))
}
