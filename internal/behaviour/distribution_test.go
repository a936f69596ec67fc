package behaviour

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
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

// TestHistogram: between bounds values lie evenly; beyond the last one they go on as fast as the share of longer ones fell.
func TestHistogram(t *testing.T) {
	whole, err := Histogram([]Point{{0.5, time.Second}, {0.5, 2 * time.Second}, {1, 4 * time.Second}})
	require.NoError(t, err)
	for p, want := range map[float64]time.Duration{0: 0, 0.25: 500 * time.Millisecond, 0.5: 2 * time.Second, 0.75: 3 * time.Second} {
		assert.Equal(t, want, whole.At(p), p)
	}
	assert.InDelta(t, 0.25, whole.Above(3*time.Second), 1e-9)
	assert.Zero(t, whole.Above(4*time.Second))

	open, err := Histogram([]Point{{0.9, time.Second}, {0.99, 2 * time.Second}, {0.99, 5 * time.Second}})
	require.NoError(t, err)
	mean := 4 / math.Log(10) // a tenth is left over four seconds
	for _, p := range []float64{0.99, 0.995, 0.9999, 1 - 1e-12} {
		want := 5 + mean*math.Log(0.01/(1-p))
		assert.InDelta(t, want, open.At(p).Seconds(), 1e-3, p)
		assert.InEpsilon(t, 1-p, open.Above(open.At(p)), 1e-3, p)
	}
}

// TestHistogramsAgree: any histogram rises, and Above is what At leaves.
func TestHistogramsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var points []Point
		p, v := 0.0, time.Duration(0)
		for range rapid.IntRange(1, 6).Draw(t, "points") {
			p += (1 - p) * rapid.SampledFrom([]float64{0, 0.1, 0.5, 0.9, 1}).Draw(t, "share")
			v += time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "width"))
			points = append(points, Point{p, v})
		}
		d, err := Histogram(points)
		if p == 0 {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		limit := time.Duration(rapid.Int64Range(0, int64(2*v)).Draw(t, "limit"))
		above, before, count := 0, time.Duration(0), 2000
		for i := range count {
			x := d.At((float64(i) + 0.5) / float64(count))
			require.GreaterOrEqual(t, x, before)
			if before = x; x > limit {
				above++
			}
		}
		require.InDelta(t, float64(above)/float64(count), d.Above(limit), 1e-3)
	})
}

func TestHistogramsRefused(t *testing.T) {
	for name, points := range map[string][]Point{
		"none": nil, "only 0": {{0, 1}}, "falling share": {{0.5, 1}, {0.4, 2}}, "falling value": {{0.5, 2}, {0.9, 1}}, "above 1": {{1.1, 1}},
		"negative": {{0.5, -1}, {1, 2}},
	} {
		_, err := Histogram(points)
		assert.Error(t, err, name)
	}
}
