package text

import (
	"io"

	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/internal/axis"
	"interregnum/scenarios"
)

// Timeline draws a run along an axis of true time: who held the record, what each candidate believed and did, the faults on it, and
// when properties were violated. The picture is at most width columns wide; a width below 40 counts as 40. It has rows for at most
// maxShown candidates, those that t.Choose returns.
func Timeline(w io.Writer, t *reports.Timeline, r *scenarios.Result, width int) error {
	width = max(width, reports.MinWidth)
	p := newPicture(t, r, width)
	p.fit(int64(t.Header.Horizon), width)
	p.draw(width)
	return write(w, p.lines)
}

// newPicture returns a picture with labels and no lines. The caller must call fit, then draw.
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

// draw sets p.lines to the picture, from the headline to the legend. fit must have set the scale.
func (p *picture) draw(width int) {
	p.lines = append(wrap(reports.Headline(p.Header, p.result), width), "")
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

// differenceRow adds a row with a v at p.differs, where the run begins to differ from the one that it is compared with. It adds
// none if p.differs is negative.
func (p *picture) differenceRow() {
	if p.differs < 0 {
		return
	}
	r := newRow(p.Columns, ' ')
	r[p.Column(p.differs)] = 'v'
	p.line("difference", "", r.String())
}

// recordRows adds a row for each record, then rows for the faults on records and for those on all candidates.
func (p *picture) recordRows() {
	for i := range p.Records {
		p.recordRow(&p.Records[i], p.recordLabels[i])
	}
	p.faultRows("", func(o *reports.Occurrence) bool { return o.Record })
	p.faultRows("all", func(o *reports.Occurrence) bool { return o.Everybody })
}
