package sqllock

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// failure is an error with the driver's behind it.
type failure struct {
	text  string
	cause error
}

func (f *failure) Error() string { return f.text }

// Unwrap returns the driver's error. Its text may hold a password.
func (f *failure) Unwrap() error { return f.cause }

// misfit is an error of this package's own: what it says is no driver's.
type misfit string

func (m misfit) Error() string { return string(m) }

// failed wraps the error cause with what could not be done and where. Where the driver's text may hold a password it
// is left out.
func (l *Lock) failed(doing string, cause error) error {
	var own misfit
	text := safe(cause.Error())
	if errors.As(cause, &own) {
		text = own.Error()
	}
	return &failure{fmt.Sprintf("sqllock: cannot %s, %s: %s", doing, l.where(), text), cause}
}

// suspect is true for a text that may hold a connection string, or a piece of one. Drivers mask passwords in what they cannot
// parse as well as they can, which for what cannot be parsed is not well enough: pgx says so where it does it.
var suspect = regexp.MustCompile(`(?i)(passw|passphrase|pwd|secret)\w*\s*=|://|:[^\s:@]*@|cannot parse|\bparse "|invalid port`)

// safe returns the text of a driver's error on one line or, where that may hold a password, a text that says so.
func safe(text string) string {
	if suspect.MatchString(text) {
		return "the driver's words are kept back, since they may hold a password: check the connection string; in a URL, " +
			"user and password must be percent-encoded"
	}
	return strings.Join(strings.Fields(text), " ")
}
