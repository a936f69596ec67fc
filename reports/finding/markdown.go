package finding

import (
	"fmt"
	"strings"

	"interregnum/elector/machine"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/reports/internal/words"
)

// markdownText makes foreign text safe to show, and escapes it.
func markdownText(s string) string { return escapeMarkdown(words.Visible(s, words.MaxText)) }

// configuration returns the first cells of the row of a configuration that was judged: where it stands, and its timings.
func configuration(at files.Position, t *machine.Timings) string {
	return fmt.Sprintf("| %s | %s / %s / %s |", escapeMarkdown(at.Name()), words.Duration(t.LeaseDuration), words.Duration(t.RenewDeadline),
		words.Duration(t.RetryPeriod))
}

// unjudged writes to b an empty line and, if there are any, a list of the report's problems and notes with an empty line after
// it.
func unjudged(b *strings.Builder, r *gate.Report) {
	b.WriteString("\n")
	for _, p := range r.Problems {
		fmt.Fprintf(b, "- **bad input** %s\n", escapeMarkdown(p.Error()))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "- %s\n", escapeMarkdown(n.String()))
	}
	if len(r.Problems)+len(r.Notes) > 0 {
		b.WriteString("\n")
	}
}

// fence returns a text as a Markdown code block. The fence is longer than any in the text.
func fence(text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "text\n" + strings.TrimRight(text, "\n") + "\n" + mark + "\n"
}

// escapeMarkdown returns a text on one line, without characters that Markdown or a table in it would take for markup.
func escapeMarkdown(s string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "`", "\\`", "*", "\\*", "_", "\\_",
		"[", "\\[", "]", "\\]", "@", "&#64;", "\n", " ").Replace(s)
}
