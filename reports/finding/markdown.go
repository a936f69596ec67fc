package finding

import (
	"strings"

	"interregnum/reports/internal/words"
)

// markdownText makes foreign text safe to show, and escapes it.
func markdownText(s string) string { return escapeMarkdown(words.Visible(s, words.MaxText)) }

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
