package text

import (
	"strings"

	"interregnum/reports/internal/words"
)

// table is text in columns, whose cells can be broken into several lines.
type table struct {
	indent string
	// headed tells that the first row has the names of the columns.
	headed bool
	rows   [][]string
}

// newTable returns a table that has the names of its columns and no rows yet.
func newTable(indent string, columns ...string) *table {
	return &table{indent: indent, headed: true, rows: [][]string{columns}}
}

// The numbers of spaces between columns: tableGap, and nearGap where there is little room.
const (
	tableGap = 3
	nearGap  = 2
)

// add appends a row with these cells to the table.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// cut returns the table without the last columns for which a line of width has no room, but with as many as least says.
func (t *table) cut(width, least int) *table {
	for {
		widths, _ := t.widths()
		if len(widths) <= least || t.total(widths, nearGap) <= width {
			return t
		}
		for i, r := range t.rows {
			t.rows[i] = r[:len(widths)-1]
		}
	}
}

// within returns the table as lines of at most width columns of a terminal, if words are short enough, since no word is broken.
// If the table is too wide, the gaps get smaller; then cells are broken between words, first in the widest column; then it
// returns the rows as stacked does.
func (t *table) within(width int) []string {
	widths, least := t.widths()
	between := tableGap
	if t.total(widths, between) > width {
		between = nearGap
	}
	for t.total(widths, between) > width {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return t.stacked(width)
		}
		widths[widest]--
	}
	t.tighten(widths)
	var lines []string
	for _, r := range t.rows {
		lines = append(lines, t.folded(r, widths, between)...)
	}
	return lines
}

// tighten reduces widths, in place, to what the cells need once they are broken.
func (t *table) tighten(widths []int) {
	tight := make([]int, len(widths))
	for _, r := range t.rows {
		for i, cell := range r {
			if words.Width(cell) <= widths[i] {
				tight[i] = max(tight[i], words.Width(cell))
				continue
			}
			for _, part := range wrap(cell, widths[i]) {
				tight[i] = max(tight[i], words.Width(part))
			}
		}
	}
	copy(widths, tight)
}

// widths returns, for each column, the width of its widest cell and that of its longest word.
func (t *table) widths() (widths, least []int) {
	for _, r := range t.rows {
		for i, cell := range r {
			if i == len(widths) {
				widths, least = append(widths, 0), append(least, 0)
			}
			widths[i] = max(widths[i], words.Width(cell))
			for word := range strings.FieldsSeq(cell) {
				least[i] = max(least[i], words.Width(word))
			}
		}
	}
	return widths, least
}

// total returns the width of the table, given the widths of its columns and the number of spaces between two. Columns of width 0
// take none.
func (t *table) total(widths []int, between int) int {
	total := len(t.indent) - between
	for _, w := range widths {
		if w > 0 {
			total += w + between
		}
	}
	return total
}

// folded returns the lines of row r. Each cell is broken to the width of its column. between is the number of spaces between two
// columns; a column of width 0 is left out.
func (t *table) folded(r []string, widths []int, between int) (lines []string) {
	cells, height := make([][]string, len(r)), 1
	for i, cell := range r {
		cells[i] = []string{cell}
		if words.Width(cell) > widths[i] {
			cells[i] = wrap(cell, widths[i])
		}
		height = max(height, len(cells[i]))
	}
	for k := range height {
		var b strings.Builder
		for i, cell := range cells {
			part := ""
			if k < len(cell) {
				part = cell[k]
			}
			if widths[i] > 0 {
				b.WriteString(pad(part, widths[i]+between))
			}
		}
		lines = append(lines, strings.TrimRight(t.indent+b.String(), " "))
	}
	return lines
}

// stacked returns the table without columns, as lines of at most width: the first cell of each row, and below it the others, each
// after the name of its column. It leaves out cells that are empty or "-". If the first column has no name, its cell stands
// before the next.
func (t *table) stacked(width int) (lines []string) {
	var names []string
	rows := t.rows
	if t.headed {
		names, rows = rows[0], rows[1:]
	}
	for _, r := range rows {
		var parts []string
		mark := ""
		for i, cell := range r {
			switch {
			case i == 0 && t.headed && strings.TrimSpace(names[0]) == "":
				mark = strings.TrimLeft(strings.TrimSpace(cell)+" ", " ")
				continue
			case cell == "" || cell == "-" && i > 0:
				continue
			case i < len(names) && names[i] != "":
				cell = names[i] + " " + cell
			}
			parts = append(parts, cell)
		}
		if len(parts) == 0 {
			continue
		}
		lines = append(lines, wrapBy(mark+parts[0], len(t.indent), width)...)
		lines = append(lines, wrapBy(strings.Join(parts[1:], "; "), len(t.indent)+2, width)...)
	}
	return lines
}
