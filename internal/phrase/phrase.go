// Package phrase makes text that somebody wrote fit to stand in a one-line message.
package phrase

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// most is how many bytes of a text are shown.
const most = 60

// OneLine makes sure that a message stays on its line, and that a terminal shows it and does not obey it.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, s)
}

// Clip cuts what is absurdly long.
func Clip(s string) string {
	if len(s) <= most {
		return s
	}
	return cut(s) + "…"
}

// Quote quotes, as Go does, and cuts what is absurdly long.
func Quote(s string) string {
	if len(s) <= most {
		return strconv.Quote(s)
	}
	return strconv.Quote(cut(s)) + "…"
}

// Duration is Duration.String in ASCII, as flags and files have it: 1us.
func Duration(d time.Duration) string { return strings.Replace(d.String(), "µ", "u", 1) }

// ShellWord is a word as a shell takes it.
func ShellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_./:+@%,=", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// cut is the whole runes that begin s.
func cut(s string) string {
	end := most
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
