package search

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

// campaign runs so many blocks on so many cores, and returns how long that took and how many events there were.
func campaign(b *testing.B, t *Target, blocks uint64, cores int) (took time.Duration, events uint64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	begin := time.Now()
	require.NoError(b, t.Campaign(context.Background(), Plan{Blocks: blocks, Workers: cores}, 0, func(x *Block) error {
		events += x.Events
		return nil
	}))
	return time.Since(begin), events
}

// BenchmarkSwarm is a search on one core, all of it: drawing a run, running it with hash and checkers, judging it, looking
// for witnesses. Runs have three candidates on average, two virtual minutes and a storm of faults.
func BenchmarkSwarm(b *testing.B) {
	for _, profile := range []machine.Profile{machine.ClientGo, machine.Strict} {
		b.Run(profile.Name, func(b *testing.B) {
			b.ReportAllocs()
			took, events := campaign(b, &Target{Profile: profile, Timings: defaultTimings()}, uint64(b.N), 1)
			runs := float64(b.N * BlockRuns)
			b.ReportMetric(runs/took.Seconds(), "runs/s")
			b.ReportMetric(float64(events)/runs, "events/run")
			b.ReportMetric(float64(took.Nanoseconds())/float64(events), "ns/event")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkTwoCores is how many times as fast a search is on two cores as on one, in turns.
func BenchmarkTwoCores(b *testing.B) {
	target := &Target{Profile: machine.Strict, Timings: defaultTimings()}
	var one, two time.Duration
	for b.Loop() {
		d, _ := campaign(b, target, 64, 1)
		one += d
		d, _ = campaign(b, target, 64, 2)
		two += d
	}
	b.ReportMetric(float64(one)/float64(two), "x-faster")
	b.ReportMetric(0, "ns/op")
}
