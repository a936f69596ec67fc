package text

import (
	"strings"

	"interregnum/reports"
	"interregnum/reports/internal/axis"
	"interregnum/scenarios"
)

// The marks of a picture, except those of candidates and faults.
const (
	overlapMark  = 'X'
	workMark     = '█'
	drainMark    = '▒'
	beliefMark   = '═'
	seamMark     = '|'
	runMark      = '·'
	pauseMark    = 'z'
	holdMark     = '-'
	freeMark     = '.'
	severalMark  = '*'
	sharedMark   = '&'
	unshownMark  = '?'
	kindWidth    = 7 // of "belief ", "work   ", "faults "
	propertyName = 14
)

// picture is a drawing of a timeline as text. lines are the lines that were drawn so far.
type picture struct {
	*reports.Timeline
	axis.Scale
	result *scenarios.Result
	// recordLabels are the labels of the records' rows.
	recordLabels []string
	// shown are the candidates that have rows, and labels those of their rows; marks has a rune for each candidate.
	shown   []int32
	labels  []string
	marks   []rune
	idWidth int
	lines   []string
	// differs is the true time at which the run begins to differ from the one that it is compared with; -1 if it does not.
	differs int64
	// afterShort tells that the last candidate had a single row.
	afterShort bool
	// used and usedInRecord are the marks in the candidates' and in the records' rows, which the legend explains.
	used, usedInRecord map[rune]bool
}

// gutter returns how many columns there are left of the axis, for labels.
func (p *picture) gutter() int { return max(p.idWidth+1+kindWidth, propertyName) }

// line appends a line to p.lines: left of the axis the label and the kind of row, then the row. Spaces at its end are cut off.
func (p *picture) line(label, kind, row string) {
	left := label
	if kind != "" {
		left = pad(label, p.gutter()-kindWidth) + kind
	}
	p.lines = append(p.lines, strings.TrimRight(pad(left, p.gutter())+row, " "))
}

// use adds the marks of row r to the set used, for the legend.
func use(used map[rune]bool, r row) {
	for _, m := range r {
		used[m] = true
	}
}

// blank appends an empty line to p.lines, unless the last line is empty or there is none.
func (p *picture) blank() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.lines = append(p.lines, "")
	}
}
