// Package stream makes the random streams of a run.
package stream

import (
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"
)

// New returns the source of one candidate's draws of one sort. Streams of other names and candidates are
// independent of it, so that a new draw in one part of a run never shifts another. Its output is that of
// PCG-DXSM (math/rand/v2), which does not change.
func New(seed uint64, name string, candidate int) *rand.Rand {
	return rand.New(rand.NewPCG(mix(seed^xxhash.Sum64String(name)), mix(uint64(candidate))))
}

// At returns the stream at s, and makes it if there is none yet. Most streams are never asked for.
func At(s **rand.Rand, seed uint64, name string, candidate int32) *rand.Rand {
	if *s == nil {
		*s = New(seed, name, int(candidate))
	}
	return *s
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
