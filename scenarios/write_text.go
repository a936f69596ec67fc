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
	// proseForm is text that is no more than words outside brackets.
	proseForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([ ,;.'()/-][A-Za-z0-9()'./-]*)*$`)
	// reservedForm is what one YAML reader or another takes for something other than text.
	reservedForm = regexp.MustCompile(`^(?i:null|true|false|yes|no|on|off|y|n)$|^[-+]?[0-9._]*([eE][0-9]*)?$`)
)

// plain tells whether YAML reads the text s, without quotes, as that same text.
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
		case r == ' ' || unicode.IsPrint(r) || r > 0xffff: // above, an escape is two in JSON and another one in YAML
			b.WriteRune(r)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
}

// durationText formats a duration as Duration.String does, in ASCII and without minutes and seconds that are zero at its end.
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
