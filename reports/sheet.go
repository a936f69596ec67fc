package reports

import "math"

// sheet is in how many columns text is written. Tables and lines with a position are as long as they are on anySheet; sentences
// never have more than gateWidth.
type sheet int

const anySheet sheet = math.MaxInt

// sheetOf returns a sheet of that many columns, or of MinWidth if that is more.
func sheetOf(width int) sheet { return sheet(max(width, MinWidth)) }

// indented wraps a text, each line behind an indent.
func (s sheet) indented(indent, text string) []string {
	lines := wrap(text, min(int(s), gateWidth)-len(indent))
	for i := range lines {
		lines[i] = indent + lines[i]
	}
	return lines
}

// hanging returns a line; where the sheet has no room for it, it goes on in further lines, which are indented.
func (s sheet) hanging(line string) []string { return hanging(line, int(s)) }
