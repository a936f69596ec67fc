package text

import (
	"fmt"
	"io"

	"interregnum/internal/explain"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// Why writes an empty line and how the longest overlaps came about. It writes nothing if there is nothing to explain.
func Why(w io.Writer, r *scenarios.Result, width int) error {
	lines := section(nil, whyLines(r, max(width, reports.MinWidth)))
	if len(lines) == 0 {
		return nil
	}
	return write(w, lines)
}

// whyLines returns how the longest overlaps came about, reports.MaxExplained at most, as lines of text; nil if there are none. A
// last line says how many more overlaps there are, if there are more.
func whyLines(r *scenarios.Result, width int) []string {
	shown, all := reports.Explanations(r, reports.MaxExplained)
	var lines []string
	for i := range shown {
		e := &shown[i]
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, wrap(reports.WhyTitle(e), width)...)
		lines = append(lines, wrapBy(words.Visible(e.Summary, words.MaxText), 2, width)...)
		if e.Sum != nil {
			lines = append(lines, wrapBy(words.Visible(e.Sum.Text, words.MaxText), 2, width)...)
		}
		lines = append(lines, stepLines(e, width)...)
	}
	if left := all - len(shown); left > 0 {
		lines = append(lines, "", fmt.Sprintf("… and %s more overlaps", words.Count(left)))
	}
	return lines
}

// stepLines returns the steps of an explanation, each after its time.
func stepLines(e *explain.Explanation, width int) []string {
	column := 0
	for _, s := range e.Steps {
		column = max(column, len(words.Duration(s.AtNs))+3)
	}
	var lines []string
	for _, s := range e.Steps {
		text := wrap(words.Visible(s.Text, words.MaxText), max(width-4-column, reports.MinWidth/2))
		lines = append(lines, beside("    "+words.Duration(s.AtNs), 4+column, text)...)
	}
	return lines
}
