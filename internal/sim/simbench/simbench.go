// Package simbench is the runs by which the simulated world is measured.
package simbench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/sim"
	"interregnum/plan"
)

// Steady returns a plan of three candidates, of which one leads all the time.
func Steady(horizon time.Duration) *plan.Plan {
	jitter := 0.5
	p := &plan.Plan{Seed: 1, Horizon: horizon}
	p.Network.Request = plan.Delay{Min: time.Millisecond, Max: time.Millisecond}
	p.Network.Response = p.Network.Request
	for i, id := range []string{"a", "b", "c"} {
		p.Candidates = append(p.Candidates, plan.Candidate{
			ID: id, Profile: machine.ClientGo, Lock: plan.Lease, Jitter: &jitter,
			StartAt: time.Duration(i) * 701 * time.Millisecond,
			Timings: machine.Timings{
				LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
			},
		})
	}
	return p
}

// Failover returns a plan of three candidates, of which the leader crashes every minute and comes back.
func Failover(horizon time.Duration) *plan.Plan {
	p := Steady(horizon)
	for at := time.Minute; at < horizon; at += time.Minute {
		p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultRestart, At: at, On: []string{plan.RoleLeader}})
	}
	return p
}

// Time simulates a plan, with the checkers and the hash, and returns how long that took and how many lock operations there
// were. It fails the benchmark if the plan cannot be run.
func Time(b *testing.B, p *plan.Plan) (time.Duration, uint64) {
	begin := time.Now()
	suite := check.NewSuite(check.Header(p))
	stats, err := sim.Run(p, suite)
	require.NoError(b, err)
	require.NotEmpty(b, suite.Properties(int64(p.Horizon)))
	return time.Since(begin), stats.StoreOps
}
