package text

import (
	"math"

	"interregnum/reports"
)

// Unlimited is a width that breaks no line, except sentences of the gate.
const Unlimited = math.MaxInt

// sentenceWidth is how wide the sentences of the gate are at most.
const sentenceWidth = 80

// sheet is in how many columns the gate's text is written.
type sheet int

// sheetOf returns a sheet of that many columns, or of reports.MinWidth if that is more.
func sheetOf(width int) sheet { return sheet(max(width, reports.MinWidth)) }

// indented wraps a text, each line behind an indent.
func (s sheet) indented(indent, text string) []string {
	lines := wrap(text, min(int(s), sentenceWidth)-len(indent))
	for i := range lines {
		lines[i] = indent + lines[i]
	}
	return lines
}

// hanging returns a line; where the sheet has no room for it, it goes on in further lines, which are indented.
func (s sheet) hanging(line string) []string { return hanging(line, int(s)) }
