package forecast_test

import (
	"math"
	"time"
)

// This file has the arithmetic of followers: when the next of their looks comes, and when the first one comes that finds a lease
// expired. Distributions are lists of probabilities, one a millisecond, and begin at 0. It uses nothing of the simulator.

// chances has the probability of each millisecond, from 0 on.
type chances []float64

// jitterFactor is how much of RetryPeriod a jittered wait adds at most.
const jitterFactor = 1.2

func millis(d time.Duration) int { return int(d / time.Millisecond) }

// firstFrom returns when the first look at or after the time least comes, if the first wait of a jittered retry begins at 0, and
// each look takes a round trip before the next wait begins.
func firstFrom(least, retry, trip time.Duration) chances {
	return firstAfterFailures(least, retry, trip, 1)
}

// firstAfterFailures returns the same, and counts only the courses in which each look before has failed, as each does with that
// probability.
func firstAfterFailures(least, retry, trip time.Duration, fails float64) chances {
	n, low, width := millis(least), millis(retry), int(math.Round(jitterFactor*float64(millis(retry))))
	size := n + low + width + millis(trip) + 2
	out := make(chances, size)
	// slope has the differences of the density of looks. begins has the share of waits that begin in each millisecond.
	slope, begins := make(chances, size+low+width+2), make(chances, size)
	spread := func(at int, share float64) {
		slope[at+low] += share / float64(width)
		slope[at+low+width] -= share / float64(width)
	}
	begins[0] = 1
	density := 0.0
	for t := range size {
		if begins[t] > 0 {
			spread(t, begins[t])
		}
		density += slope[t]
		switch {
		case t >= n:
			out[t] = density
		case t+millis(trip) < size && trip > 0:
			begins[t+millis(trip)] += fails * density
		case density > 0:
			spread(t, fails*density)
		}
	}
	return out
}

// nextLook returns when the next look of a follower comes after an instant that has nothing to do with its looks. Two looks are a
// jittered retry and a round trip apart.
func nextLook(retry, trip time.Duration) chances {
	low := millis(retry + trip)
	width := int(math.Round(jitterFactor * float64(millis(retry))))
	out := make(chances, low+width)
	sum := 0.0
	for t := range out { // the share of gaps between looks that are longer than t
		out[t] = 1
		if t > low {
			out[t] = 1 - (float64(t-low)+0.5)/float64(width)
		}
		sum += out[t]
	}
	for t := range out {
		out[t] /= sum
	}
	return out
}

// evenly returns an instant that is equally likely anywhere between 0 and d.
func evenly(d time.Duration) chances {
	out := make(chances, millis(d))
	for t := range out {
		out[t] = 1 / float64(len(out))
	}
	return out
}

// plus returns the sum of two independent times.
func (c chances) plus(other chances) chances {
	out := make(chances, len(c)+len(other))
	for i, p := range c {
		if p == 0 {
			continue
		}
		for j, q := range other {
			out[i+j] += p * q
		}
	}
	return out
}

// back returns the mirror image of c, so that a sum with it is a difference; the result is at by milliseconds more.
func (c chances) back(by time.Duration) chances {
	out := make(chances, millis(by)+1)
	for t, p := range c {
		out[millis(by)-t] += p
	}
	return out
}

// after returns c, later by d; a negative d is earlier.
func (c chances) after(d time.Duration) chances {
	if d < 0 {
		return c[millis(-d):]
	}
	return append(make(chances, millis(d)), c...)
}

// least returns the lesser of two independent times, each distributed as c.
func (c chances) least() chances { return c.sooner(c) }

// sooner returns the lesser of two independent times.
func (c chances) sooner(other chances) chances {
	out := make(chances, min(len(c), len(other)))
	above, beyond := 1.0, 1.0
	for t := range out {
		out[t] = above*beyond - (above-c[t])*(beyond-other[t])
		above, beyond = above-c[t], beyond-other[t]
	}
	return out
}

// sum returns the probability that the time comes at all.
func (c chances) sum() float64 {
	sum := 0.0
	for _, p := range c {
		sum += p
	}
	return sum
}

// mean returns the mean in seconds. Times are on average half a millisecond more than the one that they count in.
func (c chances) mean() float64 {
	sum := 0.0
	for t, p := range c {
		sum += p * (float64(t) + 0.5)
	}
	return sum / 1000
}

// quantile returns the time below which that share is, in seconds.
func (c chances) quantile(share float64) float64 {
	for t, p := range c {
		if share -= p; share < 0 {
			return float64(t+1) / 1000
		}
	}
	return math.NaN()
}

// below returns the share of times that are less than d.
func (c chances) below(d time.Duration) float64 {
	sum := 0.0
	for _, p := range c[:min(len(c), millis(d))] {
		sum += p
	}
	return sum
}

// decayed returns the mean of exp(-rate t).
func (c chances) decayed(rate float64) float64 {
	sum := 0.0
	for t, p := range c {
		sum += p * math.Exp(-rate*(float64(t)+0.5)/1000)
	}
	return sum
}

// takeover returns the time from the last write of a leader that is gone until a follower works in its place. The follower sees the
// write at its next look, which is answered half a round trip after it has reached the service; it waits for the lease from there
// on; it reads, writes, and then works.
func takeover(lease, retry, trip time.Duration) chances {
	seen := nextLook(retry, trip)
	return seen.plus(firstFrom(lease, retry, trip)).after(trip/2 + 2*trip)
}
