package text

import (
	"strings"

	"interregnum/reports/internal/words"
)

// section returns lines followed by an empty line and more, or only lines if more is empty.
func section(lines, more []string) []string {
	if len(more) == 0 {
		return lines
	}
	return append(append(lines, ""), more...)
}

// flow joins parts with gap between them into lines of at most width columns. A part that is wider has a line of its own.
func flow(parts []string, gap string, width int) []string {
	var lines []string
	line := ""
	for _, part := range parts {
		switch {
		case line == "":
			line = part
		case words.Width(line)+words.Width(gap)+words.Width(part) <= width:
			line += gap + part
		default:
			lines = append(lines, line)
			line = part
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// wrap breaks a text between words into lines of at most width columns.
func wrap(text string, width int) []string { return flow(strings.Fields(text), " ", width) }

// wrapBy breaks a text between words into lines of at most width columns, indented by by blanks.
func wrapBy(text string, by, width int) []string {
	lines := wrap(text, width-by)
	for i := range lines {
		lines[i] = strings.Repeat(" ", by) + lines[i]
	}
	return lines
}

// hanging breaks a line that is wider than width between words; a width of 0 is no limit. All lines but the first are
// indented by two more columns.
func hanging(line string, width int) []string {
	if width == 0 || words.Width(line) <= width {
		return []string{line}
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	parts := wrapBy(line, indent+2, width)
	parts[0] = parts[0][2:]
	return parts
}

// beside puts a text before the first of lines, and blanks before the others, so that all begin at a column. It cuts off blanks at
// their ends. It changes lines in place, and returns it.
func beside(text string, column int, lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(pad(text, column)+lines[i], " ")
		text = ""
	}
	return lines
}

// pad adds blanks to s until it is width columns wide.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-words.Width(s), 0))
}
