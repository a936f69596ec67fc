package gate

import (
	"testing"
	"time"

	"interregnum/internal/bound"
)

// BenchmarkVerdict is one verdict with its witness and the smallest changes.
func BenchmarkVerdict(b *testing.B) {
	e := &bound.Environment{MaxRoundTrip: 5 * time.Second, MaxDriftPPM: 200, MaxPause: time.Second}
	for b.Loop() {
		if j, err := Judge(seconds(15, 10, 2), e); err != nil || j.Witness == nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkThousandManifests is a thousand files, a fifth of them unsafe.
func BenchmarkThousandManifests(b *testing.B) {
	paths := manifests(b, 1000)
	for b.Loop() {
		if r := JudgeFiles(paths, nil, &clientGo, DefaultEnvironment()); len(r.Targets) != len(paths) {
			b.Fatal(r.Problems)
		}
	}
}
