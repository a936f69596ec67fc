package stream

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDraws are those of a rand.Rand: of a power of two, of few and of many numbers. Of the most, every other draw is refused.
func TestDraws(t *testing.T) {
	var d Draws
	d.Seed(1, 2)
	want := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		for _, n := range []int64{1, 2, 3, 7, 64, 1_000_001, 1 << 32, 1<<62 + 1, math.MaxInt64} {
			require.Equal(t, want.Int64N(n), d.Int64N(n), "of %d", n)
			require.Equal(t, want.IntN(int(n)), d.IntN(int(n)), "of %d", n)
		}
		require.Equal(t, want.Float64(), d.Float64())
	}
	require.Panics(t, func() { d.Int64N(0) })
}
