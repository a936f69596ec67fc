package check

import (
	"slices"
	"time"

	"interregnum/scenarios/plan"
)

// ownRequests is more than the requests of a candidate that can wait for tokens at a time: an attempt has three, and a
// release two.
const ownRequests = 5

// fastest is how many times as fast as true time a clock can be.
const fastest = 1 + plan.MaxDriftPPM/million

// waits returns the longest time, on its clock, for which the client of c keeps back a request: until there is a token for it,
// and for a Retry-After. If other traffic is drawn, no bound is known, and it is as long as a time can be.
func waits(p *plan.Plan, c *plan.Candidate) (longest time.Duration) {
	if c.Client == nil {
		return 0
	}
	for i := range p.Faults {
		longest = max(longest, keptBack(c, &p.Faults[i]))
	}
	if !c.Client.Limits() {
		return longest
	}
	requests, horizon := float64(ownRequests), p.Horizon
	if mayRunFast(p, c) {
		horizon *= fastest
	}
	for i := range c.Client.Other {
		t := &c.Client.Other[i]
		if t.Drawn {
			return plan.MaxDuration
		}
		requests += float64(t.Most(horizon))
	}
	return time.Duration(min(float64(longest)+requests/c.Client.QPS*float64(time.Second), float64(plan.MaxDuration)))
}

// keptBack returns the longest time, on its clock, for which f has the client of c keep back a request, or wait for an answer that
// does not come.
func keptBack(c *plan.Candidate, f *plan.Fault) time.Duration {
	switch f.Kind {
	case plan.FaultError, plan.FaultThrottle:
		if status, after := f.Answer(); after != nil && c.Client.WaitsOut(status) {
			return *after
		}
	case plan.FaultReset:
		return repeatAfter
	case plan.FaultStall:
		return stallEnds + repeatAfter
	}
	return 0
}

// What a client does with a connection that has ended, and when it ends one that stalls: see package sim.
const (
	repeatAfter = time.Second
	stallEnds   = 45 * time.Second
)

// mayRunFast tells whether the clock of c may run faster than true time.
func mayRunFast(p *plan.Plan, c *plan.Candidate) bool {
	return c.Clock.DriftPPM > 0 ||
		slices.ContainsFunc(p.Faults, func(f plan.Fault) bool { return f.DriftPPM != nil && *f.DriftPPM > 0 })
}
