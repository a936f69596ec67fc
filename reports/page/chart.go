package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// How many candidates have their own block, and how many marks a lane has at most.
const (
	maxBlocks = 40
	maxMarks  = 400
)

// chart is the picture of a run: an axis, and blocks of lanes below it.
type chart struct {
	// ID begins the ids of the chart's parts, if a page has several charts.
	ID                    string
	Width, Height, Gutter int
	// Narrow tells that the names of blocks are above them.
	Narrow bool
	Ticks  []mark
	Blocks []*block
	// Bands are drawn across all blocks.
	Bands []mark
	// shown are the candidates with their own block; Others is how many have none.
	shown  []int32
	Others int
	// condensed tells that marks were joined; left is how many violations are not drawn.
	condensed bool
	left      int
	// color is the number of each candidate's color; -1 for none.
	color []int
}

// PlotWidth returns the width in pixels of the part right of the names.
func (c *chart) PlotWidth() int { return c.Width - c.Gutter }

// LaneX returns the horizontal position at which the lanes' names end.
func (c *chart) LaneX() int { return c.Gutter - 10 }

// NameHeight returns the height of the line above each block that has its name; 0 if names are left of blocks.
func (c *chart) NameHeight() int {
	if c.Narrow {
		return nameHeight
	}
	return 0
}

// NameY returns the vertical position of the name of a block.
func (c *chart) NameY(b *block) int {
	if c.Narrow {
		return -4
	}
	return b.NameY()
}

// RuleY returns the vertical position of the line above a block and its name.
func (c *chart) RuleY() int { return -c.NameHeight() }

// NameOf returns the name of a block: in full where it is above the block.
func (c *chart) NameOf(b *block) string {
	if c.Narrow {
		return b.Full
	}
	return b.Name
}

// block is a group of lanes with a name.
type block struct {
	Kind string
	// Candidate is an index into the page's data, -1 for none.
	Candidate int
	// Name fits left of the block. Full fits above it, and may be longer.
	Name, Full string
	Y, Height  int
	Lanes      []laneLabel
	Marks      []mark
	// Requests is the lane of the requests, nil if there is none.
	Requests *requestLane
	// Clock is the line of a clock's error: pairs of an instant and a height. Drawn is the same line as an SVG path.
	Clock, Drawn, ClockTitle string
}

// NameY returns the vertical position of the block's name: that of the first lane after the one of faults.
func (b *block) NameY() int {
	i := slices.IndexFunc(b.Lanes, func(l laneLabel) bool { return l.Text != "faults" })
	return b.Lanes[max(i, 0)].Y
}

// laneLabel is the name of a lane, and where its base line is.
type laneLabel struct {
	Y    int
	Text string
}

// colorClass returns a space and the CSS class of a candidate's color; "" if the candidate has no color, or if there is no
// candidate.
func (c *chart) colorClass(candidate int32) string {
	if candidate == trace.Nobody || c.color[candidate] < 0 {
		return ""
	}
	return " c" + strconv.Itoa(c.color[candidate])
}

// longestOf returns the violations that a lane shows, in order of time: the longest ones if there are more than maxMarks.
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

// bunch is one span, or several that lie so close together that they are drawn as one.
type bunch struct {
	reports.Span
	count int
}

// condense joins spans that lie close together until at most maxMarks are left. It sets c.condensed if it joins any. The
// spans must be in order of start.
func (p *Page) condense(c *chart, spans []reports.Span) []bunch {
	all := make([]bunch, len(spans))
	for i, s := range spans {
		all[i] = bunch{s, 1}
	}
	for gap := int64(p.Header.Horizon) / reports.Grains; len(all) > maxMarks; gap = 2*gap + 1 {
		c.condensed = true
		kept := all[:0]
		for _, b := range all {
			if n := len(kept); n > 0 && b.From-kept[n-1].To <= gap {
				kept[n-1].To = max(kept[n-1].To, b.To)
				kept[n-1].count += b.count
				continue
			}
			kept = append(kept, b)
		}
		all = kept
	}
	return all
}

// title returns the text that explains a bunch: what it is, how many spans it has if there are several, from when to when it is,
// and how long. one says what each span is.
func (p *Page) title(b bunch, one string) string {
	horizon, end := int64(p.Header.Horizon), words.Duration(b.To)
	if b.To >= horizon {
		end = "the end of the run"
	}
	if b.count > 1 {
		one = fmt.Sprintf("%s (%s times)", one, words.Count(b.count))
	}
	return fmt.Sprintf("%s from %s to %s, %s", one, words.Duration(b.From), end, words.Duration(min(b.To, horizon)-b.From))
}
