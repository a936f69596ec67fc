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

// colorClass returns the CSS class of a candidate's color, behind a blank; "" if it has no color.
func (c *chart) colorClass(candidate int32) string {
	if candidate == trace.Nobody || c.color[candidate] < 0 {
		return ""
	}
	return " c" + strconv.Itoa(c.color[candidate])
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

// bunch is one stretch, or several that lie so close together that they are drawn as one.
type bunch struct {
	reports.Span
	count int
}

// condense joins spans that lie close together, over ever wider gaps, until at most maxMarks are left. The spans must
// be in order of start.
func (c *chart) condense(spans []reports.Span, horizon int64) []bunch {
	all := make([]bunch, len(spans))
	for i, s := range spans {
		all[i] = bunch{s, 1}
	}
	for gap := horizon / reports.Grains; len(all) > maxMarks; gap = 2*gap + 1 {
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

// title returns the text that explains a bunch: what it is (one), from when to when, and how long. endText stands for
// an end that is at the horizon or later.
func (b *bunch) title(one, endText string, horizon int64) string {
	end := words.Duration(b.To)
	if b.To >= horizon {
		end = endText
	}
	if b.count > 1 {
		one = fmt.Sprintf("%s (%s times)", one, words.Count(b.count))
	}
	return fmt.Sprintf("%s from %s to %s, %s", one, words.Duration(b.From), end, words.Duration(min(b.To, horizon)-b.From))
}

// untilTheEnd is what the end of a stretch is called that goes to the horizon.
const untilTheEnd = "the end of the run"
