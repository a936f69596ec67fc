package page

import (
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// candidateBlock returns the block of candidate i, with lanes for faults, guarded work, belief, requests, and its clock if that is
// ever wrong. A candidate that never worked or believed that it leads has a lane "idle" in place of work and belief. Behind and
// over the lanes are marks for fault windows and for times in which its process was frozen.
func (p *Page) candidateBlock(c *chart, r *scenarios.Result, i int32) *block {
	line := &p.Candidates[i]
	b := &block{Kind: "candidate", Candidate: int(i), Name: words.Visible(p.Header.Candidates[i].Name(), words.MaxLabel), Height: 8,
		Full: words.Visible(p.Header.Candidates[i].Name(), maxFullName)}
	p.faultStrips(c, b, func(o *reports.Occurrence) bool { return slices.Contains(o.On, i) })
	strips := b.Marks
	b.Marks = nil

	if len(line.Believed) == 0 && len(line.Terms) == 0 {
		b.Lanes = append(b.Lanes, laneLabel{b.Height + 9, "idle"})
		p.bars(c, b, "run", line.Ran, b.Height+4, 2, b.Name+" runs")
		b.Height += 12
	} else {
		p.leaderLanes(c, b, r, i)
	}
	b.Lanes = append(b.Lanes, laneLabel{b.Height + 17, "requests"})
	b.Requests = p.requestLane(i, b.Height, 24)
	b.Height += 28
	p.clockLane(b, i)
	p.bars(c, b, "paused", line.Paused, 4, b.Height-8, b.Name+" is frozen")
	b.Height += 6
	b.Marks = slices.Concat(p.shades(b, i), strips, b.Marks)
	return b
}

// leaderLanes adds the lanes for the work and the belief of candidate i to b. Only candidates that worked or believed that
// they lead have them.
func (p *Page) leaderLanes(c *chart, b *block, r *scenarios.Result, i int32) {
	id, line := p.Header.Candidates[i].Name(), &p.Candidates[i]
	b.Lanes = append(b.Lanes, laneLabel{b.Height + 13, "work"})
	p.bars(c, b, "run", line.Ran, b.Height+17, 2, b.Name+" runs")
	p.workBars(c, b, r, i)
	p.overlapBars(b, r, check.SingleWork, id, termSpans(line.Terms), b.Height, workHeight)
	b.Height += workHeight + 2
	b.Lanes = append(b.Lanes, laneLabel{b.Height + 9, "belief"})
	p.bars(c, b, "belief"+c.colorClass(i), line.Believed, b.Height, beliefHeight, b.Name+" believes that it leads")
	p.overlapBars(b, r, check.SingleBelief, id, line.Believed, b.Height, beliefHeight)
	b.Height += beliefHeight + 5
}

const workHeight, beliefHeight = 18, 8

// bars adds to b a box of that CSS class for each span, y pixels below the top of b and h pixels high. The box's title
// begins with what. If there are too many spans, those that lie close together share a box.
func (p *Page) bars(c *chart, b *block, class string, spans []reports.Span, y, h int, what string) {
	for _, s := range p.condense(c, spans) {
		b.Marks = append(b.Marks, p.mark(class, s.Span, y, h, p.title(s, what)))
	}
}

// workBars adds to b a box for each term of candidate i, with the term's number, and a box over it for the drain, if there is
// one. If there are more terms than maxMarks, it adds boxes without numbers and drains, and terms that lie close together share
// one.
func (p *Page) workBars(c *chart, b *block, r *scenarios.Result, i int32) {
	y, h := b.Height, workHeight
	line := &p.Candidates[i]
	if len(line.Terms) > maxMarks {
		p.bars(c, b, "work"+c.colorClass(i), termSpans(line.Terms), y, h, b.Name+" works")
		return
	}
	overlaps := violationsBy(r, check.SingleWork, p.Header.Candidates[i].Name())
	for k := range line.Terms {
		t := &line.Terms[k]
		title := p.title(bunch{t.Span, 1}, fmt.Sprintf("term %d of %s: its work runs", t.Number, b.Name))
		m := p.clearOf(overlaps, p.mark("work"+c.colorClass(i), t.Span, y, h, title))
		b.Marks = append(b.Marks, p.inside(m, fmt.Sprintf("term %d", t.Number)))
		if t.Cancelled < t.To {
			drain := bunch{reports.Span{From: t.Cancelled, To: t.To}, 1}
			b.Marks = append(b.Marks, p.mark("drain", drain.Span, y, h, p.title(drain, "cancelled, but the work goes on")))
		}
	}
}

// violationsBy returns the violations of a property that are drawn and in which the candidate took part.
func violationsBy(r *scenarios.Result, property, id string) []check.Violation {
	return slices.DeleteFunc(slices.Clone(longestOf(reports.Violations(r, property))), func(v check.Violation) bool {
		return !slices.Contains(v.Names(), id)
	})
}

// clearOf returns the box m of a term, with its label limited to a part that no overlap covers. overlaps are in order of time.
func (p *Page) clearOf(overlaps []check.Violation, m mark) mark {
	from, to := m.A, m.B
	for _, v := range overlaps {
		switch {
		case v.FromNs <= from && from < v.ToNs:
			from = min(v.ToNs, m.B)
		case from < v.FromNs && v.FromNs < to:
			to = v.FromNs
		}
	}
	return p.between(m, from, to)
}

// termSpans returns the span of each term.
func termSpans(terms []reports.Term) []reports.Span {
	spans := make([]reports.Span, len(terms))
	for i := range terms {
		spans[i] = terms[i].Span
	}
	return spans
}

// overlapBars adds to b a box for each part of the spans in which the candidate id took part in a violation of the property.
// The boxes are y pixels below the top of b and h pixels high.
func (p *Page) overlapBars(b *block, r *scenarios.Result, property, id string, spans []reports.Span, y, h int) {
	for _, v := range violationsBy(r, property, id) {
		title := fmt.Sprintf("%s: %s at once for %s, from %s to %s", property, reports.Parties(&v, names(v.Names())),
			words.Duration(v.ToNs-v.FromNs), words.Duration(v.FromNs), words.Duration(v.ToNs))
		for _, s := range reports.Within(&v, spans) {
			b.Marks = append(b.Marks, p.mark("overlap", s, y, h, title))
		}
	}
}

// clockLane adds to b a lane that shows how far candidate i's wall clock is from true time, if it ever is.
func (p *Page) clockLane(b *block, i int32) {
	points, most := p.clocks[i].line(int64(p.Header.Horizon))
	if points == nil {
		return
	}
	const half = 9
	middle := b.Height + half + 2
	var data, drawn strings.Builder
	for k, at := range points {
		y := float64(middle) - half*float64(at.ahead)/float64(abs(most))
		command := "L"
		if k == 0 {
			command = "M"
		}
		fmt.Fprintf(&data, "%d %v ", at.at, tenth(y))
		fmt.Fprintf(&drawn, "%s%v %v", command, tenth(p.x(at.at)), tenth(y))
	}
	b.Clock, b.Drawn = strings.TrimSpace(data.String()), drawn.String()
	b.ClockTitle = "wall clock against true time, at most " + words.Signed(most > 0, words.Duration(most))
	b.Lanes = append(b.Lanes, laneLabel{middle - 2, "clock"}, laneLabel{middle + 10, words.Signed(most > 0, words.Duration(most))})
	b.Height += 2*half + 6
}
