package sqllock

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Config says which row is the lock, and whose Lock it is. All candidates must have the same Table and Key, and the same
// choice of Now.
type Config struct {
	// Dialect is SQLite or PostgreSQL.
	Dialect Dialect
	// Table is a table's name, or schema.name: each part 1 to 63 bytes, any character but a dot. It is quoted, and keeps
	// its case. CreateTable makes it.
	Table string
	// Key names the row. It has 1 to 255 characters.
	Key string
	// Identity is the holder's name in the row. It has 1 to 255 characters.
	Identity string
	// TTL is how long a row of this Lock counts after it was made or refreshed: whole milliseconds, at least one. It is in
	// the row, and other candidates go by that, whatever theirs is. Only where an older version has written the row, which
	// did not say, or still reads it, must all candidates have the same.
	TTL time.Duration
	// Now is nil for the database's clock. It decides alone, and no other clock matters: offsets between hosts are
	// harmless. SQLite has no server; its clock is the host's on which the process runs, and all of its processes are to be on
	// that host.
	//
	// Now set to time.Now puts this host's clock into each statement. Then clocks must agree: a candidate whose clock is ahead
	// of the holder's takes the row that much too early, and two work at once although nothing has failed. An offset of the
	// TTL less the time between two refreshes is enough. Nothing in the row can tell.
	Now func() time.Time
}

const (
	maxKey      = 255
	maxIdentity = 255
)

// New returns the Lock of one candidate. It sends nothing to db. Its error names every argument and field that is wrong.
func New(db *sql.DB, c Config) (*Lock, error) {
	table, err := quoteTable(c.Table)
	wrong := []error{err, checkName("key", c.Key, maxKey), checkName("identity", c.Identity, maxIdentity)}
	if db == nil {
		wrong = append(wrong, errors.New("db is nil: expected a *sql.DB"))
	}
	if _, ok := dialects[c.Dialect]; !ok {
		wrong = append(wrong, fmt.Errorf("dialect is %d: expected SQLite or PostgreSQL", uint8(c.Dialect)))
	}
	if c.TTL < time.Millisecond || c.TTL%time.Millisecond != 0 {
		wrong = append(wrong, fmt.Errorf("TTL is %v: expected whole milliseconds, at least 1ms", c.TTL))
	}
	if text := list(wrong); text != "" {
		return nil, errors.New("sqllock: " + text)
	}
	l := &Lock{db: db, config: c, statements: newStatements(&c, table)}
	l.disown()
	return l, nil
}

// checkName returns an error for a value that cannot go into a text column: it is empty, has more than most characters, or is
// not UTF-8 without a NUL. field names the value in the error.
func checkName(field, value string, most int) error {
	n := utf8.RuneCountInString(value)
	switch {
	case value == "":
		return fmt.Errorf("%s is empty: expected 1 to %d characters", field, most)
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return fmt.Errorf("%s is %.60q: expected UTF-8 without a NUL", field, value)
	case n > most:
		return fmt.Errorf("%s is %.60q…: it has %d characters, expected at most %d", field, value, n, most)
	}
	return nil
}

// list joins the texts of the errors that are not nil, with "; " between them. It returns "" if all are nil.
func list(errs []error) string {
	var texts []string
	for _, err := range errs {
		if err != nil {
			texts = append(texts, err.Error())
		}
	}
	return strings.Join(texts, "; ")
}

// A signature is the holder's identity and a mark: "#", letters that nobody else has, "-", and how long the row lasts in
// milliseconds. Others count by that, not by a TTL of their own. An older version wrote "#" and 26 letters, no duration.
const (
	markLength = 1 + 26
	letters    = 12
	digits     = 13
)

// newSignature returns a new signature for a row: the identity, a random mark that no other signature has, and how long the row
// lasts.
func newSignature(identity string, lasts time.Duration) string {
	return fmt.Sprintf("%s#%s-%0*d", identity, rand.Text()[:letters], digits, lasts.Milliseconds())
}

// readSignature returns the identity and the duration in a signature. If the signature does not end with a mark, all of it is
// the identity. The duration is 0 if the signature has none.
func readSignature(signature string) (holder string, lasts time.Duration) {
	at := len(signature) - markLength
	if at < 1 || signature[at] != '#' {
		return signature, 0
	}
	holder, mark := signature[:at], signature[at+1:]
	if strings.Trim(mark, markLetters) == "" {
		return holder, 0
	}
	ms, err := strconv.ParseUint(mark[letters+1:], 10, 63)
	if err != nil || mark[letters] != '-' || strings.Trim(mark[:letters], markLetters) != "" {
		return signature, 0
	}
	return holder, time.Duration(min(ms, maxMilliseconds)) * time.Millisecond
}

// maxMilliseconds is the longest time.Duration, in milliseconds.
const maxMilliseconds = uint64(math.MaxInt64 / time.Millisecond)

// markLetters is what rand.Text is made of: RFC 4648 base32.
const markLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
