package page

import (
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// laneOrder returns the names of all properties in the order of their lanes: first those of single-work,
// single-belief and safety-window.
func laneOrder() []string {
	first := []string{check.SingleWork, check.SingleBelief, check.SafetyWindow}
	others := slices.DeleteFunc(check.Names(), func(name string) bool { return slices.Contains(first, name) })
	return append(first, others...)
}

// violationBlock returns a block with a lane for each property that was violated; nil if none was. It adds to c.left the number
// of violations that are not drawn.
func (p *Page) violationBlock(c *chart, r *scenarios.Result) *block {
	b := &block{Kind: "violations", Candidate: -1, Name: "violated", Height: 6}
	for _, name := range laneOrder() {
		all := reports.Violations(r, name)
		if len(all) == 0 {
			continue
		}
		b.Lanes = append(b.Lanes, laneLabel{b.Height + 13, name})
		first, drawn := len(b.Marks), longestOf(all)
		c.left += len(all) - len(drawn)
		for _, v := range drawn {
			length, who := reports.Length(&v), names(v.Names())
			m := p.mark("violation "+name, reports.Span{From: v.FromNs, To: v.ToNs}, b.Height, 18, fmt.Sprintf(
				"%s violated by %s: %s, from %s to %s", name, who, length, words.Duration(v.FromNs), words.Duration(v.ToNs)))
			m.Label = length + "  " + who
			if long := m.labelWidth(); long > max(p.width-5-float64(m.X+m.W), float64(m.X)-p.gutter, float64(m.W)-8) {
				m.Label = length // the rows below have the names
			}
			b.Marks = append(b.Marks, p.beside(m, m.Label))
		}
		hideCollisions(b.Marks[first:])
		b.Height += 22
	}
	if len(b.Lanes) == 0 {
		return nil
	}
	b.Height += 4
	return b
}

// names returns the ids of candidates as a list in words, each shortened. Of more than four it has the first four and the number
// of others.
func names(ids []string) string {
	const most = 4
	var parts []string
	for i, id := range ids {
		if i == most {
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %s more", words.Count(len(ids)-most))
		}
		parts = append(parts, words.Visible(id, words.MaxLabel))
	}
	return phrase.And(parts)
}

// recordBlock returns the block of a record: a lane with its holders and a lane with its writes. of has the first and the last
// version of the object in each stretch of the record. If there are more than maxMarks stretches or writes, those that lie close
// together share a box, and c.condensed is set.
func (p *Page) recordBlock(c *chart, r *reports.RecordLine, of []versions) *block {
	b := &block{Kind: "record", Candidate: -1, Name: words.Visible(r.Title(), words.MaxLabel),
		Full: words.Visible(r.Title(), maxFullName), Height: 56}
	b.Lanes = []laneLabel{{22, "holder"}, {38, "writes"}}
	spans := make([]reports.Span, len(r.Stretches))
	for i := range r.Stretches {
		spans[i] = r.Stretches[i].Span
	}
	first := 0
	for _, s := range p.condense(c, spans) {
		held, v := &r.Stretches[first], of[first:first+s.count]
		first += s.count
		label, class := words.Visible(held.Holder, words.MaxLabel), "hold"+c.colorClass(held.Candidate)
		title := p.title(s, label+" holds the "+r.Name())
		switch {
		case s.count > 1:
			label, class = "several", "hold several"
			title = p.title(s, "several holders")
		case held.Holder == "":
			label, class = "released", "hold free"
			title = p.title(s, "released: nobody holds the "+r.Name())
		}
		title += fmt.Sprintf("; versions %d to %d", v[0].first, v[len(v)-1].last)
		b.Marks = append(b.Marks, p.inside(p.mark(class, s.Span, 8, 20, title), label))
	}
	for _, s := range p.condense(c, r.Writes) {
		class := "write"
		if s.To > s.From {
			class = "write many"
		}
		b.Marks = append(b.Marks, p.mark(class, reports.Span{From: s.From, To: max(s.To, s.From+1)}, 31, 8, ""))
	}
	return b
}
