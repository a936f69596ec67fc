package text

import (
	"io"
	"math"
	"strings"

	"interregnum/reports"
)

// Unlimited is a width that breaks no line, except sentences of the gate.
const Unlimited = math.MaxInt

// sentenceWidth is how wide the sentences of the gate are at most.
const sentenceWidth = 80

// sheet is the gate's text on its way to a writer.
type sheet struct {
	width int
	lines []string
}

// newSheet returns an empty sheet of that many columns, or of reports.MinWidth if that is more.
func newSheet(width int) *sheet { return &sheet{width: max(width, reports.MinWidth)} }

// line adds a line; where the sheet has no room for it, it goes on in further lines, which are indented.
func (s *sheet) line(text string) { s.lines = append(s.lines, hanging(text, s.width)...) }

// say adds a sentence below a line, broken between words; nothing where the sentence is empty.
func (s *sheet) say(text string) {
	s.lines = append(s.lines, wrapBy(text, 2, min(s.width, sentenceWidth))...)
}

// blank adds an empty line.
func (s *sheet) blank() { s.lines = append(s.lines, "") }

// table adds a table.
func (s *sheet) table(t *table) { s.lines = append(s.lines, t.within(s.width)...) }

// write writes all lines.
func (s *sheet) write(w io.Writer) error {
	_, err := io.WriteString(w, strings.Join(s.lines, "\n")+"\n")
	return err
}
