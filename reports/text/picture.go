package text

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/trace"
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

// Timeline draws a run on one axis of true time, at most width columns wide: who held the record, what each
// candidate believed and did, which faults touched it, and where a property was violated.
func Timeline(w io.Writer, t *reports.Timeline, r *scenarios.Result, width int) error {
	width = max(width, reports.MinWidth)
	p := newPicture(t, r, width)
	p.fit(int64(t.Header.Horizon), width)
	p.draw(width)
	_, err := io.WriteString(w, strings.Join(p.lines, "\n")+"\n")
	return err
}

// newPicture returns a picture whose labels are set; fit and then draw have to be called next.
func newPicture(t *reports.Timeline, r *scenarios.Result, width int) *picture {
	p := &picture{Timeline: t, result: r, differs: -1, used: map[rune]bool{}, usedInRecord: map[rune]bool{}}
	p.shown = t.Choose(r, maxShown)
	p.label(width)
	return p
}

// fit sets the scale, so that the time up to the horizon and the labels together take width columns.
func (p *picture) fit(horizon int64, width int) {
	p.Scale = axis.Scale{Horizon: horizon, Columns: width - p.gutter() - 1}
}

// draw adds all lines of the picture, from the headline to the legend; fit must have set the scale.
func (p *picture) draw(width int) {
	p.lines = append(wrap(reports.Headline(p.result), width), "")
	if len(reports.Violations(p.result, check.SingleWork)) > 0 {
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
	if left := len(p.Candidates) - len(p.shown); left > 0 {
		p.lines = append(append(p.lines, ""), wrap(p.leftOut(left), width)...)
	}
	p.violationRows()
	p.blank()
	p.lines = append(p.lines, p.legend(width)...)
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
	for i := range p.Records {
		p.recordRow(&p.Records[i], p.recordLabels[i])
	}
	p.faultRows("", func(o *reports.Occurrence) bool { return o.Record })
	p.faultRows("all", func(o *reports.Occurrence) bool { return o.Everybody })
}

// recordRow adds the row that shows whom a record named, and when it was written.
func (p *picture) recordRow(record *reports.RecordLine, label string) {
	r := newRow(p.Columns, ' ')
	before := reports.Stretch{Span: reports.Span{From: -1, To: -1}}
	beforeFirst := -1
	for _, s := range record.Stretches {
		first, last := p.Cells(s.From, s.To)
		mark := p.holderMark(&s)
		body := holdMark
		if s.Holder == "" {
			body = freeMark
		}
		vanishes := beforeFirst == first && (before.Holder != s.Holder || before.Candidate != s.Candidate)
		r.fill(first, last, body)
		r[first] = mark
		if s.Holder != "" {
			p.writes(r, record, s, mark)
		}
		if vanishes {
			r[first] = severalMark
		}
		before, beforeFirst = s, first
	}
	use(p.usedInRecord, r)
	p.line(label, "", r.String())
}

// writes puts the holder's mark wherever the record was written in the stretch.
func (p *picture) writes(r row, l *reports.RecordLine, s reports.Stretch, mark rune) {
	at, _ := slices.BinarySearchFunc(l.Writes, s.From, func(w reports.Span, from int64) int {
		return cmp.Compare(w.To, from)
	})
	for _, w := range l.Writes[at:] {
		if w.From >= s.To {
			return
		}
		first, last := p.Column(max(w.From, s.From)), p.Column(min(w.To, s.To-1))
		r.fill(first, last, mark)
	}
}

// holderMark returns the mark for the holder of a stretch, or one that says that the lock is released, that several
// share the name, or that the holder is not shown.
func (p *picture) holderMark(s *reports.Stretch) rune {
	switch {
	case s.Holder == "":
		return freeMark
	case s.Shared:
		return sharedMark
	case s.Candidate == trace.Nobody || p.marks[s.Candidate] == 0:
		return unshownMark
	}
	return p.marks[s.Candidate]
}

// use adds the marks of a row to those that the legend has to explain.
func use(used map[rune]bool, r row) {
	for _, m := range r {
		used[m] = true
	}
}
