package behaviour

import (
	"math"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// maxPoints bounds the number of points of a histogram.
const maxPoints = 100_000

// hdr reads the file that v names: a percentile distribution in the text that HdrHistogram prints. Its values are in that unit; a
// unit of 0 is a problem.
func (r *reader) hdr(v value, unit time.Duration) Distribution {
	d := r.data(v, "a file with a percentile distribution of HdrHistogram")
	if unit == 0 {
		r.fail(v, "the file does not say its unit; want unit: s, ms, us or ns beside hdr")
	}
	var points []Point
	var last hdrRow
	headed := false
	for line := range d.lines() {
		switch {
		case strings.HasPrefix(line, "#"):
		case !headed:
			if headed = strings.HasPrefix(line, "Value") && strings.Contains(line, "Percentile"); !headed {
				d.fail("want the head of HdrHistogram's text, Value Percentile TotalCount 1/(1-Percentile); got %s", phrase.Quote(line))
			}
		case len(points) == maxPoints:
			d.fail("has more than %d lines; want a histogram of fewer", maxPoints)
		default:
			row := d.hdrRow(line, unit)
			if row.Value < last.Value || row.P < last.P || row.count < last.count {
				d.fail("value, percentile or count is less than in the line before; want none to fall")
			}
			last, points = row, append(points, row.Point)
		}
	}
	if len(points) == 0 {
		d.failIn(0, "has no lines of values; want HdrHistogram's text: Value Percentile TotalCount 1/(1-Percentile)")
	}
	switch {
	case last.count == 0:
		d.fail("all counts are 0; want what was measured")
	case last.P < 1:
		d.fail("the last line has the percentile %g; want the text to its end, which is 1", last.P)
	}
	h, err := Histogram(points)
	if err != nil {
		d.failIn(0, "%v", err)
	}
	return h
}

// hdrRow is a line of HdrHistogram's text.
type hdrRow struct {
	Point
	count float64
}

// hdrRow decodes one line: a value, a percentile, a count and, in all lines but the last, 1/(1-percentile). Any other line is a
// problem.
func (d *dataFile) hdrRow(line string, unit time.Duration) hdrRow {
	words := strings.Fields(line)
	if len(words) != 3 && len(words) != 4 {
		d.fail("want a value, a percentile and a count; got %s", phrase.Quote(line))
		return hdrRow{}
	}
	n, isNumber := number(words[0], math.MaxFloat64)
	p, isShare := number(words[1], 1)
	count, err := strconv.ParseUint(words[2], 10, 63)
	if !isNumber || !isShare || err != nil {
		d.fail("want a value, a percentile from 0 to 1 and a count; got %s", phrase.Quote(line))
		return hdrRow{}
	}
	value, err := scaled(n, unit)
	if err != nil {
		d.fail("%v", err)
	}
	return hdrRow{Point{p, value}, float64(count)}
}
