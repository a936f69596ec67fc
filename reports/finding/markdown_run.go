package finding

import (
	"fmt"
	"io"
	"strings"

	"interregnum/internal/explain"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/reports/text"
)

// maxMarkdownRuns is how many runs are shown in full: a comment on a pull request has at most 65,536 characters.
const maxMarkdownRuns = 5

// Markdown writes runs for the summary of a job or a comment on a pull request. A table has a line for each run. A single
// run, or else each run that is not as expected, is then shown in full, at most maxMarkdownRuns: what was violated and how
// it came about. picture is the timeline of one run as text, "" for none.
func Markdown(w io.Writer, runs []reports.Run, picture string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Leader election: %s\n\n| scenario | verdict | overlap | |\n| --- | --- | --- | --- |\n", reports.Count(runs))
	var full []*reports.Run
	for i := range runs {
		r := &runs[i]
		name, verdict, overlap, expected := r.Line()
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", markdownText(name), escapeMarkdown(verdict), overlap, expected)
		if len(runs) == 1 || !r.Fine() {
			full = append(full, r)
		}
	}
	for _, r := range full[:min(len(full), maxMarkdownRuns)] {
		markdownRun(&b, r)
	}
	if left := len(full) - maxMarkdownRuns; left > 0 {
		fmt.Fprintf(&b, "\n… and %s more that are not as expected.\n", words.Count(left))
	}
	if picture != "" {
		b.WriteString("\n" + fence(picture))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownRun writes a run in full: what it shows, its verdicts, its violations, how the longest overlaps came about, and the
// command that repeats it. A run that failed has its error in place of verdicts, violations and overlaps.
func markdownRun(b *strings.Builder, r *reports.Run) {
	fmt.Fprintf(b, "\n#### %s\n\n", markdownText(r.Scenario.Name))
	if r.Scenario.About != "" {
		fmt.Fprintf(b, "%s\n\n", markdownText(r.Scenario.About))
	}
	if r.Result == nil {
		b.WriteString(fence(words.VisibleLines(fmt.Sprint(r.Err))))
	} else {
		b.WriteString(fence(text.Verdicts(r)))
		shown, all := reports.Explanations(r.Result, reports.MaxExplained)
		for i := range shown {
			markdownWhy(b, &shown[i])
		}
		if left := all - len(shown); left > 0 {
			fmt.Fprintf(b, "\n… and %s more overlaps.\n", words.Count(left))
		}
	}
	fmt.Fprintf(b, "\nTo run it again:\n\n%s", fence(r.Command))
}

// markdownWhy writes how an overlap came about, with its steps in a section that opens on a click.
func markdownWhy(b *strings.Builder, e *explain.Explanation) {
	fmt.Fprintf(b, "\n**%s** %s.\n", markdownText(reports.WhyTitle(e)), markdownText(e.Summary))
	if e.Sum != nil {
		fmt.Fprintf(b, "\n> %s\n", markdownText(e.Sum.Text))
	}
	b.WriteString("\n<details><summary>step by step</summary>\n\n| | | |\n| --- | --- | --- |\n")
	for _, s := range e.Steps {
		fmt.Fprintf(b, "| %s | %s | %s |\n", words.Duration(s.AtNs), markdownText(s.Candidate), markdownText(s.Text))
	}
	b.WriteString("\n</details>\n")
}
