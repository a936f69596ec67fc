package text

import "strings"

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
