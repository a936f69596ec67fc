// Package stream makes the random streams of a run.
package stream

import (
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"
)

// Stream is the source of one candidate's draws of one sort. Streams of other names and candidates are independent of
// it, so that a new draw in one part of a run never shifts another. The zero value is closed.
type Stream struct {
	// draws and others are nil in a stream that was never opened: most never are. others draws from the generator of draws.
	draws  *Draws
	others *rand.Rand
	open   bool
}

// Open returns the stream. A closed stream begins anew, at the first draw of that seed, name and candidate. An open one goes on
// where it is, whatever the arguments are. Its output is that of PCG-DXSM (math/rand/v2), which does not change.
func (s *Stream) Open(seed uint64, name string, candidate int32) *Draws {
	if !s.open {
		s.begin(seed, name, candidate)
	}
	return s.draws
}

// OpenAll returns the same stream as Open does, for draws of any sort.
func (s *Stream) OpenAll(seed uint64, name string, candidate int32) *rand.Rand {
	s.Open(seed, name, candidate)
	return s.others
}

// begin opens a closed stream at its first draw. The arguments determine all draws.
func (s *Stream) begin(seed uint64, name string, candidate int32) {
	if s.draws == nil {
		s.draws = new(Draws)
		s.others = rand.New(s.draws)
	}
	s.draws.Seed(Mix(seed^xxhash.Sum64String(name)), Mix(uint64(candidate)))
	s.open = true
}

// Mark is a place in a stream.
type Mark struct {
	draws Draws
	open  bool
}

// Mark returns where the stream is.
func (s *Stream) Mark() (m Mark) {
	if s.open {
		m = Mark{*s.draws, true}
	}
	return m
}

// Return brings the stream back to where it was when Mark returned m, as if nothing had been drawn since.
func (s *Stream) Return(m Mark) {
	if s.open = m.open; m.open {
		*s.draws = m.draws
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
