package page

import (
	"cmp"
	"slices"
	"strconv"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/internal/axis"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// The measures of the chart as it stands without a script, in pixels. The script makes it as wide as there is room.
const (
	chartWidth  = 1200
	rightMargin = 16
	leastGutter = 184
	laneNames   = 74
	nameWidth   = 8.6
	axisHeight  = 30
	charWidth   = 6.4
)

// How many candidates have lanes of their own, and how many marks a lane has at most.
const (
	maxBlocks = 40
	maxMarks  = 400
)

// chart is the picture: an axis, and blocks of lanes below it.
type chart struct {
	// ID is before the ids of its parts where a page has several charts; "" where it is the only one.
	ID                    string
	Width, Height, Gutter int
	Ticks                 []mark
	Blocks                []*block
	// Bands go through all blocks.
	Bands []mark
	// shown are the candidates with blocks of their own; Others is how many have none.
	shown  []int32
	Others int
	// condensed tells that marks were joined; left is how many violations are not drawn.
	condensed bool
	left      int
	// color is, by candidate, which color its name has in the record; -1 for none.
	color []int
}

// PlotWidth is how wide the part with the time is.
func (c *chart) PlotWidth() int { return c.Width - c.Gutter }

// LaneX is where the lanes' names end.
func (c *chart) LaneX() int { return c.Gutter - 10 }

// block is some lanes under one name.
type block struct {
	Kind string
	// Candidate is an index into the page's data, -1 for none.
	Candidate int
	Name      string
	Y, Height int
	Lanes     []laneLabel
	Marks     []mark
	// Requests is the lane of the requests, nil where there is none.
	Requests *requestLane
	// Clock is the line of a clock's error, as instants and heights; Drawn the same as a path.
	Clock, Drawn, ClockTitle string
}

// NameY returns the vertical position of the block's name: that of the first lane that is not the one of faults.
func (b *block) NameY() int {
	i := slices.IndexFunc(b.Lanes, func(l laneLabel) bool { return l.Text != "faults" })
	return b.Lanes[max(i, 0)].Y
}

type laneLabel struct {
	Y    int
	Text string
}

// chart lays out the whole chart: the axis, all blocks one below the other, and the bands across them.
func (p *Page) chart(r *scenarios.Result) *chart {
	c := &chart{Width: chartWidth, shown: p.Choose(r, maxBlocks)}
	c.Gutter = p.widestName(c.shown)
	p.gutter = float64(c.Gutter)
	c.Others = len(p.Candidates) - len(c.shown)
	p.colors(c)
	p.ticks(c)
	y := axisHeight
	add := func(b *block) {
		if b != nil {
			b.Y = y
			y += b.Height
			c.Blocks = append(c.Blocks, b)
		}
	}
	add(p.violationBlock(c, r))
	for i := range p.Records {
		add(p.recordBlock(c, &p.Records[i], p.versions[i]))
	}
	add(p.faultBlock(c))
	for _, i := range c.shown {
		add(p.candidateBlock(c, r, i))
	}
	add(p.othersBlock(c))
	add(p.densityBlock(c))
	c.Height = y + 8
	p.bands(c, r)
	return c
}

// widestName returns the width in pixels that the chart needs left of its plot, for the names of shown candidates,
// records and lanes.
func (p *Page) widestName(shown []int32) int {
	widest := leastGutter
	fit := func(name string) {
		columns := 0
		for _, r := range words.Visible(name, words.MaxLabel) {
			if columns++; r >= firstWide {
				columns++
			}
		}
		widest = max(widest, int(nameWidth*float64(columns))+laneNames)
	}
	for _, i := range shown {
		fit(p.Header.Candidates[i].Name())
	}
	for i := range p.Records {
		fit(p.Records[i].Title())
	}
	return widest
}

// firstWide is where the scripts begin whose letters are twice as wide as others.
const firstWide = 0x1100

// colors gives each candidate that ever led one of eight colors, in turn.
func (p *Page) colors(c *chart) {
	const different = 8
	next := 0
	c.color = make([]int, len(p.Candidates))
	for i := range c.color {
		c.color[i] = -1
		if p.Candidates[i].Led() {
			c.color[i] = next % different
			next++
		}
	}
}

// colorClass returns the CSS class of a candidate's color, behind a blank; "" if it has no color.
func (c *chart) colorClass(candidate int32) string {
	if candidate == trace.Nobody || c.color[candidate] < 0 {
		return ""
	}
	return " c" + strconv.Itoa(c.color[candidate])
}

// ticks adds the labelled instants of the axis: the multiples of the shortest round time that leaves room for the
// labels.
func (p *Page) ticks(c *chart) {
	horizon := int64(p.Header.Horizon)
	for at := range axis.Multiples(axis.Step(1, horizon, 12), horizon) {
		c.Ticks = append(c.Ticks, mark{A: at, B: at, X: tenth(p.x(at)), Label: words.Duration(at)})
	}
}

// bands adds what is drawn across all blocks: the fault windows that are on everybody, and the overlaps of work.
func (p *Page) bands(c *chart, r *scenarios.Result) {
	height := c.Height - axisHeight
	for i := range p.Faults {
		if o := &p.Faults[i]; o.Everybody && o.From != o.To && len(c.Bands) < maxMarks {
			c.Bands = append(c.Bands, p.mark("band", o.Span, axisHeight, height, ""))
		}
	}
	for _, v := range longestOf(reports.Violations(r, check.SingleWork)) {
		c.Bands = append(c.Bands, p.mark("band overlap-band", reports.Span{From: v.FromNs, To: v.ToNs}, axisHeight, height, ""))
	}
}

// longestOf returns the violations that a lane can show: all of them up to maxMarks, or else the longest ones, in order
// of time.
func longestOf(all []check.Violation) []check.Violation {
	if len(all) <= maxMarks {
		return all
	}
	some := slices.Clone(all)
	slices.SortStableFunc(some, func(a, b check.Violation) int {
		return cmp.Compare(b.ToNs-b.FromNs, a.ToNs-a.FromNs)
	})
	some = some[:maxMarks]
	slices.SortStableFunc(some, func(a, b check.Violation) int { return cmp.Compare(a.FromNs, b.FromNs) })
	return some
}
