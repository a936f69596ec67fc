package scenariotest

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// FuzzStrict: what strict promises holds in every scenario of every environment in which it does.
func FuzzStrict(f *testing.F) {
	all := environments(machine.Strict)
	maps.Copy(all, frozen(machine.Strict))
	maps.Copy(all, elections(machine.Strict))
	names := slices.Sorted(maps.Keys(all))
	for seed := range uint64(40) {
		f.Add(words(seed, 1200))
	}
	f.Fuzz(rapid.MakeFuzz(func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "environment")
		Check(rt, Random(all[name]).Draw(rt, "scenario"))
	}))
}

// words is an input from which rapid draws: too short a one is skipped.
func words(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	b := make([]byte, 0, 8*n)
	for range n {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b
}
