package finding

import (
	"strings"

	"interregnum/reports/internal/words"
)

// markdownText makes foreign text fit to be shown, and escapes it, so that Markdown shows it as it is.
func markdownText(s string) string { return markdownCell(words.Visible(s, words.MaxText)) }

// fence returns a text as a Markdown code block, with a fence that does not occur in the text.
func fence(text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "text\n" + strings.TrimRight(text, "\n") + "\n" + mark + "\n"
}

// markdownCell keeps a text from being taken for markup.
func markdownCell(s string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "`", "\\`", "*", "\\*", "_", "\\_",
		"[", "\\[", "]", "\\]", "@", "&#64;", "\n", " ").Replace(s)
}
