package page

import (
	"fmt"
	"time"

	"interregnum/internal/search"
	"interregnum/reports"
	"interregnum/reports/internal/axis"
	"interregnum/reports/internal/words"
)

// The measures of the histogram in pixels, and its highest number of bars.
const (
	histogramWidth, histogramHeight = 900, 250
	histogramLeft, histogramRight   = 56, 20
	histogramTop, histogramBottom   = 34, 40
	maxBins                         = 100
)

// histogram is a drawing of how long failovers took.
type histogram struct {
	Width, Height int
	Base          int
	About, Most   string
	Bins          []histogramBin
	Ticks, Lines  []tick
	// Percentiles are the percentiles as text.
	Percentiles []fact
	Count       string
	Vacant      string
}

// histogramBin is a bar of the histogram.
type histogramBin struct {
	X, W, Y, H px
	Title      string
}

// tick is a labelled place on an axis: At is horizontal or vertical, as the axis is.
type tick struct {
	At    px
	Label string
}

// newHistogram draws the failover times of a search. It returns nil if there are none.
func newHistogram(c *reports.Campaign) *histogram {
	s := c.Summary
	t := s.Failovers
	if t.Count() == 0 {
		return nil
	}
	h := &histogram{Width: histogramWidth, Height: histogramHeight, Base: histogramHeight - histogramBottom,
		Count: words.Count(int(t.Count()))}
	if s.Vacant > 0 {
		h.Vacant = words.Count(s.Vacant)
	}
	longest := t.Percentile(100) * int64(time.Millisecond)
	step := int64(axis.Step(time.Millisecond, longest, maxBins-1))
	bins := binned(t, longest, step)
	h.draw(bins, step)
	for _, p := range c.Percentiles() {
		value := words.Duration(p.Time)
		h.Percentiles = append(h.Percentiles, fact{p.Name, value})
		if p.Name == "p50" || p.Name == "p99" {
			h.Lines = append(h.Lines, tick{h.at(int64(p.Time), step, len(bins)), p.Name + " " + value})
		}
	}
	h.About = fmt.Sprintf("Histogram of %s failover times; the percentiles are in the table", h.Count)
	return h
}

// binned counts failover times in bins of width step, in nanoseconds. longest is the longest time.
func binned(t search.Times, longest, step int64) []int64 {
	bins := make([]int64, longest/step+1)
	for _, b := range t.Bars() {
		bins[b.FromMs*int64(time.Millisecond)/step] += b.Count
	}
	return bins
}

// at returns the horizontal position of a time on an axis of that many bins. step is the width of a bin in nanoseconds.
func (h *histogram) at(ns, step int64, bins int) px {
	return tenth(histogramLeft + float64(h.Width-histogramLeft-histogramRight)*(float64(ns)/float64(step*int64(bins))))
}

// draw adds to h a bar for each bin that is not empty, and the labels of the axis, and sets h.Most to the highest count. The
// highest bar takes all the height. step is the width of a bin in nanoseconds.
func (h *histogram) draw(bins []int64, step int64) {
	most := int64(1)
	for _, n := range bins {
		most = max(most, n)
	}
	h.Most = words.Count(int(most))
	room, n := float64(h.Base-histogramTop), len(bins)
	for i, count := range bins {
		if count == 0 {
			continue
		}
		from := int64(i) * step
		x, height := h.at(from, step, n), tenth(room*float64(count)/float64(most))
		width := tenth(float64(h.at(from+step, step, n) - x - 1))
		h.Bins = append(h.Bins, histogramBin{x, width, tenth(float64(h.Base) - float64(height)), height,
			fmt.Sprintf("%s to %s: %s", words.Duration(from), words.Duration(from+step), words.Count(int(count)))})
	}
	every := 1
	for _, round := range []int{1, 2, 5, 10} {
		if every = round; n/round <= 12 {
			break
		}
	}
	for i := 0; i <= n; i += every {
		h.Ticks = append(h.Ticks, tick{h.at(int64(i)*step, step, n), words.Duration(int64(i) * step)})
	}
}
