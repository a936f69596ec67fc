package reports

import (
	"math/bits"
	"strings"
	"time"
)

// scale maps true time onto the columns of a picture. Column c covers the instants from c/columns to
// (c+1)/columns of the horizon.
type scale struct {
	horizon int64
	columns int
}

// column is where an instant lies; the horizon itself counts to the last column.
func (s scale) column(at int64) int {
	c, _ := s.divide(at)
	return min(c, s.columns-1)
}

// cells returns the first and the last column that the stretch [from, to) touches; even the shortest stretch takes one
// column.
func (s scale) cells(from, to int64) (first, last int) {
	first = s.column(from)
	last, within := s.divide(to)
	if !within {
		last--
	}
	return first, min(max(first, last), s.columns-1)
}

// divide returns the column in which an instant lies, and whether the instant lies inside that column, not exactly at
// its beginning. From the horizon on the column is s.columns.
func (s scale) divide(at int64) (column int, within bool) {
	if at <= 0 || s.horizon <= 0 {
		return 0, false
	}
	if at >= s.horizon {
		return s.columns, false
	}
	hi, lo := bits.Mul64(uint64(at), uint64(s.columns))
	q, rest := bits.Div64(hi, lo, uint64(s.horizon))
	return int(q), rest > 0
}

// perColumn returns how much time a column covers, as text: to three digits below a minute, then to the second, the
// minute or the hour.
func (s scale) perColumn() string {
	d := time.Duration(s.horizon / int64(s.columns))
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
	return human(int64(d))
}

// tick is a labelled instant of the axis.
type tick struct {
	column int
	label  string
}

// tickGap is how many columns a label leaves free before the next.
const tickGap = 3

// ticks returns the labelled instants of the axis: the multiples of the shortest round time at which labels do not
// touch.
func (s scale) ticks() []tick {
	for step := time.Duration(1); ; step = nextStep(step) {
		if s.horizon/int64(step) >= int64(s.columns) {
			continue
		}
		if t, fits := s.every(step); fits {
			return t
		}
	}
}

// every returns a tick at each multiple of step before the horizon; fits is false, and there are no ticks, where two
// labels would touch.
func (s scale) every(step time.Duration) (ticks []tick, fits bool) {
	free := 0
	for at := int64(0); at < s.horizon; at += int64(step) {
		t := tick{column: s.column(at), label: human(at)}
		if t.column < free {
			return nil, false
		}
		free = t.column + widthOf(t.label) + tickGap
		ticks = append(ticks, t)
		if at > s.horizon-int64(step) {
			break // the next one could be beyond an int64
		}
	}
	return ticks, true
}

// nextStep returns the next longer round time: 1, 2 or 5 times a power of ten in nanoseconds up to ten seconds, then 15s,
// 20s, 30s, a minute and so on up to a day, then 1, 2 or 5 times a power of ten in days.
func nextStep(step time.Duration) time.Duration {
	clock := []time.Duration{10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second,
		time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day}
	for _, next := range clock {
		if step >= clock[0] && next > step {
			return next
		}
	}
	unit := time.Duration(1)
	if step >= day {
		unit = day
	}
	for step >= 10*unit {
		unit *= 10
	}
	switch step / unit {
	case 1:
		return 2 * unit
	case 2:
		return 5 * unit
	}
	return 10 * unit
}

// axis returns the two lines of the axis: the labels, and a ruler with a + below the first character of each label. The
// horizon's label, where there is room for it, ends where the ruler ends.
func (s scale) axis() (labels, marks string) {
	top := newRow(s.columns+1, ' ')
	bottom := newRow(s.columns+1, '-')
	free := 0
	for _, t := range s.ticks() {
		top.text(t.column, t.label)
		bottom[t.column] = '+'
		free = t.column + widthOf(t.label) + tickGap
	}
	end := human(s.horizon)
	if at := s.columns + 1 - widthOf(end); at >= free {
		top.text(at, end)
	}
	bottom[s.columns] = '+'
	return strings.TrimRight(string(top), " "), string(bottom)
}

// row is one line of a picture, a rune a column.
type row []rune

func newRow(columns int, fill rune) row {
	r := make(row, columns)
	for i := range r {
		r[i] = fill
	}
	return r
}

// covered is a column that the wide character before it takes.
const covered = '\x00'

// text writes s into the row from column at on. What does not fit is cut off, and marks of no width, which join the
// character before them, are left out.
func (r row) text(at int, s string) {
	for _, c := range s {
		wide := widthOf(string(c))
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

// fill paints the columns from first to last.
func (r row) fill(first, last int, c rune) {
	for i := first; i <= last; i++ {
		r[i] = c
	}
}

func (r row) String() string {
	return strings.TrimRight(strings.ReplaceAll(string(r), string(covered), ""), " ")
}
