package text

import (
	"io"
	"math"
	"strings"

	"interregnum/reports"
)

// Unlimited is a width that breaks no lines except those of the gate's sentences.
const Unlimited = math.MaxInt

// sentenceWidth is the highest width of the gate's sentences.
const sentenceWidth = 80

// sheet collects lines of text, which have at most width columns, and those of sentences at most sentence columns.
type sheet struct {
	width, sentence int
	lines           []string
}

// newSheet returns an empty sheet, whose lines have at most width columns; a width below reports.MinWidth counts as that.
func newSheet(width int) *sheet {
	width = max(width, reports.MinWidth)
	return &sheet{width: width, sentence: min(width, sentenceWidth)}
}

// told returns, joined by line feeds, the lines that fill adds to a new sheet of Unlimited width.
func told(fill func(*sheet)) string {
	s := newSheet(Unlimited)
	fill(s)
	return strings.Join(s.lines, "\n")
}

// line adds a line to the sheet. If it is wider than the sheet, it continues on further lines, which are indented.
func (s *sheet) line(text string) { s.lines = append(s.lines, hanging(text, s.width)...) }

// say adds a sentence to the sheet, indented, broken between words. It adds nothing if the sentence is empty.
func (s *sheet) say(text string) {
	s.lines = append(s.lines, wrapBy(text, 2, s.sentence)...)
}

// blank adds an empty line to the sheet.
func (s *sheet) blank() { s.lines = append(s.lines, "") }

// apart adds an empty line to the sheet, unless its last line is empty.
func (s *sheet) apart() {
	if n := len(s.lines); n > 0 && s.lines[n-1] != "" {
		s.blank()
	}
}

// table adds a table to the sheet, broken to its width.
func (s *sheet) table(t *table) { s.lines = append(s.lines, t.within(s.width)...) }

// write writes all lines of the sheet to w.
func (s *sheet) write(w io.Writer) error { return write(w, s.lines) }

// write writes lines to w.
func write(w io.Writer, lines []string) error {
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}
