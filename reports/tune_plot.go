package reports

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	// The forms that a picture can have.
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgsvg"

	"interregnum/internal/gate"
)

// The size of the picture, and its one colour.
const (
	frontierWidth, frontierHeight = 20 * vg.Centimeter, 13 * vg.Centimeter
	bestRadius                    = vg.Length(5)
)

var frontierColor = color.RGBA{R: 0x1f, G: 0x5f, B: 0xa8, A: 0xff}

// TunePlot draws the frontier, as "svg" or "png". Each step is a configuration: it tolerates every outage up to its
// right end.
func TunePlot(w io.Writer, t *gate.Tuning, form string) error {
	p := plot.New()
	p.Title.Text = "Worst failover against tolerated outage, " + t.Wish.Config.Profile.Name
	p.Title.Padding = vg.Points(8)
	p.X.Label.Text = "tolerated outage of the lock service, seconds"
	p.Y.Label.Text = "worst failover, seconds"
	p.X.Min, p.Y.Min = 0, 0
	p.Add(plotter.NewGrid())
	if err := addFrontier(p, t); err != nil {
		return err
	}
	picture, err := p.WriterTo(frontierWidth, frontierHeight, form)
	if err != nil {
		return err
	}
	_, err = picture.WriteTo(w)
	return err
}

// addFrontier adds the steps, and the configuration that was found.
func addFrontier(p *plot.Plot, t *gate.Tuning) error {
	points := make(plotter.XYs, 0, len(t.Frontier)+1)
	for i := range t.Frontier {
		f := &t.Frontier[i]
		if i == 0 {
			points = append(points, plotter.XY{X: 0, Y: f.Failover.Seconds()})
		}
		points = append(points, plotter.XY{X: f.Outage.Seconds(), Y: f.Failover.Seconds()})
	}
	if len(points) == 0 {
		return nil
	}
	line, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.StepStyle = plotter.PreStep
	line.Color, marks.Color, marks.Shape = frontierColor, frontierColor, draw.CircleGlyph{}
	p.Add(line, marks)
	if t.Best == nil {
		return nil
	}
	best := plotter.XYs{{X: t.Best.Outage.Seconds(), Y: t.Best.Failover.Seconds()}}
	c := &t.Best.Config
	mark, err := plotter.NewScatter(best)
	if err != nil {
		return err
	}
	mark.Color, mark.Shape, mark.Radius = color.Black, draw.RingGlyph{}, bestRadius
	label, err := plotter.NewLabels(plotter.XYLabels{XYs: best, Labels: []string{fmt.Sprintf("%s/%s/%s, timeout %s",
		span64(c.LeaseDuration), span64(c.RenewDeadline), span64(c.RetryPeriod), timeoutText(c.RequestTimeout))}})
	if err != nil {
		return err
	}
	label.Offset = vg.Point{X: vg.Points(8), Y: vg.Points(-12)}
	p.Add(mark, label)
	return nil
}
