package text

import (
	"strings"

	"interregnum/reports"
	"interregnum/reports/internal/axis"
	"interregnum/scenarios"
)

// The marks of a picture, but for those of the candidates and the faults.
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

// picture is a timeline on its way to text.
type picture struct {
	*reports.Timeline
	axis.Scale
	result *scenarios.Result
	// recordLabels are those of the records' rows.
	recordLabels []string
	// shown are the candidates that have lines, with their labels; marks has a rune for each candidate.
	shown   []int32
	labels  []string
	marks   []rune
	idWidth int
	lines   []string
	// differs is where it begins to differ from the picture that it is compared with, -1 for nowhere.
	differs int64
	// afterShort tells that the candidate before had a single line.
	afterShort bool
	// used are the marks that the legend has to explain, in the candidates' rows and in the record's.
	used, usedInRecord map[rune]bool
}

// gutter is how many columns stand left of the axis.
func (p *picture) gutter() int { return max(p.idWidth+1+kindWidth, propertyName) }

// line adds a line: what it is about left of the axis, and the row.
func (p *picture) line(label, kind, row string) {
	left := label
	if kind != "" {
		left = pad(label, p.gutter()-kindWidth) + kind
	}
	p.lines = append(p.lines, strings.TrimRight(pad(left, p.gutter())+row, " "))
}

// use adds the marks of a row to those that the legend has to explain.
func use(used map[rune]bool, r row) {
	for _, m := range r {
		used[m] = true
	}
}

// blank adds an empty line, unless there is one.
func (p *picture) blank() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.lines = append(p.lines, "")
	}
}
