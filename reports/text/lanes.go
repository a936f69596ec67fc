package text

import (
	"strings"

	"interregnum/reports/internal/words"
)

// bar is a fault in a picture: a window or an instant. Its label is inside if there is room, else beside it.
type bar struct {
	first, last int
	label       string
	// instant is drawn as a mark; endless goes on beyond the picture.
	instant, endless bool
}

// maxLanes is how many rows the faults of one candidate may take.
const maxLanes = 4

// lanes returns rows with all the bars, as few as it can and at most maxLanes. No label is drawn over; one without room is cut or
// left out. If there is no room for all bars, the last row has bars without labels, which can cover each other.
func lanes(bars []bar, columns int) []row {
	for _, named := range []int{maxLanes, maxLanes - 1} {
		var rows []row
		fits := true
		for _, b := range bars {
			var room bool
			rows, room = b.place(rows, columns, named)
			fits = fits && room
		}
		if fits || named < maxLanes {
			return rows
		}
	}
	return nil
}

// place draws a bar on the first of the rows that has room, and adds a row if necessary. It returns the rows. The bool is false if
// no row had room, so that the bar was drawn over others on the last row. The number named says how many rows, from the first on,
// can have labels. A label without room is cut to its first word, or left out. columns is the width of a row.
func (b bar) place(rows []row, columns, named int) ([]row, bool) {
	kind, _, _ := strings.Cut(b.label, " ")
	for _, label := range []string{b.label, kind, ""} {
		b.label = label
		limit := named
		if label == "" {
			limit = maxLanes
		}
		for _, at := range b.labelColumns(columns) {
			from, to := min(b.first, at), max(b.last, at+words.Width(label)-1)
			for i := 0; i < limit; i++ {
				if i == len(rows) {
					rows = append(rows, newRow(columns, ' '))
				}
				if rows[i].free(from-1, to+1) {
					b.draw(rows[i])
					rows[i].text(at, label)
					return rows, true
				}
			}
		}
	}
	b.draw(rows[maxLanes-1])
	return rows, false
}

// labelColumns returns the columns at which the label can begin: inside the bar if it fits there, otherwise right of it and left
// of it, as far as there is room. It returns none if there is no room, and the bar's first column for an empty label.
func (b bar) labelColumns(columns int) []int {
	n := words.Width(b.label)
	var at []int
	switch {
	case n == 0:
		return []int{b.first}
	case !b.instant && b.last-b.first-1 >= n:
		return []int{b.first + 1}
	}
	if b.last+2+n <= columns {
		at = append(at, b.last+2)
	}
	if b.first-1-n >= 0 {
		at = append(at, b.first-1-n)
	}
	return at
}

// draw draws a bar on r without its label: ^ for an instant, | for a window of one column, [--] for a longer one, and [-->
// for one that lasts beyond the picture.
func (b bar) draw(r row) {
	switch {
	case b.instant:
		r[b.first] = '^'
		return
	case b.first == b.last:
		r[b.first] = '|'
		return
	}
	r.fill(b.first, b.last, '-')
	r[b.first], r[b.last] = '[', ']'
	if b.endless {
		r[b.last] = '>'
	}
}

// free tells whether the columns from first to last, inclusive, are spaces. Columns outside of the row count as spaces.
func (r row) free(first, last int) bool {
	for i := max(first, 0); i <= last && i < len(r); i++ {
		if r[i] != ' ' {
			return false
		}
	}
	return true
}
