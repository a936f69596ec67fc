package parity

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/sim/simbench"
	"interregnum/plan"
)

// BenchmarkSteady and BenchmarkFailover measure a run of the simulated world, hash and checkers on, against the
// unmodified library on virtual time, in turns. An op is one such pair; x-faster compares the times for one lock operation
// in the quickest turn of each: what else goes on in the machine only ever adds to them.
func BenchmarkSteady(b *testing.B)   { race(b, simbench.Steady) }
func BenchmarkFailover(b *testing.B) { race(b, simbench.Failover) }

func race(b *testing.B, p func(time.Duration) *plan.Plan) {
	long, short := p(24*time.Hour), p(time.Hour)
	ours, theirs := math.Inf(1), math.Inf(1)
	for b.Loop() {
		ours = min(ours, perOp(simbench.Time(b, long)))
		theirs = min(theirs, perOp(timeLibrary(b, short)))
	}
	b.ReportMetric(ours, "sim-ns/lockop")
	b.ReportMetric(theirs, "library-ns/lockop")
	b.ReportMetric(theirs/ours, "x-faster")
	b.ReportMetric(0, "ns/op")
}

func perOp(took time.Duration, ops uint64) float64 { return float64(took) / float64(ops) }

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
