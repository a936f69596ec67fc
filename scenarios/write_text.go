package scenarios

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"interregnum/internal/phrase"
)

var (
	wordForm = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_./-]*|-?[0-9.]+[a-z][0-9a-z.]*)$`)
	// proseForm matches words with punctuation that has no meaning in YAML outside brackets.
	proseForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([ ,;.'()/-][A-Za-z0-9()'./-]*)*$`)
	// reservedForm matches what some YAML reader does not take for text.
	reservedForm = regexp.MustCompile(`^(?i:null|true|false|yes|no|on|off|y|n)$|^[-+]?[0-9._]*([eE][0-9]*)?$`)
)

// plain tells whether s is sure to be read from YAML, without quotes, as that same text. isProse is true if s can be several
// words; without it, a text of several words is not plain. A text of more than 200 bytes never is.
func plain(s string, isProse bool) bool {
	if reservedForm.MatchString(s) || len(s) > 200 {
		return false
	}
	if isProse && proseForm.MatchString(s) {
		return !strings.HasSuffix(s, " ") && !strings.Contains(s, "  ")
	}
	return wordForm.MatchString(s) && plainKind(s) == textKind
}

// writeQuoted writes s in quotes, in a form that both YAML and JSON read.
func writeQuoted(b *bufio.Writer, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == ' ' || unicode.IsPrint(r) || r > 0xffff: // above 0xffff JSON and YAML have different escapes
			b.WriteRune(r)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
}

// durationText formats a duration as Duration.String does, in ASCII, but without zero minutes or seconds at the end: 1h, not
// 1h0m0s.
func durationText(d time.Duration) string {
	s := phrase.Duration(d)
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
