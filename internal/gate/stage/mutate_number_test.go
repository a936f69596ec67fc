package stage

import (
	"math"
	"time"

	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// length varies a duration between nothing and most: a little, at any order of magnitude, or wholly.
func (r mutator) length(d, most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	switch r.IntN(6) {
	case 0:
		return 0
	case 1:
		return most
	case 2:
		return time.Duration(r.Int64N(int64(most) + 1))
	}
	step := time.Duration(math.Exp(r.Float64() * math.Log(float64(most))))
	if r.IntN(2) == 0 {
		step = -step
	}
	return min(max(d+step, 0), most)
}

func (r mutator) jitter(j float64) float64 {
	switch r.IntN(4) {
	case 0:
		return 0
	case 1:
		return r.Float64()
	}
	step := math.Exp(-20 * r.Float64())
	if r.IntN(2) == 0 {
		step = -step
	}
	return min(max(j+step, 0), 0.999999)
}

func (r mutator) drift(e *bound.Environment) int64 {
	return []int64{-e.MaxDriftPPM, e.MaxDriftPPM, 0}[r.IntN(3)]
}

func (r mutator) clock(e *bound.Environment) scenarios.Clock {
	if e.MaxClockOffset > 0 && r.IntN(2) == 0 {
		return scenarios.Clock{Offset: []time.Duration{0, e.MaxClockOffset}[r.IntN(2)]}
	}
	return scenarios.Clock{Offset: r.length(0, max(time.Second, e.MaxClockOffset)), DriftPPM: r.drift(e)}
}

func (r mutator) vary(c scenarios.Clock, e *bound.Environment) scenarios.Clock {
	if r.IntN(2) == 0 {
		c.DriftPPM = r.drift(e)
	} else {
		c.Offset = r.length(c.Offset, max(time.Second, e.MaxClockOffset))
	}
	return c
}
