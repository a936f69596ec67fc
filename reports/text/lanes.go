package text

import (
	"strings"

	"interregnum/reports/internal/words"
)

// bar is a fault in a picture: a window or an instant with its name beside it, or inside where there is
// room.
type bar struct {
	first, last int
	label       string
	// instant is drawn as a mark; endless goes on beyond the picture.
	instant, endless bool
}

// maxLanes is how many lines the faults of one candidate may take.
const maxLanes = 4

// lanes lays bars out on as few lines as it can. A bar never vanishes, and no name is drawn over: where there is no room
// for its name a bar loses the name, and where there is no room at all the last line is for bars without names, over
// each other if need be.
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

// place draws a bar on the first line that has room, and adds a line if need be; it returns false if there was none and
// the bar was drawn over others. Its name, or the first word of it, goes on one of the first named lines, or is left
// out.
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

// labelColumns are the columns at which the label may begin: inside, right of the bar, left of it.
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

// draw draws a bar without its name: ^ is an instant, | a window of one column, [--] a longer one, and [--> one that
// goes on beyond the picture.
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

// free tells whether the columns from first to last, as far as there are any, are blank.
func (r row) free(first, last int) bool {
	for i := max(first, 0); i <= last && i < len(r); i++ {
		if r[i] != ' ' {
			return false
		}
	}
	return true
}
