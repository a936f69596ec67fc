package page

import (
	"fmt"
	"slices"

	"interregnum/plan"
	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// faultBlock returns a block with the faults on all candidates and on records; nil if there are none.
func (p *Page) faultBlock(c *chart) *block {
	b := &block{Kind: "everybody", Candidate: -1, Name: "faults on all", Height: 4}
	p.faultStrips(c, b, func(o *reports.Occurrence) bool { return o.Everybody || o.Record })
	if len(b.Marks) == 0 {
		return nil
	}
	b.Height += 4
	return b
}

// A strip is a row of faults in a block. stripHeight is its height, and maxStrips how many a block has. Strips are chosen so that
// labels fit if the plot is stripPlot wide, as it is beside the list of events.
const (
	stripHeight = 16
	maxStrips   = 4
	stripPlot   = 480
)

// faultStrips adds the faults for which wanted returns true to b, below all that b has so far: a caller that wants them at the top calls it
// first. It makes as few strips as their labels allow, at most maxStrips, and adds their height to b.Height and the label "faults" to
// b.Lanes if there are any. A label that would cover others is hidden. The script shows it when a zoom has made room. Once b has maxMarks
// marks, it leaves out the rest and sets c.condensed.
func (p *Page) faultStrips(c *chart, b *block, wanted func(*reports.Occurrence) bool) {
	var free, tight [maxStrips]float64
	scale := min(1, stripPlot/(p.width-p.gutter))
	used := 0
	for i := range p.Faults {
		o := &p.Faults[i]
		if !wanted(o) {
			continue
		}
		if len(b.Marks) == maxMarks {
			c.condensed = true
			break
		}
		class := "fault f-" + string(o.Kind)
		title := p.title(bunch{o.Span, 1}, o.Label)
		if o.From == o.To {
			class, title = class+" instant", fmt.Sprintf("%s at %s", o.Label, words.Duration(o.From))
		}
		m := p.mark(class, o.Span, 0, stripHeight-3, title)
		if m = p.inside(m, o.Label); m.Hidden {
			m.Hidden = false
			m = p.beside(m, o.Label)
		}
		strip := 0
		for strip < maxStrips-1 && tight[strip] > scale*float64(m.X) {
			strip++
		}
		if m.Hidden = free[strip] > float64(m.X); !m.Hidden {
			free[strip] = max(float64(m.X+m.W), float64(m.LabelX)+textWidth(m.Label)) + 6
			tight[strip] = float64(scale*float64(m.X+m.W)) + 5 + textWidth(m.Label) + 6
		}
		m.Y = b.Height + strip*stripHeight
		used = max(used, strip+1)
		b.Marks = append(b.Marks, m)
	}
	if used > 0 {
		b.Lanes = append(b.Lanes, laneLabel{b.Height + 10, "faults"})
	}
	b.Height += used * stripHeight
}

// shades returns marks, at most maxMarks, that show a candidate's fault windows behind all lanes of its block b.
func (p *Page) shades(b *block, candidate int32) []mark {
	var all []mark
	for i := range p.Faults {
		o := &p.Faults[i]
		if o.From != o.To && slices.Contains(o.On, candidate) && len(all) < maxMarks {
			class := "shade"
			if o.Kind == plan.FaultPause {
				class = "shade frozen"
			}
			all = append(all, p.mark(class, o.Span, 0, b.Height, ""))
		}
	}
	return all
}
