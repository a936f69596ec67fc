package text

import (
	"strings"

	"interregnum/reports/internal/words"
)

// Fold returns a text with each paragraph broken into lines of at most width columns. It does not change indented paragraphs,
// which people copy.
func Fold(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") {
			paragraphs[i] = strings.Join(wrap(p, width), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// Beside returns head, with text beside it in a column of its own. Text is broken between words so that lines have at most width
// columns; lines after the first begin where text does or, if that column is too narrow, are indented by two spaces.
func Beside(head, text string, width int) string {
	const least = 30
	column := words.Width(head)
	if width-column < least {
		return strings.Join(hanging(head+text, width), "\n")
	}
	return strings.Join(beside(head, column, wrap(text, width-column)), "\n")
}
