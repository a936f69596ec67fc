package terminal

import (
	"strings"
	"unicode/utf8"
)

// Fold breaks each paragraph into lines of at most width columns. It does not change indented paragraphs, which people copy.
func Fold(text string, width int) string {
	var folded strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			folded.WriteString("\n\n")
		}
		if strings.HasPrefix(paragraph, " ") {
			folded.WriteString(paragraph)
			continue
		}
		column := 0
		for j, word := range strings.Fields(paragraph) {
			n := utf8.RuneCountInString(word)
			switch {
			case j > 0 && column+1+n > width:
				folded.WriteByte('\n')
				column = 0
			case j > 0:
				folded.WriteByte(' ')
				column++
			}
			folded.WriteString(word)
			column += n
		}
	}
	return folded.String()
}
