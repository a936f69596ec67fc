// Package picture draws what simulate tune has found, as SVG or PNG. It is apart from package reports, so that a test
// that writes a report links nothing that draws.
package picture

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"interregnum/internal/gate"
)

// The size of the picture, and the place of the axes in it, in pixels.
const (
	width, height       = 800, 520
	left, right         = 70, 770
	top, bottom         = 60, 450
	tickLength          = 5
	pointRadius         = 4
	bestRadius          = 8
	mostTicks           = 10
	titleY, belowX      = 24, 40
	besideTick, nextTo  = 8, 12
	frontier, ink, grid = "#1f5fa8", "#000000", "#d8d8d8"
)

// canvas is what a picture is drawn on. All its coordinates are pixels from the upper left corner. An anchor says which part of a
// text is at x: "start", "middle" or "end"; its baseline is at y.
type canvas interface {
	line(x1, y1, x2, y2 float64, color string)
	circle(x, y, radius float64, filled bool, color string)
	text(x, y float64, anchor, text string)
	write(w io.Writer) error
}

// Frontier draws the frontier of a tuning to w; form is "svg" or "png". Each step is a configuration: it tolerates every
// outage up to its right end. The error comes from w, or says that there is no such form.
func Frontier(w io.Writer, t *gate.Tuning, form string) error {
	c, err := newCanvas(form)
	if err != nil {
		return err
	}
	s := newScales(t)
	s.drawAxes(c, t)
	s.drawSteps(c, t)
	s.drawBest(c, t)
	return c.write(w)
}

// scales are the two axes, in seconds: the outage to the right, and the failover upwards.
type scales struct {
	x, y         float64 // where they end
	stepX, stepY float64 // from tick to tick
}

// newScales returns scales that reach from 0 to the highest outage and failover of the frontier and the best choice,
// rounded up.
func newScales(t *gate.Tuning) *scales {
	var s scales
	for i := range t.Frontier {
		s.x = max(s.x, t.Frontier[i].Outage.Seconds())
		s.y = max(s.y, t.Frontier[i].Failover.Seconds())
	}
	if t.Best != nil {
		s.x, s.y = max(s.x, t.Best.Outage.Seconds()), max(s.y, t.Best.Failover.Seconds())
	}
	s.stepX, s.x = rounded(s.x)
	s.stepY, s.y = rounded(s.y)
	return &s
}

// rounded returns, for an axis that has to reach from 0 to most, a round step from tick to tick and the end of the axis. There are
// at most mostTicks steps. Both results are 1 if most is 0 or below.
func rounded(most float64) (step, end float64) {
	if most <= 0 {
		return 1, 1
	}
	step = math.Pow(10, math.Floor(math.Log10(most/mostTicks)))
	for _, factor := range []float64{2, 2.5, 2} {
		if most/step <= mostTicks {
			break
		}
		step *= factor
	}
	return step, step * math.Ceil(most/step)
}

// at returns the place in the picture, in pixels, of an outage and a failover.
func (s *scales) at(outage, failover time.Duration) (x, y float64) {
	return left + (right-left)*outage.Seconds()/s.x, bottom - (bottom-top)*failover.Seconds()/s.y
}

// drawAxes draws the title, both axes with their names, and a grid with a number at each line.
func (s *scales) drawAxes(c canvas, t *gate.Tuning) {
	c.text((left+right)/2, titleY, "middle",
		"Worst failover against tolerated outage, "+t.Wish.Config.Profile.Name)
	c.text(left, top-besideTick-nextTo, "middle", "worst failover, seconds")
	c.text((left+right)/2, bottom+belowX, "middle", "tolerated outage of the lock service, seconds")
	for i := 0; float64(i)*s.stepX <= s.x; i++ {
		x := left + (right-left)*float64(i)*s.stepX/s.x
		c.line(x, top, x, bottom, grid)
		c.line(x, bottom, x, bottom+tickLength, ink)
		c.text(x, bottom+tickLength+nextTo, "middle", number(float64(i)*s.stepX))
	}
	for i := 0; float64(i)*s.stepY <= s.y; i++ {
		y := bottom - (bottom-top)*float64(i)*s.stepY/s.y
		c.line(left, y, right, y, grid)
		c.line(left-tickLength, y, left, y, ink)
		c.text(left-besideTick, y+4, "end", number(float64(i)*s.stepY))
	}
	c.line(left, bottom, right, bottom, ink)
	c.line(left, top, left, bottom, ink)
}

// number returns a number of seconds as text, rounded to nanoseconds, so that it is without the digits that come from binary
// fractions.
func number(seconds float64) string {
	return strconv.FormatFloat(math.Round(seconds*1e9)/1e9, 'f', -1, 64)
}

// drawSteps draws the frontier as a staircase, with a circle at each of its choices.
func (s *scales) drawSteps(c canvas, t *gate.Tuning) {
	var fromX, fromY float64
	for i := range t.Frontier {
		x, y := s.at(t.Frontier[i].Outage, t.Frontier[i].Failover)
		if i == 0 {
			fromX, fromY = left, y
		}
		c.line(fromX, fromY, fromX, y, frontier)
		c.line(fromX, y, x, y, frontier)
		c.circle(x, y, pointRadius, true, frontier)
		fromX, fromY = x, y
	}
}

// drawBest draws a ring around the best choice of the tuning, and writes its timings beside it. It draws nothing if
// there is none.
func (s *scales) drawBest(c canvas, t *gate.Tuning) {
	if t.Best == nil {
		return
	}
	x, y := s.at(t.Best.Outage, t.Best.Failover)
	c.circle(x, y, bestRadius, false, ink)
	b := &t.Best.Config
	timeout := "none"
	if b.RequestTimeout > 0 {
		timeout = b.RequestTimeout.String()
	}
	anchor, beside := "start", float64(nextTo)
	if x > (left+right)/2 {
		anchor, beside = "end", -nextTo
	}
	c.text(x+beside, y+2*nextTo, anchor,
		fmt.Sprintf("%v/%v/%v, timeout %s", b.LeaseDuration, b.RenewDeadline, b.RetryPeriod, timeout))
}
