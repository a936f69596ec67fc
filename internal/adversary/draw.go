package adversary

import (
	"math"
	"math/rand/v2"
	"time"
)

// draw is a source of random choices.
type draw struct {
	*rand.Rand
	// evenly: all draws of a candidate's jitter are moved by the same amount.
	evenly bool
}

// newDraw returns a source of choices that depends on the seed and the stream alone.
func newDraw(seed, stream uint64) draw { return draw{Rand: rand.New(rand.NewPCG(seed, stream))} }

// chance returns true with probability p.
func (d draw) chance(p float64) bool { return d.Float64() < p }

// upTo draws a duration from 0 to most, each as likely.
func (d draw) upTo(most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	return time.Duration(d.Int64N(int64(most) + 1))
}

// between draws a duration from low to high, where each order of magnitude is as likely.
func (d draw) between(low, high time.Duration) time.Duration {
	if high <= low {
		return low
	}
	a, b := math.Log(float64(max(low, 1))), math.Log(float64(high))
	return min(max(time.Duration(math.Exp(a+d.Float64()*(b-a))), low), high)
}

// pick draws one of the values, each as likely.
func pick[T any](d draw, of ...T) T { return of[d.IntN(len(of))] }

// round rounds a duration to a unit that a human might use, drawn at random. What would become 0 stays as it is.
func (d draw) round(x time.Duration) time.Duration {
	unit := pick(d, 1, time.Microsecond, time.Millisecond, 50*time.Millisecond, 100*time.Millisecond, 500*time.Millisecond,
		time.Second, time.Second, time.Second, 5*time.Second)
	if rounded := x.Round(unit); rounded > 0 {
		return rounded
	}
	return x
}

// fraction draws jitter, from 0 to less than 1, often at one of its ends.
func (d draw) fraction() float64 {
	switch d.IntN(3) {
	case 0:
		return 0
	case 1:
		return 1 - 1e-9
	}
	return d.Float64()
}
