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

// wrap breaks a text between words into lines of at most width columns. A longer word has a line of its own. It returns nil for a
// text without words.
func wrap(text string, width int) []string { return flow(strings.Fields(text), " ", width) }

// wrapBy breaks a text between words into lines of at most width columns. Each line begins with as many spaces as by says, which
// count as columns.
func wrapBy(text string, by, width int) []string {
	lines := wrap(text, width-by)
	for i := range lines {
		lines[i] = strings.Repeat(" ", by) + lines[i]
	}
	return lines
}

// hanging returns a line as it is if it has at most width columns or if width is 0. Otherwise it breaks the line between words,
// and indents all lines but the first by two more spaces.
func hanging(line string, width int) []string {
	if width == 0 || words.Width(line) <= width {
		return []string{line}
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	parts := wrapBy(line, indent+2, width)
	parts[0] = parts[0][2:]
	return parts
}

// beside puts a text before the first of lines, and spaces before the others, so that what was in lines begins at the given column.
// It cuts off spaces at the ends of the lines. It changes the slice lines itself, and returns it.
func beside(text string, column int, lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(pad(text, column)+lines[i], " ")
		text = ""
	}
	return lines
}

// pad returns s with spaces after it, so that it is width columns wide; s as it is if it is wide enough.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-words.Width(s), 0))
}
