package check

import (
	"slices"
	"time"

	"interregnum/plan"
)

// ownRequests is the most requests of a candidate that can wait for tokens at a time: an attempt has three at most, and a release
// two.
const ownRequests = 5

// An attempt to acquire is so many requests, on one object and on two.
const (
	requestsOfOne = 2
	requestsOfTwo = 5
)

// starves tells whether perhaps a candidate of the plan never acquires the lock, although nothing goes wrong: it must acquire the
// lock within its RenewDeadline, and its client gets fewer tokens in that time than one attempt has requests. Only profiles that
// count RenewDeadline from a renewal (strict) have to; with others an attempt to acquire has no limit. A burst and other traffic do
// not count.
func starves(p *plan.Plan) bool {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if !c.Client.Limits() || !c.Profile.CountsFromRenewal() {
			continue
		}
		requests := requestsOfOne
		if len(c.Lock.Objects()) == 2 {
			requests = requestsOfTwo
		}
		if float64(requests)/c.Client.QPS > c.RenewDeadline.Seconds() {
			return true
		}
	}
	return false
}

// fastest is how many times as fast as true time a clock can be.
const fastest = 1 + plan.MaxDriftPPM/million

// waits returns the longest time, on the clock of c, for which its client keeps back a request: the wait for a token, and the
// longest wait that a fault causes. It is 0 if c has no client, and plan.MaxDuration at most. If other traffic is drawn, no bound
// is known, and waits returns plan.MaxDuration.
func waits(p *plan.Plan, c *plan.Candidate) (longest time.Duration) {
	if c.Client == nil {
		return 0
	}
	longest = closings(p, c)
	for i := range p.Faults {
		longest = max(longest, keptBack(c, &p.Faults[i]))
	}
	if !c.Client.Limits() {
		return longest
	}
	requests, horizon := float64(ownRequests), p.Horizon
	if canRunFast(p, c) {
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

// keptBack returns the longest time, on the clock of c, for which f makes its client keep back a request for a Retry-After, or wait
// for an answer for ever, which is plan.MaxDuration. It is 0 if f does neither. c must have a client.
func keptBack(c *plan.Candidate, f *plan.Fault) time.Duration {
	switch {
	case c.Client.HTTP1 && c.RequestTimeout == 0 && (f.Kind == plan.FaultStall || f.Cuts()):
		return plan.MaxDuration // nothing else ends a request on a connection that carries nothing
	case f.Kind == plan.FaultError, f.Kind == plan.FaultThrottle, f.Seats > 0:
		if status, after := f.Answer(); after != nil && c.Client.WaitsOut(status) {
			return *after
		}
	}
	return 0
}

// closings returns the longest time, on the clock of c, until its client has ended a connection that carries nothing, and
// sends the request again. It is 0 without a client, and if no fault ends or silences a connection.
func closings(p *plan.Plan, c *plan.Candidate) (longest time.Duration) {
	if c.Client == nil {
		return 0
	}
	for i := range p.Faults {
		switch f := &p.Faults[i]; {
		case f.Kind == plan.FaultReset:
			longest = max(longest, plan.RepeatAfter)
		case f.Kind == plan.FaultStall:
			longest = max(longest, plan.LongestStall+plan.RepeatAfter)
		case f.Cuts():
			longest = max(longest, plan.LongestStall+plan.RepeatAfter+plan.DialTimeout)
		}
	}
	return longest
}

// canRunFast tells whether the clock of c can run faster than true time at some time of the run: from the start, or by a fault
// that sets a rate, whomever that fault is on.
func canRunFast(p *plan.Plan, c *plan.Candidate) bool {
	return c.Clock.DriftPPM > 0 ||
		slices.ContainsFunc(p.Faults, func(f plan.Fault) bool { return f.DriftPPM != nil && *f.DriftPPM > 0 })
}
