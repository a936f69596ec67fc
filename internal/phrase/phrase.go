// Package phrase makes text that somebody wrote fit to stand in a one-line message.
package phrase

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// shownBytes is how many bytes of a text are shown.
const shownBytes = 60

// OneLine returns s with control characters, line separators and marks of writing direction replaced by spaces, so that a message
// stays on its line and a terminal does not obey it.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, s)
}

// Clip returns a text of at most 60 bytes as it is. Of a longer one it returns the first 60 bytes, or fewer so as not to cut a
// character in two, with an ellipsis after them.
func Clip(s string) string {
	if len(s) <= shownBytes {
		return s
	}
	return cut(s) + "…"
}

// Quote returns a text in quotes, as Go writes it. It first cuts a text of more than 60 bytes, as Clip does; the ellipsis comes
// after the closing quote.
func Quote(s string) string {
	if len(s) <= shownBytes {
		return strconv.Quote(s)
	}
	return strconv.Quote(cut(s)) + "…"
}

// Duration writes a duration as Duration.String does, but in ASCII, as flags and files have it: 1us.
func Duration(d time.Duration) string { return strings.Replace(d.String(), "µ", "u", 1) }

// ShellWord returns the word as a shell takes it for one argument: as it is if it has only letters, digits and -_./:+@%,= and is
// not empty, otherwise in single quotes.
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

// ShellPath returns the path of a file as a command line takes it for an argument: as ShellWord does, with ./ before a path that
// would be taken for a flag.
func ShellPath(path string) string {
	if len(path) > 1 && path[0] == '-' {
		path = "./" + path
	}
	return ShellWord(path)
}

// Number returns a number of things in words, given the name of one: 1 fault, 2 faults.
func Number[T ~int | ~int64](n T, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.FormatInt(int64(n), 10) + " " + thing
}

// Or returns words in one text as a sentence has them: a, b or c. It returns a single word as it is, and "" for no words.
func Or(words []string) string { return join(words, " or ") }

// And returns words in one text as a sentence has them: a, b and c. It returns a single word as it is, and "" for no words.
func And(words []string) string { return join(words, " and ") }

// join returns words in one text as a sentence has them: with commas between them, and last in place of the last comma.
func join(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + last + words[n]
}

// WithoutPath returns an error of the file system without its operation and path, for a message that names the file by
// itself. It returns any other error as it is.
func WithoutPath(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// cut returns the longest beginning of s that is made of whole runes and has at most 60 bytes; s has more.
func cut(s string) string {
	end := shownBytes
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
