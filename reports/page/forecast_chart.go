package page

import (
	"fmt"
	"math"
	"strings"
	"time"

	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
	"interregnum/reports/internal/axis"
	"interregnum/reports/internal/words"
)

// The measures of the charts of forecasts in pixels: narrow enough for a telephone.
const (
	figureWidth, figureHeight = 440, 270
	figureLeft, figureRight   = 48, 14
	figureTop, figureBottom   = 16, 42
	mostDecades               = 8
)

// figure is the frame of a chart, with an axis of times below it.
type figure struct {
	Width, Height, Base int
	Ticks               []tick
}

// newFigure returns a frame whose axis of times ends at end, in nanoseconds; it must be positive.
func newFigure(end int64) figure {
	f := figure{Width: figureWidth, Height: figureHeight, Base: figureHeight - figureBottom}
	for at := range axis.Multiples(axis.Step(time.Millisecond, end, 6), end) {
		f.Ticks = append(f.Ticks, tick{f.x(float64(at) / float64(end)), words.Duration(at)})
	}
	return f
}

// x returns the horizontal position of a share (0 to 1) of the axis of times.
func (figure) x(share float64) px {
	return tenth(figureLeft + (figureWidth-figureLeft-figureRight)*share)
}

// y returns the vertical position of a share (0 to 1) of the height, from the axis upwards.
func (figure) y(share float64) px {
	return tenth(figureHeight - figureBottom - (figureHeight-figureTop-figureBottom)*share)
}

// gapCurves is a chart with a curve for all gaps, and one for each cause: up to each time, the share of the gaps that are
// shorter.
type gapCurves struct {
	figure
	Shares []tick
	Curves []gapCurve
}

// gapCurve is the curve of one cause. Class is its colour.
type gapCurve struct{ Name, Path, Class string }

// newGapCurves returns the curves of a forecast: one for all gaps and, if there are several causes, one for each cause of which a
// gap was seen. It returns nil if no gap was seen.
func newGapCurves(f *forecast.Forecast) *gapCurves {
	if f.Gaps.Seen == 0 {
		return nil
	}
	longest := 0.0
	named := []forecast.Cause{{Name: "all", Gaps: f.Gaps}}
	if len(f.Causes) > 1 {
		named = append(named, f.Causes...)
	}
	for i := range named {
		if p := named[i].Gaps.Percentiles; len(p) > 0 {
			longest = max(longest, p[len(p)-1])
		}
	}
	end := int64(max(1, longest*1e9))
	g := &gapCurves{figure: newFigure(end)}
	for _, percent := range []int{0, 50, 99} {
		g.Shares = append(g.Shares, tick{g.y(float64(percent) / 100), fmt.Sprintf("%d %%", percent)})
	}
	for i := range named {
		if c := &named[i]; c.Gaps.Seen > 0 {
			g.Curves = append(g.Curves, gapCurve{c.Name, g.path(c.Gaps.Percentiles, float64(end)/1e9), fmt.Sprintf("g%d", i%9)})
		}
	}
	return g
}

// path returns the SVG path of a curve, in steps. percentiles are the first, second and so on percentile, in seconds; there must be
// at least one. end is where the axis of times ends, in seconds.
func (g *gapCurves) path(percentiles []float64, end float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%v,%v", g.x(percentiles[0]/end), g.y(0))
	for i, seconds := range percentiles {
		fmt.Fprintf(&b, "H%vV%v", g.x(seconds/end), g.y(float64(i+1)/100))
	}
	return b.String()
}

// cloud is a chart of configurations, each a point by its losses and its gaps.
type cloud struct {
	figure
	Losses []tick
	Points []cloudPoint
}

// cloudPoint is one configuration: its place, and that of the ends of its intervals.
type cloudPoint struct {
	X, Y, Left, Right, Up, Down px
	Class, Name, Title          string
	// Number stands beside it, at NameX, and before its name in the list below. Anchor is the end of the number that is there.
	Number int
	NameX  px
	Anchor string
}

// newCloud returns a chart with a point for each configuration with which a gap was seen. all are the configurations. It returns
// nil if there are no such configurations, or if none of them has losses.
func newCloud(all []outlook.Point) *cloud {
	longest, least, most := 0.0, math.Inf(1), 0.0
	for i := range all {
		p := &all[i]
		if p.NoGap {
			continue
		}
		longest = max(longest, p.GapP99.Value)
		if !math.IsInf(p.GapP99.High, 1) {
			longest = max(longest, p.GapP99.High)
		}
		if p.Losses.Value > 0 {
			least, most = min(least, p.Losses.Value), max(most, p.Losses.High)
		}
	}
	if longest == 0 || most == 0 {
		return nil
	}
	high := math.Ceil(math.Log10(most))
	low := min(high-1, max(math.Floor(math.Log10(least)), high-mostDecades))
	end := int64(longest * 1.02e9)
	c := &cloud{figure: newFigure(end)}
	y := func(losses float64) px {
		return c.y(max(0, min(1, (math.Log10(max(losses, 1e-300))-low)/(high-low))))
	}
	for power := low; power <= high; power++ {
		c.Losses = append(c.Losses, tick{y(math.Pow(10, power)), words.Significant(math.Pow(10, power), 3)})
	}
	x := func(seconds float64) px { return c.x(min(1, seconds*1e9/float64(end))) } // what has no bound reaches to the end
	for i := range all {
		if p := &all[i]; !p.NoGap {
			c.Points = append(c.Points, newCloudPoint(p, x, y))
			c.Points[len(c.Points)-1].Number = i + 1
		}
	}
	return c
}

// newCloudPoint returns one configuration of the picture, without its number. x gives the place of seconds, y that of losses.
func newCloudPoint(p *outlook.Point, x, y func(float64) px) cloudPoint {
	one := cloudPoint{
		X: x(p.GapP99.Value), Y: y(p.Losses.Value), Left: x(p.GapP99.Low), Right: x(p.GapP99.High), Up: y(p.Losses.High), Down: y(p.Losses.Low),
		Class: "safe", Name: p.Name, Anchor: "start",
		Title: fmt.Sprintf("%s: %s requests a second", p.Name, words.Significant(p.Requests.Value, 3)),
	}
	switch {
	case p.Worse:
		one.Class = "beaten"
	case p.Overlap.High > 0:
		one.Class = "unsafe"
	}
	if one.NameX = one.X + 5; one.X > figureWidth/2 {
		one.NameX, one.Anchor = one.X-5, "end"
	}
	return one
}
