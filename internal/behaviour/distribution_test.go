package behaviour

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPercentilesOfOneValueAreExponential(t *testing.T) {
	d, err := Percentiles([]Point{{0.99, 800 * time.Millisecond}}, 0)
	require.NoError(t, err)
	mean := 0.8 / math.Log(100)
	for _, p := range []float64{0, 0.5, 0.9, 0.99, 0.9999} {
		assert.InDelta(t, -mean*math.Log(1-p), d.At(p).Seconds(), 1e-6)
	}
	assert.InEpsilon(t, math.Exp(-2/mean), d.Above(2*time.Second), 1e-3)
	assert.InDelta(t, mean, d.Mean().Seconds(), 1e-3)
}

func TestAboveAgreesWithAt(t *testing.T) {
	for name, d := range map[string]Distribution{
		"constant": Constant(time.Second), "uniform": Uniform(time.Second, 3*time.Second),
		"samples": Samples([]time.Duration{time.Second, time.Second, 5 * time.Second}), "zero": {},
	} {
		for _, v := range []time.Duration{0, time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second} {
			above := 0
			for i := range 1000 {
				if d.At((float64(i)+0.5)/1000) > v {
					above++
				}
			}
			assert.InDelta(t, float64(above)/1000, d.Above(v), 1e-3, "%s above %v", name, v)
		}
	}
}

func TestPercentilesRefused(t *testing.T) {
	for name, points := range map[string][]Point{
		"none": nil, "only 0": {{0, 1}}, "falling": {{0.5, 2}, {0.9, 1}}, "100": {{1, 1}}, "twice": {{0.5, 1}, {0.5, 1}},
	} {
		_, err := Percentiles(points, 0)
		assert.Error(t, err, name)
	}
	_, err := Percentiles([]Point{{0.5, 2}}, 1)
	assert.ErrorContains(t, err, "above the maximum")
}
