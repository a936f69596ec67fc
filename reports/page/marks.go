package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"interregnum/reports"
)

// The measures of the chart without a script, in pixels. The script makes it as wide as the window. A chart of narrowWidth is for
// telephones.
const (
	chartWidth   = 1200
	narrowWidth  = 400
	rightMargin  = 16
	leastGutter  = 184
	narrowGutter = 104
	laneNames    = 74
	nameWidth    = 8.6
	nameHeight   = 16
	maxFullName  = 36
	axisHeight   = 30
	charWidth    = 6.4
	boldWidth    = 7.4
)

// px is a length in pixels, to a tenth.
type px float64

// String returns the number without a unit.
func (p px) String() string { return strconv.FormatFloat(float64(p), 'f', -1, 64) }

// tenth rounds a length to a tenth of a pixel. The conversion prevents a fused multiply and add, with which some machines
// would round differently.
func tenth(v float64) px { return px(float64(int64(float64(v*10)+0.5)) / 10) }

// mark is a stretch of true time, [A, B), or an instant where A = B, drawn as a box.
type mark struct {
	Class  string
	A, B   int64
	X, W   px
	Y, H   int
	Label  string
	LabelX px
	// From and To are the part of the box in which the label may stand.
	From, To int64
	// Beside puts the label beside the box, otherwise it is inside; AtEnd puts it left of the box. Hidden tells that it has no
	// room.
	Beside, Hidden, AtEnd bool
	Title                 string
}

// LabelY returns the vertical position of the label's base line, for a text in the middle of the box.
func (m mark) LabelY() int { return m.Y + m.H/2 + 4 }

// x returns the horizontal position of an instant on the chart, in pixels. It needs p.width and p.gutter, which chart sets.
func (p *Page) x(at int64) float64 {
	return p.gutter + (p.width-rightMargin-p.gutter)*float64(at)/float64(max(int64(p.Header.Horizon), 1))
}

// mark returns the box of a span, without a label. Its top is at y and its height is h, in pixels. A span that has not ended
// lasts to the horizon.
func (p *Page) mark(class string, s reports.Span, y, h int, title string) mark {
	to := min(s.To, int64(p.Header.Horizon))
	x, end := p.x(s.From), p.x(to)
	m := mark{Class: class, A: s.From, B: to, From: s.From, To: to, X: tenth(x), W: tenth(max(end-x, 1)), Y: y, H: h,
		Title: title}
	m.LabelX = m.X + 4
	return m
}

// between returns the box m with its label limited to the part between two instants, since the remaining part is covered.
func (p *Page) between(m mark, from, to int64) mark {
	m.From, m.To = from, to
	m.LabelX = tenth(p.x(from) + 4)
	return m
}

// inside returns the box m with a label inside. The label is hidden if it does not fit.
func (p *Page) inside(m mark, label string) mark {
	m.Label = label
	m.Hidden = float64(m.LabelX)+textWidth(label)+4 > p.x(m.To)
	return m
}

// beside returns the box m with a label right of it. The label is left of it if there is no room on the right, but room on the
// left. If there is room on neither side, it begins in the box, or as much before as it needs to end in the chart.
func (p *Page) beside(m mark, label string) mark {
	m.Label, m.Beside = label, true
	m.LabelX = tenth(float64(m.X+m.W) + 5)
	switch long := m.labelWidth(); {
	case float64(m.LabelX)+long <= p.width:
	case float64(m.X)-long > p.gutter:
		m.LabelX, m.AtEnd = tenth(float64(m.X)-5), true
	default:
		m.LabelX = tenth(max(p.gutter+2, min(float64(m.X)+6, p.width-long-4)))
	}
	return m
}

// extent is a horizontal range, in pixels.
type extent struct{ from, to float64 }

// labelExtent returns the range that the label covers.
func (m *mark) labelExtent() extent {
	if m.AtEnd {
		return extent{float64(m.LabelX) - m.labelWidth(), float64(m.LabelX)}
	}
	return extent{float64(m.LabelX), float64(m.LabelX) + m.labelWidth()}
}

// hideCollisions hides labels that would cover boxes of others or other labels of the lane. Of two labels, that of the longer box
// stays.
func hideCollisions(lane []mark) {
	order := make([]*mark, len(lane))
	var taken []extent
	for i := range lane {
		order[i] = &lane[i]
	}
	slices.SortStableFunc(order, func(a, b *mark) int { return cmp.Compare(b.B-b.A, a.B-a.A) })
	for _, m := range order {
		e := m.labelExtent()
		covers := func(t extent) bool { return e.from < t.to+3 && t.from < e.to+3 }
		m.Hidden = slices.ContainsFunc(taken, covers) || slices.ContainsFunc(order, func(other *mark) bool {
			return other != m && covers(extent{float64(other.X), float64(other.X + other.W)})
		})
		if !m.Hidden {
			taken = append(taken, e)
		}
	}
}

// labelWidth returns the estimated width of the label in pixels. Labels of violations are bold.
func (m *mark) labelWidth() float64 {
	if strings.HasPrefix(m.Class, "violation") {
		return float64(boldWidth * float64(len([]rune(m.Label))))
	}
	return textWidth(m.Label)
}

// textWidth returns the estimated width of a text in pixels.
func textWidth(s string) float64 { return float64(charWidth * float64(len([]rune(s)))) }
