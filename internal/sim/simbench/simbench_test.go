package simbench_test

import (
	"testing"
	"time"

	"interregnum/internal/sim/simbench"
	"interregnum/plan"
)

// BenchmarkAllocations measures the memory that one more hour of steady state takes: none, however many events there
// are.
func BenchmarkAllocations(b *testing.B) {
	p := simbench.Steady(time.Hour)
	perRun := testing.AllocsPerRun(1, func() { _, _ = simbench.Time(b, p) })
	long := simbench.Steady(25 * time.Hour)
	for b.Loop() {
		perLongRun := testing.AllocsPerRun(1, func() { _, _ = simbench.Time(b, long) })
		b.ReportMetric((perLongRun-perRun)/(24*4044), "allocs/lockop")
	}
}

// BenchmarkSimulation and BenchmarkSimulatedFailover are the simulated world alone.
func BenchmarkSimulation(b *testing.B)        { simulation(b, simbench.Steady) }
func BenchmarkSimulatedFailover(b *testing.B) { simulation(b, simbench.Failover) }

func simulation(b *testing.B, make func(time.Duration) *plan.Plan) {
	p := make(24 * time.Hour)
	var ops uint64
	for b.Loop() {
		_, n := simbench.Time(b, p)
		ops += n
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(ops), "ns/lockop")
}
