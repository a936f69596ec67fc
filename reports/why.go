package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// maxWhy is how many overlaps a text explains, the longest ones; the JSON form has them all.
const maxWhy = 3

// explanations returns how the longest overlaps came about, at most maxWhy of them, the longest first, and the number
// of all that are explained.
func explanations(r *scenarios.Result) (shown []explain.Explanation, all int) {
	for i := range r.Properties {
		for _, v := range r.Properties[i].Violations {
			shown = append(shown, v.Explanations...)
		}
	}
	slices.SortStableFunc(shown, func(a, b explain.Explanation) int {
		return cmp.Compare(b.ToNs-b.FromNs, a.ToNs-a.FromNs)
	})
	return shown[:min(len(shown), maxWhy)], len(shown)
}

// Why writes how the longest overlaps came about, behind an empty line; nothing where there is nothing to explain.
func Why(w io.Writer, r *scenarios.Result, width int) error {
	lines := section(nil, whyLines(r, max(width, MinWidth)))
	if len(lines) == 0 {
		return nil
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// whyLines returns how the longest overlaps came about, as text; nothing where there are none.
func whyLines(r *scenarios.Result, width int) []string {
	shown, all := explanations(r)
	var lines []string
	for i := range shown {
		e := &shown[i]
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, wrap(whyTitle(e), width)...)
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

// whyTitle returns the heading of an explanation: who worked at once, and from when to when.
func whyTitle(e *explain.Explanation) string {
	return fmt.Sprintf("why %s and %s worked at once, from %s to %s:", words.Visible(check.InElection(e.Election, e.First)[0], words.MaxName), words.Visible(check.InElection(e.Election, e.Second)[0], words.MaxName),
		words.Duration(e.FromNs), words.Duration(e.ToNs))
}

// stepLines are the steps, each behind its time.
func stepLines(e *explain.Explanation, width int) []string {
	column := 0
	for _, s := range e.Steps {
		column = max(column, len(words.Duration(s.AtNs))+3)
	}
	var lines []string
	for _, s := range e.Steps {
		for i, part := range wrap(words.Visible(s.Text, words.MaxText), max(width-4-column, MinWidth/2)) {
			at := ""
			if i == 0 {
				at = words.Duration(s.AtNs)
			}
			lines = append(lines, "    "+pad(at, column)+part)
		}
	}
	return lines
}

// wrapBy breaks a text between words into lines of at most width columns, each indented by that many blanks.
func wrapBy(text string, by, width int) []string {
	lines := wrap(text, width-by)
	for i := range lines {
		lines[i] = strings.Repeat(" ", by) + lines[i]
	}
	return lines
}
