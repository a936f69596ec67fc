package adversary

import (
	"math"
	"math/rand/v2"
	"time"
)

// draw is a source of random choices. Each of its methods takes numbers from the stream, so that later choices change with every
// call.
type draw struct {
	*rand.Rand
}

// newDraw returns a source of choices. The same seed and stream give the same choices; other streams of a seed are independent.
func newDraw(seed, stream uint64) draw { return draw{Rand: rand.New(rand.NewPCG(seed, stream))} }

// chance returns true with probability p. It takes a number from the stream.
func (d draw) chance(p float64) bool { return d.Float64() < p }

// upTo draws a duration from 0 to most, both included, each value as likely as any other. For a most of 0 or less it returns 0,
// and draws nothing.
func (d draw) upTo(most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	return time.Duration(d.Int64N(int64(most) + 1))
}

// between draws a duration from low to high, each order of magnitude as likely as any other. If high is not above low, it returns
// low, and draws nothing.
func (d draw) between(low, high time.Duration) time.Duration {
	if high <= low {
		return low
	}
	a, b := math.Log(float64(max(low, 1))), math.Log(float64(high))
	return min(max(time.Duration(math.Exp(a+d.Float64()*(b-a))), low), high)
}

// pick draws one of the values, each as likely as any other. There must be at least one.
func pick[T any](d draw, of ...T) T { return of[d.IntN(len(of))] }

// round rounds x to a unit that a human would use, which it draws. If the result would be 0 or less, it returns x as it is.
func (d draw) round(x time.Duration) time.Duration {
	unit := pick(d, 1, time.Microsecond, time.Millisecond, 50*time.Millisecond, 100*time.Millisecond, 500*time.Millisecond,
		time.Second, time.Second, time.Second, 5*time.Second)
	if rounded := x.Round(unit); rounded > 0 {
		return rounded
	}
	return x
}

// fraction draws jitter, from 0 to less than 1: in a third of all draws 0, in a third almost 1.
func (d draw) fraction() float64 {
	switch d.IntN(3) {
	case 0:
		return 0
	case 1:
		return 1 - 1e-9
	}
	return d.Float64()
}
