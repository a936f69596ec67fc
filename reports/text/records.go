package text

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
	"interregnum/reports"
)

// recordRow adds the row of a record to the picture, with that label: who held the record, and when it was written. A column in
// which one holder replaces another within it has severalMark. It adds the row's marks to p.usedInRecord.
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

// writes draws the holder's mark on r at each write of the record l in the stretch s.
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

// holderMark returns the mark of a stretch: freeMark if nobody holds the record, sharedMark if several candidates share the name,
// unshownMark for a holder without a row, otherwise the holder's own mark.
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
