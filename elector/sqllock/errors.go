package sqllock

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// failure is an error whose text this package has made; the driver's error is behind it (Unwrap).
type failure struct {
	text  string
	cause error
}

// Error returns a text that contains no password.
func (f *failure) Error() string { return f.text }

// Unwrap returns the driver's error. Its text perhaps contains a password.
func (f *failure) Unwrap() error { return f.cause }

// misfit is an error that this package itself has found: its text contains nothing of the driver's.
type misfit string

// Error returns the text of the error.
func (m misfit) Error() string { return string(m) }

// failed wraps the error cause with what could not be done, as doing says, and where. If the driver's text perhaps holds a
// password, that text is left out.
func (l *Lock) failed(doing string, cause error) error {
	var own misfit
	text := safe(cause.Error())
	if errors.As(cause, &own) {
		text = own.Error()
	}
	return &failure{fmt.Sprintf("sqllock: cannot %s, %s: %s", doing, l.where(), text), cause}
}

// suspect matches a text that perhaps holds a connection string, or a piece of one. Drivers mask passwords as well as they can
// in what they cannot parse, and that is not well enough: pgx says so in its own code.
var suspect = regexp.MustCompile(`(?i)(passw|passphrase|pwd|secret)\w*\s*=|://|:[^\s:@]*@|cannot parse|\bparse "|invalid port`)

// safe returns the text of a driver's error on one line. If the text perhaps holds a password, it returns a text that says so
// instead.
func safe(text string) string {
	if suspect.MatchString(text) {
		return "the driver's words are kept back, since they may hold a password: check the connection string; in a URL, " +
			"user and password must be percent-encoded"
	}
	return strings.Join(strings.Fields(text), " ")
}

// isThere returns whether err is what PostgreSQL answers when a table is made that is there: a row of a catalog, the table, or
// the type of its rows (its manual, appendix A).
func isThere(err error) bool {
	var state interface{ SQLState() string }
	return errors.As(err, &state) && slices.Contains([]string{"23505", "42P07", "42710"}, state.SQLState())
}
