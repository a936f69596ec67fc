package forecast

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRanks: with few values nothing is above the 99th percentile for sure, from 368 on the longest is; intervals contain the
// quantile in 95 to 100 of 100 draws.
func TestRanks(t *testing.T) {
	_, high := ranks(367, 0.99)
	assert.Greater(t, high, 1.0)
	_, high = ranks(368, 0.99)
	assert.Less(t, high, 1.0)
	low, high := ranks(1, 0.5)
	assert.Zero(t, low)
	assert.Greater(t, high, 1.0)
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{3, 12, 40, 400, 1999, 2001} {
		for _, p := range []float64{0.5, 0.99} {
			const draws = 2000
			low, high := ranks(n, p)
			misses := 0
			for range draws {
				values := make([]float64, n)
				for i := range values {
					values[i] = r.Float64() // whose quantile of p is p
				}
				slices.Sort(values)
				at := func(share, beyond float64) float64 {
					if share <= 0 || share >= 1 {
						return beyond
					}
					return values[int(share*float64(n))]
				}
				if at(low, 0) > p || at(high, math.Inf(1)) < p {
					misses++
				}
			}
			assert.Less(t, misses, draws*6/100, "%d values, p = %v", n, p)
		}
	}
}

// TestGapsOfFew: of few gaps the 99th percentile has no upper bound, also if one of many weighs as much as all others.
func TestGapsOfFew(t *testing.T) {
	s := sample{stratum: &stratum{rate: 1}}
	for i := range 40 {
		s.add(&outcome{gaps: []gap{{1, float64(i)}}})
	}
	g := gapsOf([]*sample{&s})
	assert.Equal(t, math.Inf(1), g.P99.High)
	assert.InDelta(t, 20, g.P50.Value, 1)
	assert.InDelta(t, 14, g.P50.Low, 2)
	assert.InDelta(t, 26, g.P50.High, 2)
	for i := range 960 {
		s.add(&outcome{gaps: []gap{{1, float64(i % 40)}}})
	}
	assert.Equal(t, 39.0, gapsOf([]*sample{&s}).P99.High)
	s.add(&outcome{gaps: []gap{{1000, 20}}})
	assert.Equal(t, math.Inf(1), gapsOf([]*sample{&s}).P99.High)
}
