package page

import (
	"cmp"

	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/internal/axis"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// chart draws the chart of a run that is over, width pixels wide. From top to bottom it has the axis, then blocks for violations,
// records, faults, up to maxBlocks candidates, all other candidates together and the number of requests, with bands across all
// blocks. In a chart of narrowWidth the names of blocks are above them, otherwise left of them. chart first removes requests if
// there are too many for a page, and sets p.width and p.gutter.
func (p *Page) chart(r *scenarios.Result, width int) *chart {
	p.requests.finish(len(p.Candidates))
	c := &chart{Width: width, Narrow: width == narrowWidth, shown: p.Choose(r, maxBlocks)}
	c.Gutter = p.widestName(c.shown)
	if c.Narrow {
		c.Gutter = narrowGutter
	}
	p.width, p.gutter = float64(width), float64(c.Gutter)
	c.Others = len(p.Candidates) - len(c.shown)
	p.colors(c)
	p.ticks(c)
	y := axisHeight
	add := func(b *block) {
		if b != nil {
			b.Full = cmp.Or(b.Full, b.Name)
			b.Y = y + c.NameHeight()
			y = b.Y + b.Height
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

// colors sets c.color: for each candidate that ever led one of eight colors, in turn, and -1 for any other.
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

// ticks adds the labelled instants of the axis to c: the multiples of the shortest round time that leaves room for labels.
func (p *Page) ticks(c *chart) {
	horizon, most := int64(p.Header.Horizon), int64(12)
	if c.Narrow {
		most = 4
	}
	for at := range axis.Multiples(axis.Step(1, horizon, most), horizon) {
		c.Ticks = append(c.Ticks, mark{A: at, B: at, X: tenth(p.x(at)), Label: words.Duration(at)})
	}
}

// bands adds to c the bands across all blocks: those of at most maxMarks fault windows on all candidates, and those of the longest
// overlaps of work (longestOf).
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
