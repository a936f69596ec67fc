package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How many columns a form of output has of a label, of a name where it stands in full, and of a text.
const (
	MaxLabel = 24
	MaxName  = 200
	MaxText  = 4_000
)

// Visible makes foreign text fit to be shown: invalid UTF-8, control characters and marks that change the direction of
// text appear as their numbers, and the middle is cut out of what is wider than limit columns. Text from right to left
// is kept apart from what surrounds it.
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

// VisibleLines is Visible for a text of several lines.
func VisibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Visible(lines[i], MaxText)
	}
	return strings.Join(lines, "\n")
}
