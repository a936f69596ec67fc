package stream

import (
	"math/bits"
	"math/rand/v2"
)

// Draws is a generator that draws what a rand.Rand draws from a PCG in the same state. It calls the generator by itself; a Rand calls
// it through an interface, which takes longer than the draw. The zero value is to be seeded.
type Draws struct{ rand.PCG }

// Int64N draws a number from 0 to below n, which must be positive, all equally likely.
func (d *Draws) Int64N(n int64) int64 {
	if n <= 0 {
		panic("stream: nothing to draw from")
	}
	limit := uint64(n)
	if limit&(limit-1) == 0 {
		return int64(d.Uint64() & (limit - 1))
	}
	// Lemire: Fast Random Integer Generation in an Interval, 2019.
	high, low := bits.Mul64(d.Uint64(), limit)
	if low < limit {
		for least := -limit % limit; low < least; {
			high, low = bits.Mul64(d.Uint64(), limit)
		}
	}
	return int64(high)
}

// IntN draws what Int64N draws, for an int.
func (d *Draws) IntN(n int) int { return int(d.Int64N(int64(n))) }

// Float64 draws a number from 0 to below 1.
func (d *Draws) Float64() float64 { return float64(d.Uint64()<<11>>11) / (1 << 53) }
