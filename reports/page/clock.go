package page

import (
	"math"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// clockLine is how far a candidate's wall clock is ahead of true time, as a line through points. A jump has two points at
// one instant. rate is the drift after the last point, in parts per million.
type clockLine struct {
	points []clockPoint
	rate   int64
}

// clockPoint is an instant, and how far a wall clock is ahead of true time then; both are in nanoseconds.
type clockPoint struct{ at, ahead int64 }

// maxClockPoints is how many points a page draws of one clock.
const maxClockPoints = 400

// start begins the line with the clock's offset and drift at the start of the run.
func (c *clockLine) start(clock scenarios.Clock) {
	c.points = []clockPoint{{0, int64(clock.Offset)}}
	c.rate = clock.DriftPPM
}

// change adds to the line the jump of the clock, or its new drift, that e reports. The line must have been started.
func (c *clockLine) change(e *trace.Event) {
	c.reach(e.At)
	c.points = append(c.points, clockPoint{e.At, c.points[len(c.points)-1].ahead + e.Amount})
	c.rate = int64(e.Rate)
}

// reach adds to the line the point at the instant at, to which the clock comes with its present drift.
func (c *clockLine) reach(at int64) {
	last := c.points[len(c.points)-1]
	drift := float64(at-last.at) * float64(c.rate) / 1e6
	c.points = append(c.points, clockPoint{at, last.ahead + int64(math.Round(drift))})
}

// line returns the last maxClockPoints points of the line up to the horizon, and the largest error of the whole line, with its
// sign. Both are in nanoseconds. It returns nil and 0 if the clock is always right.
func (c *clockLine) line(horizon int64) (points []clockPoint, most int64) {
	whole := clockLine{points: append([]clockPoint(nil), c.points...), rate: c.rate}
	whole.reach(horizon)
	for _, p := range whole.points {
		if abs(p.ahead) > abs(most) {
			most = p.ahead
		}
	}
	if most == 0 {
		return nil, 0
	}
	if n := len(whole.points); n > maxClockPoints {
		whole.points = whole.points[n-maxClockPoints:]
	}
	return whole.points, most
}

// abs returns n without its sign.
func abs(n int64) int64 { return max(n, -n) }
