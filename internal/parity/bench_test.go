package parity

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/sim"
	"interregnum/scenarios/plan"
)

// steadyPlan is three candidates of which one leads all the time.
func steadyPlan(horizon time.Duration) *plan.Plan {
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

// failoverPlan is three candidates of which the leader crashes every minute and comes back.
func failoverPlan(horizon time.Duration) *plan.Plan {
	p := steadyPlan(horizon)
	for at := time.Minute; at < horizon; at += time.Minute {
		p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultRestart, At: at, On: []string{plan.RoleLeader}})
	}
	return p
}

// BenchmarkSteady and BenchmarkFailover measure a run of the simulated world, hash and checkers on, against the
// unmodified library on virtual time, in turns. An op is one such pair; x-faster compares the times for one lock operation
// in the quickest turn of each: what else goes on in the machine only ever adds to them.
func BenchmarkSteady(b *testing.B)   { race(b, steadyPlan) }
func BenchmarkFailover(b *testing.B) { race(b, failoverPlan) }

func race(b *testing.B, p func(time.Duration) *plan.Plan) {
	long, short := p(24*time.Hour), p(time.Hour)
	ours, theirs := math.Inf(1), math.Inf(1)
	for b.Loop() {
		ours = min(ours, perOp(timeSimulation(b, long)))
		theirs = min(theirs, perOp(timeLibrary(b, short)))
	}
	b.ReportMetric(ours, "sim-ns/lockop")
	b.ReportMetric(theirs, "library-ns/lockop")
	b.ReportMetric(theirs/ours, "x-faster")
	b.ReportMetric(0, "ns/op")
}

func perOp(took time.Duration, ops uint64) float64 { return float64(took) / float64(ops) }

func timeSimulation(b *testing.B, p *plan.Plan) (time.Duration, uint64) {
	begin := time.Now()
	suite := check.NewSuite(check.Header(p))
	stats, err := sim.Run(p, suite)
	require.NoError(b, err)
	require.NotEmpty(b, suite.Properties(int64(p.Horizon)))
	return time.Since(begin), stats.StoreOps
}

// timeLibrary runs the library in a test of its own: virtual time wants a testing.T.
func timeLibrary(b *testing.B, p *plan.Plan) (took time.Duration, ops uint64) {
	ok := testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{
		Name: "library",
		F: func(t *testing.T) {
			begin := time.Now()
			h := runLibrary(t, p, nil)
			took, ops = time.Since(begin), uint64(len(h.requests))
		},
	}})
	require.True(b, ok)
	return took, ops
}

// BenchmarkAllocations measures the memory that one more hour of steady state takes: none, however many events there
// are.
func BenchmarkAllocations(b *testing.B) {
	p := steadyPlan(time.Hour)
	perRun := testing.AllocsPerRun(1, func() { _, _ = timeSimulation(b, p) })
	long := steadyPlan(25 * time.Hour)
	for b.Loop() {
		perLongRun := testing.AllocsPerRun(1, func() { _, _ = timeSimulation(b, long) })
		b.ReportMetric((perLongRun-perRun)/(24*4044), "allocs/lockop")
	}
}

// BenchmarkSimulation and BenchmarkSimulatedFailover are the simulated world alone.
func BenchmarkSimulation(b *testing.B)        { simulation(b, steadyPlan) }
func BenchmarkSimulatedFailover(b *testing.B) { simulation(b, failoverPlan) }

func simulation(b *testing.B, make func(time.Duration) *plan.Plan) {
	p := make(24 * time.Hour)
	var ops uint64
	for b.Loop() {
		_, n := timeSimulation(b, p)
		ops += n
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(ops), "ns/lockop")
}
