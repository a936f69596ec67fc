package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How many columns of a label, of a name in full, and of a text are shown.
const (
	MaxLabel = 24
	MaxName  = 200
	MaxText  = 4_000
)

// Visible makes foreign text safe to show. Invalid UTF-8, control characters and marks that change the direction of text
// become their numbers, a text wider than limit columns loses its middle, and text from right to left is isolated from
// what surrounds it.
func Visible(s string, limit int) string {
	var b strings.Builder
	rightToLeft := false
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, "‹%02X›", s[i])
		case unicode.Is(unicode.C, r) || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, "‹U+%04X›", r)
		default:
			rightToLeft = rightToLeft || unicode.In(r, rightToLeftScripts...)
			b.WriteRune(r)
		}
	}
	text := b.String()
	if n := Width(text); n > limit {
		text = Shorten(text, limit)
	}
	if rightToLeft {
		return "\u2068" + text + "\u2069"
	}
	return text
}

var rightToLeftScripts = []*unicode.RangeTable{unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana,
	unicode.Nko, unicode.Adlam, unicode.Mandaic, unicode.Samaritan}

// VisibleLines makes each line of a foreign text safe to show.
func VisibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Visible(lines[i], MaxText)
	}
	return strings.Join(lines, "\n")
}
