package stream

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestStreamIsPinned: the generator's output is part of what a seed means. If this fails, the generator has
// changed, and every run with anything random in it is another one.
func TestStreamIsPinned(t *testing.T) {
	for _, c := range []struct {
		seed      uint64
		name      string
		candidate int32
		want      string
	}{
		{0, "jitter", 0, "667cac61b3e257e1 eaa2566b28300cf7 0.92789108651109575 568618"},
		{1, "jitter", 0, "b4bf0758b6fc51e6 14fdbcfbfe890ff3 0.76177672380451433 267493"},
		{1, "jitter", 1, "342f7c9d459a5952 4ce7bb12e7093f72 0.99361740492690842 869189"},
		{1, "network", 0, "80e2a1f5df42a97b 02b3fdb770101f66 0.22706135355343415 302881"},
		{1, "loss", 0, "f4fd41138c2a8e8c f185a5fab7e1f619 0.0045220192670594184 294180"},
		{1<<64 - 1, "jitter", 99_999, "9423b82dfdc590cc cf90741c04a206a4 0.11299834916259111 93141"},
	} {
		r := new(Stream).Open(c.seed, c.name, c.candidate)
		got := fmt.Sprintf("%016x %016x %.17g %d", r.Uint64(), r.Uint64(), r.Float64(), r.Int64N(1_000_001))
		assert.Equal(t, c.want, got, "seed %d, %s of candidate %d", c.seed, c.name, c.candidate)
	}
}

// TestStreamsDiffer by seed, name and candidate, from the first draw on.
func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(20) {
		for _, name := range []string{"jitter", "network", "loss"} {
			for candidate := range int32(50) {
				id := fmt.Sprint(seed, name, candidate)
				first := new(Stream).Open(seed, name, candidate).Uint64()
				assert.Empty(t, seen[first], id)
				seen[first] = id
			}
		}
	}
}

// TestStreamThatIsOpen goes on, and one that was closed begins anew.
func TestStreamThatIsOpen(t *testing.T) {
	var s Stream
	first, second := s.Open(1, "jitter", 0).Uint64(), s.Open(1, "jitter", 0).Uint64()
	assert.NotEqual(t, first, second)
	s.Close()
	assert.Equal(t, first, s.Open(1, "jitter", 0).Uint64())
	s.Close()
	assert.NotEqual(t, first, s.Open(2, "jitter", 0).Uint64())
}

// TestReturn: a stream goes on from a mark as it did before, also from one of when it was closed.
func TestReturn(t *testing.T) {
	var s Stream
	closed := s.Mark()
	first := s.Open(1, "jitter", 0).Uint64()
	open := s.Mark()
	second := s.Open(1, "jitter", 0).Uint64()
	s.Return(open)
	assert.Equal(t, second, s.Open(1, "jitter", 0).Uint64())
	s.Return(closed)
	assert.Equal(t, first, s.Open(1, "jitter", 0).Uint64())
}
