// Package stream makes the random streams of a run.
package stream

import (
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"
)

// Stream is the source of one candidate's draws of one sort. Streams of other names and candidates are independent of
// it, so that a new draw in one part of a run never shifts another. The zero value is closed.
type Stream struct {
	// generator and draws are nil in a stream that was never opened: most never are.
	generator *rand.PCG
	draws     *rand.Rand
	open      bool
}

// Open returns the stream. A closed stream begins anew, at the first draw of that seed, name and candidate. An open one goes on
// where it is, whatever the arguments are. Its output is that of PCG-DXSM (math/rand/v2), which does not change.
func (s *Stream) Open(seed uint64, name string, candidate int32) *rand.Rand {
	if !s.open {
		s.begin(seed, name, candidate)
	}
	return s.draws
}

// begin opens a closed stream at its first draw. The arguments determine all draws.
func (s *Stream) begin(seed uint64, name string, candidate int32) {
	if s.generator == nil {
		s.generator = new(rand.PCG)
		s.draws = rand.New(s.generator)
	}
	s.generator.Seed(Mix(seed^xxhash.Sum64String(name)), Mix(uint64(candidate)))
	s.open = true
}

// Mark is a place in a stream.
type Mark struct {
	generator rand.PCG
	open      bool
}

// Mark returns where the stream is.
func (s *Stream) Mark() (m Mark) {
	if s.open {
		m = Mark{*s.generator, true}
	}
	return m
}

// Return brings the stream back to where it was when Mark returned m, as if nothing had been drawn since.
func (s *Stream) Return(m Mark) {
	if s.open = m.open; m.open {
		*s.generator = m.generator
	}
}

// Close ends the stream. What Open has returned is not to be used any more.
func (s *Stream) Close() { s.open = false }

// Mix scrambles the bits of x, as a step of SplitMix64 does (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
// Generators, 2014).
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
