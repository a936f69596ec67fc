package behaviour

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"
)

// Point says that the share P of all values, 0 to 1, is at most Value.
type Point struct {
	P     float64
	Value time.Duration
}

// Distribution says how long something takes, each time independently. In the zero value it always takes no time.
type Distribution struct {
	// points are in ascending order of P and of Value. The first has P 0.
	points []Point
	// scaled has -ln(1-P) of each point if, between two points and beyond the last, values are distributed exponentially. It is nil
	// if they are distributed uniformly.
	scaled []float64
	// tail is for values beyond the last point: they exceed it by an exponential distribution with this mean, in nanoseconds. If
	// it is 0, they go on as between the last two points.
	tail float64
	// longest cuts all values that are longer; 0 cuts none.
	longest time.Duration
}

// Constant returns the distribution in which each value is d.
func Constant(d time.Duration) Distribution {
	return Distribution{points: []Point{{0, d}, {1, d}}}
}

// Uniform returns the distribution whose values are spread evenly from least to most. The least value must not be above the most.
func Uniform(least, most time.Duration) Distribution {
	return Distribution{points: []Point{{0, least}, {1, most}}}
}

// Exponential returns the exponential distribution with that mean.
func Exponential(mean time.Duration) Distribution {
	return exponential([]Point{{0, 0}, {1 - 1/math.E, mean}}, 0)
}

// Percentiles returns the distribution with those points, which must be in ascending order of P; Value must not fall. Each P must
// be above 0 and below 1, but the first can be 0, and at least one must be above 0. It returns an error if the points are not
// like that, or if longest is below the last value.
//
// Between two points values are distributed exponentially, so that the chance that a waiting request is answered in the next
// moment stays the same. If the first P is above 0, a point of P 0 and value 0 is added. Beyond the last point the tail goes on
// as between the last two, up to longest; 0 is no limit. It can keep points.
func Percentiles(points []Point, longest time.Duration) (Distribution, error) {
	if len(points) == 0 || points[len(points)-1].P == 0 {
		return Distribution{}, fmt.Errorf("want a percentile at least")
	}
	if points[0].P > 0 {
		points = slices.Insert(slices.Clone(points), 0, Point{})
	}
	for i, p := range points {
		switch {
		case p.Value < 0 || p.P < 0 || p.P >= 1:
			return Distribution{}, fmt.Errorf("want percentiles from 0 to below 100, of 0s at least")
		case i > 0 && (p.P <= points[i-1].P || p.Value < points[i-1].Value):
			return Distribution{}, fmt.Errorf("p%g is %v, after p%g of %v: want percentiles that do not fall",
				100*p.P, p.Value, 100*points[i-1].P, points[i-1].Value)
		}
	}
	if last := points[len(points)-1]; longest > 0 && longest < last.Value {
		return Distribution{}, fmt.Errorf("p%g is %v, above the maximum of %v", 100*last.P, last.Value, longest)
	}
	return exponential(points, longest), nil
}

// exponential returns the distribution with those points, between which values are distributed exponentially. It keeps points.
func exponential(points []Point, longest time.Duration) Distribution {
	d := Distribution{points: points, scaled: make([]float64, len(points)), longest: longest}
	for i, p := range points {
		d.scaled[i] = -math.Log1p(-p.P)
	}
	return d
}

// Samples returns the distribution that draws one of the values, each with the same probability. There must be at least one
// value.
func Samples(values []time.Duration) Distribution {
	values = slices.Clone(values)
	slices.Sort(values)
	points := make([]Point, 0, 2*len(values))
	for i, v := range values {
		n := float64(len(values))
		points = append(points, Point{float64(i) / n, v}, Point{float64(i+1) / n, v})
	}
	return Distribution{points: points}
}

// Histogram returns the distribution with those points, between which values are spread evenly. The points must be in ascending
// order of Value, P must not fall, and the last P must be above 0. It returns an error if they are not like that. If the first P
// is above 0, values below its point begin at 0. If the last P is below 1, the values beyond it are unknown. They are assumed to
// go on exponentially, at the rate of the last two points that differ in P. It can keep points.
func Histogram(points []Point) (Distribution, error) {
	if len(points) == 0 || points[len(points)-1].P == 0 {
		return Distribution{}, errors.New("want a value at least below the last bound")
	}
	if points[0].P > 0 {
		points = slices.Insert(slices.Clone(points), 0, Point{})
	}
	for i, p := range points {
		switch {
		case p.Value < 0 || p.P < 0 || p.P > 1:
			return Distribution{}, errors.New("want shares from 0 to 1, of values of 0s at least")
		case i > 0 && (p.P < points[i-1].P || p.Value < points[i-1].Value):
			return Distribution{}, fmt.Errorf("the share %g up to %v comes after %g up to %v: want neither to fall",
				p.P, p.Value, points[i-1].P, points[i-1].Value)
		}
	}
	return Distribution{points: points, tail: tailOf(points)}, nil
}

// tailOf returns Distribution.tail for these points: by how much values beyond the last point exceed it on average, in
// nanoseconds; 0 if there are none.
func tailOf(points []Point) float64 {
	last := points[len(points)-1]
	if last.P == 1 {
		return 0
	}
	before := last
	for i := len(points) - 1; i >= 0 && before.P == last.P; i-- {
		before = points[i]
	}
	return float64(last.Value-before.Value) / math.Log((1-before.P)/(1-last.P))
}

// At returns the quantile of p: the value below which the share p of all values lies. p must be from 0 to below 1. In the zero
// Distribution it is 0; without a longest value it is ten years at most.
func (d *Distribution) At(p float64) time.Duration {
	n := len(d.points)
	if n == 0 {
		return 0
	}
	after := sort.Search(n, func(i int) bool { return d.points[i].P > p })
	if last := d.points[n-1]; after == n && d.tail > 0 {
		return cut(float64(last.Value)+d.tail*math.Log((1-last.P)/(1-p)), d.longest)
	}
	after = min(max(after, 1), n-1)
	from, to := d.points[after-1], d.points[after]
	value := float64(from.Value)
	if to.Value > from.Value {
		x, x0, x1 := p, from.P, to.P
		if d.scaled != nil {
			x, x0, x1 = -math.Log1p(-p), d.scaled[after-1], d.scaled[after]
		}
		value += (x - x0) / (x1 - x0) * float64(to.Value-from.Value)
	}
	return cut(value, d.longest)
}

// cut returns a value in nanoseconds as a duration, at most longest. If longest is 0, it is at most ten years.
func cut(value float64, longest time.Duration) time.Duration {
	return time.Duration(min(value, float64(cmp.Or(longest, 10*365*24*time.Hour))))
}

// Above returns the share of values that are longer than v. It agrees with At, to within the precision of a float64: At(p) is
// longer than v exactly if p is more than 1 - Above(v).
func (d *Distribution) Above(v time.Duration) float64 {
	below, above := 0.0, 1.0
	if d.At(0) > v {
		return 1
	}
	for range 60 {
		if p := (below + above) / 2; p < 1 && d.At(p) > v {
			above = p
		} else {
			below = p
		}
	}
	return 1 - above
}

// Mean returns the mean, computed as the average of many quantiles.
func (d *Distribution) Mean() time.Duration {
	const parts = 4096
	sum := 0.0
	for i := range parts {
		sum += float64(d.At((float64(i) + 0.5) / parts))
	}
	return time.Duration(sum / parts)
}
