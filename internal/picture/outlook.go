package picture

import (
	"fmt"
	"io"
	"math"

	"interregnum/internal/forecast/outlook"
)

// The colours of configurations that can overlap, and of those that nobody should choose; safe ones have that of the frontier.
const (
	unsafe = "#b3261e"
	beaten = "#9a9a9a"
)

// decades is how many powers of ten the axis of losses has at most.
const decades = 8

// Outlook draws configurations to w, by how often they lose the leadership and how long nobody leads then; form is "svg" or "png". The
// error comes from w, or says that there is no such form.
func Outlook(w io.Writer, all []outlook.Point, form string) error {
	c, err := newCanvas(form)
	if err != nil {
		return err
	}
	s := newOutlookScales(all)
	s.axes(c)
	for i := range all {
		s.point(c, &all[i])
	}
	c.text((left+right)/2, height-10, "middle", "blue: no overlap is possible; red: one is; grey: another is better in all; lines: 95 % intervals")
	return c.write(w)
}

// newCanvas returns an empty canvas for a form, "svg" or "png". It returns an error for any other form.
func newCanvas(form string) (canvas, error) {
	switch form {
	case "svg":
		return newSVG(), nil
	case "png":
		return newPNG(), nil
	}
	return nil, fmt.Errorf("picture %q: want svg or png", form)
}

// outlookScales are the axes. The horizontal one has the seconds without a leader, from 0 to x with a tick each step. The
// vertical one has the losses a month, in powers of ten: from 10^low to 10^high.
type outlookScales struct {
	x, step   float64
	low, high int
}

// newOutlookScales returns axes that reach up to the highest finite figures of the points. The axis of losses reaches down to the
// least that is above 0, but has at most eight powers of ten.
func newOutlookScales(all []outlook.Point) *outlookScales {
	s := &outlookScales{}
	least, most := math.Inf(1), 0.0
	for i := range all {
		p := &all[i]
		if !p.NoGap {
			s.x = max(s.x, p.GapP99.High)
		}
		for _, v := range []float64{p.Losses.Value, p.Losses.High} {
			if v > 0 && !math.IsInf(v, 1) {
				least, most = min(least, v), max(most, v)
			}
		}
	}
	s.step, s.x = rounded(s.x)
	if most == 0 {
		least, most = 0.1, 1
	}
	s.high = int(math.Ceil(math.Log10(most)))
	s.low = max(int(math.Floor(math.Log10(least))), s.high-decades)
	if s.low == s.high {
		s.low--
	}
	return s
}

// at returns the place in the picture, in pixels, of a number of seconds and a number of losses a month. Losses below the axis
// are placed at its lower end, and losses above it at its upper end.
func (s *outlookScales) at(seconds, losses float64) (x, y float64) {
	y = bottom
	if losses > 0 {
		share := (math.Log10(losses) - float64(s.low)) / float64(s.high-s.low)
		y = bottom - (bottom-top)*max(0, min(1, share))
	}
	return left + (right-left)*seconds/s.x, y
}

// axes draws both axes with their names, and a grid with a number at each line.
func (s *outlookScales) axes(c canvas) {
	c.text((left+right)/2, titleY, "middle", "How often leadership is lost, and for how long nobody leads")
	c.text(left, top-besideTick-nextTo, "start", "losses a month")
	c.text((left+right)/2, bottom+belowX, "middle", "99 % of the gaps are shorter than so many seconds")
	for i := 0; float64(i)*s.step <= s.x; i++ {
		x, _ := s.at(float64(i)*s.step, 0)
		c.line(x, top, x, bottom, grid)
		c.text(x, bottom+tickLength+nextTo, "middle", number(float64(i)*s.step))
	}
	for power := s.low; power <= s.high; power++ {
		_, y := s.at(0, math.Pow10(power))
		c.line(left, y, right, y, grid)
		c.text(left-besideTick, y+4, "end", fmt.Sprintf("%g", math.Pow10(power)))
	}
	c.line(left, bottom, right, bottom, ink)
	c.line(left, top, left, bottom, ink)
}

// point draws a configuration with its two intervals. It is grey if another configuration is better, otherwise red if it can
// overlap, otherwise blue. Its circle is filled if losses were seen, and a ring if not. A chosen configuration gets a second
// ring, and its timings beside it.
func (s *outlookScales) point(c canvas, p *outlook.Point) {
	color := frontier
	switch {
	case p.Worse:
		color = beaten
	case p.Overlap.High > 0:
		color = unsafe
	}
	gap := p.GapP99
	if p.NoGap {
		gap.Value, gap.Low, gap.High = 0, 0, 0
	}
	x, y := s.at(gap.Value, p.Losses.Value)
	fromX, fromY := s.at(gap.Low, p.Losses.Low)
	toX, toY := s.at(gap.High, p.Losses.High)
	c.line(fromX, y, toX, y, color)
	c.line(x, fromY, x, toY, color)
	c.circle(x, y, pointRadius, p.Losses.Value > 0, color)
	if !p.Chosen {
		return
	}
	c.circle(x, y, bestRadius, false, ink)
	anchor, beside := "start", float64(nextTo)
	if x > (left+right)/2 {
		anchor, beside = "end", -nextTo
	}
	c.text(x+beside, max(y-nextTo, top+nextTo), anchor, p.Name)
}
