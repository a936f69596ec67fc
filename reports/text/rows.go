package text

import (
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// candidateRows adds the rows of a candidate: belief, work, faults. i is an index of p.shown. A candidate that neither believed
// that it leads nor worked has a single row, and its faults, so that leaders stand out. An empty line comes before, but not between
// candidates that have nothing but that single row.
func (p *picture) candidateRows(i int) {
	c := &p.Candidates[p.shown[i]]
	id := p.Header.Candidates[p.shown[i]].Name()
	belief := p.processRow(c)
	idle := len(c.Believed) == 0 && len(c.Terms) == 0
	faults := p.faultsOn(func(o *reports.Occurrence) bool { return slices.Contains(o.On, p.shown[i]) })
	if short := idle && len(faults) == 0; !short || !p.afterShort {
		p.blank()
		p.afterShort = short
	}
	if idle {
		use(p.used, belief)
		p.line(p.labels[i], "idle", p.painted(belief))
	} else {
		for _, s := range c.Believed {
			p.stretch(belief, s, beliefMark)
		}
		p.overlaps(belief, check.SingleBelief, id, c.Believed)
		p.line(p.labels[i], "belief", p.painted(belief))
		work := p.workRow(c, id)
		use(p.used, belief)
		use(p.used, work)
		p.line("", "work", p.painted(work))
	}
	p.barRows("", faults)
}

// processRow returns a row that shows when a Run was in progress, and when the process was frozen during a Run.
func (p *picture) processRow(c *reports.CandidateLine) row {
	r := newRow(p.Columns, ' ')
	for _, s := range c.Ran {
		first, last := p.Cells(s.From, s.To)
		r.fill(first, last, runMark)
	}
	for _, s := range c.Paused {
		first, last := p.Cells(s.From, s.To)
		for k := first; k <= last; k++ {
			if r[k] == runMark {
				r[k] = pauseMark
			}
		}
	}
	return r
}

// workRow returns a row that shows a candidate's work, its drain, and where it overlapped with the work of others.
func (p *picture) workRow(c *reports.CandidateLine, id string) row {
	r := newRow(p.Columns, ' ')
	var spans []reports.Span
	for i := range c.Terms {
		t := &c.Terms[i]
		spans = append(spans, t.Span)
		p.stretch(r, reports.Span{From: t.From, To: min(t.Cancelled, t.To)}, workMark)
		if t.To <= t.Cancelled {
			continue
		}
		first, last := p.Cells(t.Cancelled, t.To)
		if first == p.Column(t.From) && last > first {
			first++ // the work before the cancellation stays visible
		}
		r.fill(first, last, drainMark)
	}
	p.overlaps(r, check.SingleWork, id, spans)
	return r
}

// stretch draws a span on r with a mark. If the span before ended in the column in which this one begins, or in the one before that, so
// that no column is free between them, it draws a seam there.
func (p *picture) stretch(r row, s reports.Span, mark rune) {
	first, last := p.Cells(s.From, s.To)
	drawn := func(column int) bool { return r[column] == mark || r[column] == drainMark || r[column] == seamMark }
	touches := drawn(first) || first > 0 && drawn(first-1)
	r.fill(first, last, mark)
	if touches {
		r[first] = seamMark
	}
}

// overlaps marks on r those parts of the spans in which the candidate id took part in a violation of the property.
func (p *picture) overlaps(r row, property, id string, spans []reports.Span) {
	for _, v := range reports.Violations(p.result, property) {
		if !slices.Contains(v.Names(), id) {
			continue
		}
		for _, s := range reports.Within(&v, spans) {
			first, last := p.Cells(s.From, s.To)
			r.fill(first, last, overlapMark)
		}
	}
}

// violationRows adds a line for each property that was violated: single-work and single-belief first, then the others.
func (p *picture) violationRows() {
	names := []string{check.SingleWork, check.SingleBelief}
	for i := range p.result.Properties {
		if n := p.result.Properties[i].Name; !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	p.blank()
	for _, name := range names {
		violations := reports.Violations(p.result, name)
		if len(violations) == 0 {
			continue
		}
		p.used[overlapMark] = true
		p.line(name, "", p.painted(p.violationRow(violations)))
	}
}

// violationRow returns a row with the violations. If there is room, each has a text beside it that says how long it lasted
// and who took part.
func (p *picture) violationRow(violations []check.Violation) row {
	r := newRow(p.Columns, ' ')
	for _, v := range violations {
		first, last := p.Cells(v.FromNs, v.ToNs)
		r.fill(first, last, overlapMark)
	}
	for _, v := range violations {
		first, last := p.Cells(v.FromNs, v.ToNs)
		for _, text := range p.violationTexts(&v) {
			n := words.Width(text)
			if right := last + 2; right+n <= p.Columns && r.free(right-1, right+n) {
				r.text(right, text)
				break
			} else if left := first - 1 - n; left >= 0 && r.free(left-1, left+n) {
				r.text(left, text)
				break
			}
		}
	}
	return r
}

// violationTexts returns the texts that can stand beside a violation, the longest first: how long it lasted, or when it was, and
// the marks of those who took part.
func (p *picture) violationTexts(v *check.Violation) []string {
	marks := make([]string, len(v.Names()))
	for i, id := range v.Names() {
		marks[i] = p.markOf(id)
	}
	who := strings.Join(marks, "+")
	if v.ToNs == v.FromNs {
		return []string{words.Duration(v.FromNs) + " " + who, who}
	}
	long := words.Duration(v.ToNs - v.FromNs)
	return []string{long + " " + who, long}
}

// faultRows adds rows for the faults for which wanted returns true. The first row has the label.
func (p *picture) faultRows(label string, wanted func(*reports.Occurrence) bool) {
	p.barRows(label, p.faultsOn(wanted))
}

// faultsOn returns the bars of the faults for which wanted returns true.
func (p *picture) faultsOn(wanted func(*reports.Occurrence) bool) []bar {
	var bars []bar
	for i := range p.Faults {
		o := &p.Faults[i]
		if wanted(o) {
			first, last := p.Cells(o.From, o.To)
			bars = append(bars, bar{
				first: first, last: last, label: o.Label, instant: o.From == o.To, endless: o.To == reports.Open,
			})
		}
	}
	return bars
}

// barRows adds rows with the bars of faults. The first row has the label.
func (p *picture) barRows(label string, bars []bar) {
	for k, r := range lanes(bars, p.Columns) {
		if k == 0 {
			p.line(label, "faults", p.tinted(r.String(), faultPaint))
		} else {
			p.line("", "", p.tinted(r.String(), faultPaint))
		}
	}
}
