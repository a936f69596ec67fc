package page

import (
	"math"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// clockLine is how far a candidate's wall clock is ahead of true time: straight between points, with two points at
// one instant for a jump.
type clockLine struct {
	points []clockPoint
	rate   int64
}

type clockPoint struct{ at, ahead int64 }

// maxClockPoints is how many points a page draws of one clock.
const maxClockPoints = 400

// start begins the line with the offset and the drift that the clock has at first.
func (c *clockLine) start(clock scenarios.Clock) {
	c.points = []clockPoint{{0, int64(clock.Offset)}}
	c.rate = clock.DriftPPM
}

// change takes in an event by which the clock jumps or gets another drift.
func (c *clockLine) change(e *trace.Event) {
	c.reach(e.At)
	c.points = append(c.points, clockPoint{e.At, c.points[len(c.points)-1].ahead + e.Amount})
	c.rate = int64(e.Rate)
}

// reach adds the point at an instant to which the clock has come with its present drift.
func (c *clockLine) reach(at int64) {
	last := c.points[len(c.points)-1]
	drift := float64(at-last.at) * float64(c.rate) / 1e6
	c.points = append(c.points, clockPoint{at, last.ahead + int64(math.Round(drift))})
}

// line returns the points up to the horizon, the last maxClockPoints of them, and the largest error with its sign; nil
// where the clock is always right.
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

func abs(n int64) int64 { return max(n, -n) }
