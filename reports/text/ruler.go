package text

import (
	"strings"
	"time"

	"interregnum/reports/internal/axis"
	"interregnum/reports/internal/words"
)

// perColumn formats how much time a column covers: with three significant digits below a minute, to the second below an hour, to
// the minute below a day, then to the hour; "less than 1ns" for 0.
func perColumn(s axis.Scale) string {
	const day = 24 * time.Hour
	d := time.Duration(s.Horizon / int64(s.Columns))
	switch {
	case d == 0:
		return "less than 1ns"
	case d >= day:
		d = d.Round(time.Hour)
	case d >= time.Hour:
		d = d.Round(time.Minute)
	case d >= time.Minute:
		d = d.Round(time.Second)
	default:
		unit := time.Duration(1)
		for d/unit >= 1000 {
			unit *= 10
		}
		d = d.Round(unit)
	}
	return words.Duration(d)
}

// tick is a labelled instant of the axis.
type tick struct {
	column int
	label  string
}

// tickGap is the smallest number of spaces between two labels.
const tickGap = 3

// ticks returns the labelled instants of the axis: the multiples of the shortest round time at which labels do not
// touch.
func ticks(s axis.Scale) []tick {
	for step := axis.Step(1, s.Horizon, int64(s.Columns)-1); ; step = axis.NextStep(step) {
		if t, fits := ticksEvery(s, step); fits {
			return t
		}
	}
}

// ticksEvery returns a tick at each multiple of step before the horizon. If two labels would touch, it returns nil and false.
func ticksEvery(s axis.Scale, step time.Duration) (ticks []tick, fits bool) {
	free := 0
	for at := range axis.Multiples(step, s.Horizon-1) {
		t := tick{column: s.Column(at), label: words.Duration(at)}
		if t.column < free {
			return nil, false
		}
		free = t.column + words.Width(t.label) + tickGap
		ticks = append(ticks, t)
	}
	return ticks, true
}

// ruler returns the two lines of the axis: the labels, and a line of hyphens with a + below the first character of each label. If
// there is room, the label of the horizon ends where the second line ends.
func ruler(s axis.Scale) (labels, marks string) {
	top := newRow(s.Columns+1, ' ')
	bottom := newRow(s.Columns+1, '-')
	free := 0
	for _, t := range ticks(s) {
		top.text(t.column, t.label)
		bottom[t.column] = '+'
		free = t.column + words.Width(t.label) + tickGap
	}
	end := words.Duration(s.Horizon)
	if at := s.Columns + 1 - words.Width(end); at >= free {
		top.text(at, end)
	}
	bottom[s.Columns] = '+'
	return strings.TrimRight(string(top), " "), string(bottom)
}

// row is one line of a picture, a rune a column.
type row []rune

// newRow returns a row of that many columns, each with the same character.
func newRow(columns int, fill rune) row {
	r := make(row, columns)
	for i := range r {
		r[i] = fill
	}
	return r
}

// covered marks a column that the wide character before it covers.
const covered = '\x00'

// text writes s into the row, beginning at the column at. It cuts off what does not fit, and leaves out characters of no width.
func (r row) text(at int, s string) {
	for _, c := range s {
		wide := words.Width(string(c))
		if wide == 0 {
			continue
		}
		if at+wide > len(r) {
			return
		}
		r[at] = c
		r.fill(at+1, at+wide-1, covered)
		at += wide
	}
}

// fill sets the columns from first to last, inclusive, to c.
func (r row) fill(first, last int, c rune) {
	for i := first; i <= last; i++ {
		r[i] = c
	}
}

// String returns the row as text, without spaces at its end.
func (r row) String() string {
	return strings.TrimRight(strings.ReplaceAll(string(r), string(covered), ""), " ")
}
