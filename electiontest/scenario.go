package electiontest

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
	"interregnum/scenarios"
)

// usual are the timings that Kubernetes' own components and controller-runtime's managers have by default.
var usual = machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}

// Scenario returns a scenario for a test: n candidates c1, c2 … for a Lease, which start 100 ms apart, with LeaseDuration
// 15 s, RenewDeadline 10 s and RetryPeriod 2 s, on a network that takes 1 ms each way, and with these faults. Every
// property is expected to hold; the test may change Expect and the candidates' fields.
//
//	electiontest.Scenario(3, time.Minute, scenarios.Fault{Kind: "partition", At: 20 * time.Second, On: []string{"leader"}})
func Scenario(n int, horizon time.Duration, faults ...scenarios.Fault) *scenarios.Scenario {
	s := &scenarios.Scenario{Name: "from-go", About: "A scenario that a test has written.", Plan: scenarios.Plan{
		Seed: 1, Horizon: horizon, Faults: faults,
		Network: scenarios.Network{Request: constant(time.Millisecond), Response: constant(time.Millisecond)},
	}}
	for i := range n {
		s.Candidates = append(s.Candidates, scenarios.Candidate{
			ID: fmt.Sprintf("c%d", i+1), StartAt: time.Duration(i) * 100 * time.Millisecond,
			Profile: machine.ClientGo, Lock: plan.Lease,
			Timings: usual,
		})
	}
	return s
}

// constant returns a delay that is always the same.
func constant(d time.Duration) scenarios.Delay { return scenarios.Delay{Min: d, Max: d} }
