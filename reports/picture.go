package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/reports/internal/axis"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// The bounds of a sensible picture.
const (
	MinWidth     = 40
	DefaultWidth = 100
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
	*Timeline
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

// Text draws the run on one axis of true time, at most width columns wide: who held the record, what each
// candidate believed and did, which faults touched it, and where a property was violated.
func (t *Timeline) Text(w io.Writer, r *scenarios.Result, width int) error {
	width = max(width, MinWidth)
	p := t.picture(r, width)
	p.fit(int64(t.header.Horizon), width)
	p.draw(width)
	_, err := io.WriteString(w, strings.Join(p.lines, "\n")+"\n")
	return err
}

// picture returns a picture whose labels are set; fit and then draw have to be called next.
func (t *Timeline) picture(r *scenarios.Result, width int) *picture {
	p := &picture{Timeline: t, result: r, differs: -1, used: map[rune]bool{}, usedInRecord: map[rune]bool{}}
	p.shown = t.choose(r, maxShown)
	p.label(width)
	return p
}

// fit sets the scale, so that the time up to the horizon and the labels together take width columns.
func (p *picture) fit(horizon int64, width int) {
	p.Scale = axis.Scale{Horizon: horizon, Columns: width - p.gutter() - 1}
}

// draw adds all lines of the picture, from the headline to the legend; fit must have set the scale.
func (p *picture) draw(width int) {
	p.lines = append(wrap(headline(p.result), width), "")
	if len(p.violations(check.SingleWork)) > 0 {
		for i := range p.lines {
			p.lines[i] = p.tinted(p.lines[i], alarmPaint)
		}
	}
	labels, marks := ruler(p.Scale)
	p.line("", "", labels)
	p.line("", "", marks)
	p.differenceRow()
	p.recordRows()
	for i := range p.shown {
		p.candidateRows(i)
	}
	if left := len(p.candidates) - len(p.shown); left > 0 {
		p.lines = append(append(p.lines, ""), wrap(p.leftOut(left), width)...)
	}
	p.violationRows()
	p.blank()
	p.lines = append(p.lines, p.legend(width)...)
}

// headline says in a sentence whether the run shows a split brain.
func headline(r *scenarios.Result) string {
	i := slices.IndexFunc(r.Properties, func(p check.Property) bool { return p.Name == check.SingleWork })
	if i < 0 || len(r.Properties[i].Violations) == 0 {
		return "no split brain: at no instant do two candidates work"
	}
	all := r.Properties[i].Violations
	worst := longest(all)
	times := ""
	if len(all) > 1 {
		times = fmt.Sprintf(", %s times; the longest", words.Count(len(all)))
	}
	return fmt.Sprintf("SPLIT BRAIN%s: %s work at once for %s, from %s to %s", times, words.List(worst.Names()),
		words.Duration(worst.ToNs-worst.FromNs), words.Duration(worst.FromNs), words.Duration(worst.ToNs))
}

func longest(violations []check.Violation) check.Violation {
	return slices.MaxFunc(violations, func(a, b check.Violation) int {
		return cmp.Compare(a.ToNs-a.FromNs, b.ToNs-b.FromNs)
	})
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

// recordRows adds a row for each record, then rows for the faults on the record and on everybody.
func (p *picture) recordRows() {
	for i := range p.records {
		p.recordRow(&p.records[i], p.recordLabels[i])
	}
	p.faultRows("", func(o *occurrence) bool { return o.record })
	p.faultRows("all", func(o *occurrence) bool { return o.everybody })
}

// recordRow adds the row that shows whom a record named, and when it was written.
func (p *picture) recordRow(record *recordLine, label string) {
	r := newRow(p.Columns, ' ')
	before := stretch{span: span{-1, -1}}
	beforeFirst := -1
	for _, s := range record.stretches {
		first, last := p.Cells(s.from, s.to)
		mark := p.holderMark(&s)
		body := holdMark
		if s.holder == "" {
			body = freeMark
		}
		vanishes := beforeFirst == first && (before.holder != s.holder || before.candidate != s.candidate)
		r.fill(first, last, body)
		r[first] = mark
		if s.holder != "" {
			record.mark(p, r, s, mark)
		}
		if vanishes {
			r[first] = severalMark
		}
		before, beforeFirst = s, first
	}
	use(p.usedInRecord, r)
	p.line(label, "", r.String())
}

// mark puts the holder's mark wherever the record was written in the stretch.
func (l *recordLine) mark(p *picture, r row, s stretch, mark rune) {
	at, _ := slices.BinarySearchFunc(l.writes, s.from, func(w span, from int64) int {
		return cmp.Compare(w.to, from)
	})
	for _, w := range l.writes[at:] {
		if w.from >= s.to {
			return
		}
		first, last := p.Column(max(w.from, s.from)), p.Column(min(w.to, s.to-1))
		r.fill(first, last, mark)
	}
}

// holderMark returns the mark for the holder of a stretch, or one that says that the lock is released, that several
// share the name, or that the holder is not shown.
func (p *picture) holderMark(s *stretch) rune {
	switch {
	case s.holder == "":
		return freeMark
	case s.shared:
		return sharedMark
	case s.candidate == trace.Nobody || p.marks[s.candidate] == 0:
		return unshownMark
	}
	return p.marks[s.candidate]
}

// use adds the marks of a row to those that the legend has to explain.
func use(used map[rune]bool, r row) {
	for _, m := range r {
		used[m] = true
	}
}

// pad adds blanks behind s until it is width columns wide.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-words.Width(s), 0))
}
