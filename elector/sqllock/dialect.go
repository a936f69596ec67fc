package sqllock

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Dialect is the SQL that a database speaks.
type Dialect uint8

// The databases. SQLite must be 3.42 or newer; of PostgreSQL, 15 is tested.
const (
	SQLite Dialect = iota + 1
	PostgreSQL
)

// dialects has everything in which the databases differ.
var dialects = map[Dialect]struct {
	name string
	// mark goes before the number of a parameter.
	mark string
	// now is the database's clock, in microseconds since 1970.
	now string
	// later is the function that returns the greatest of its arguments.
	later string
	// count is the counter of a row that was changed, for RETURNING.
	count string
	// whole is true for a row that has what Schema says it must have. The table may have been made otherwise, and SQLite
	// puts text into a column for integers, where it is greater than every number.
	whole string
	// says is true where a signature says how long its row lasts, and said is that, in milliseconds: see newSignature.
	says, said string
}{
	SQLite: {
		name: "SQLite",
		mark: "?", later: "max", count: "counter",
		// One value within a statement, taken when that has its lock. It has milliseconds, as a floating-point number.
		now: "CAST(round(unixepoch('subsec') * 1000) AS integer) * 1000",
		whole: "typeof(signature) = 'text' AND typeof(updated_time) = 'integer'" +
			" AND typeof(counter) = 'integer'",
		says: "signature GLOB '*?#" + strings.Repeat("[A-Z2-7]", letters) + "-" + strings.Repeat("[0-9]", digits) + "'",
		said: fmt.Sprintf("CAST(substr(signature, -%d) AS integer)", digits),
	},
	PostgreSQL: {
		name: "PostgreSQL",
		mark: "$", later: "greatest", count: durableCount,
		// Not now(), which is when the transaction began: it stands still in a transaction that a pooler or the caller
		// keeps open, and does not move while the statement waits for the row.
		now: "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)",
		whole: "signature IS NOT NULL AND updated_time IS NOT NULL" +
			" AND pg_typeof(updated_time) = 'bigint'::regtype AND pg_typeof(counter) = 'bigint'::regtype",
		says: fmt.Sprintf("signature ~ '.#[A-Z2-7]{%d}-[0-9]{%d}$'", letters, digits),
		said: fmt.Sprintf("CAST(right(signature, %d) AS bigint)", digits),
	},
}

// durableCount is the counter, and sees to it that PostgreSQL answers only when the change is on disk. Where synchronous_commit is
// off or local, it sets that to on until the end of the transaction: a server that crashes, or a synchronous standby that is
// promoted, would otherwise forget changes that were answered, and give a token again. No setting is empty, so the counter is
// returned in any case. Settings that wait for a standby stay as they are.
const durableCount = `CASE WHEN set_config('synchronous_commit', ` +
	`CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on' ` +
	`ELSE current_setting('synchronous_commit') END, true) <> '' THEN counter END`

// String returns the database's name, or Dialect(N) for a value that is no dialect.
func (d Dialect) String() string {
	if data, ok := dialects[d]; ok {
		return data.name
	}
	return fmt.Sprintf("Dialect(%d)", uint8(d))
}

// maxName is the length, in bytes, to which PostgreSQL cuts longer names.
const maxName = 63

// quoteTable returns a table's name, or schema.table, as a quoted identifier, which keeps its case. It returns an error for a
// name that is not valid.
func quoteTable(name string) (string, error) {
	parts := strings.Split(name, ".")
	if len(parts) > 2 {
		return "", fmt.Errorf("table is %q: expected a name, or schema.name", name)
	}
	for i, part := range parts {
		switch {
		case part == "":
			return "", fmt.Errorf("table is %q: expected a name, or schema.name, without an empty part", name)
		case !utf8.ValidString(part) || strings.ContainsRune(part, 0):
			return "", fmt.Errorf("table is %q: expected UTF-8 without a NUL", name)
		case len(part) > maxName:
			return "", fmt.Errorf("table is %q: %q has %d bytes, expected at most %d", name, part, len(part), maxName)
		}
		parts[i] = `"` + strings.ReplaceAll(part, `"`, `""`) + `"`
	}
	return strings.Join(parts, "."), nil
}

// statement is the text of an SQL statement and the names of its parameters, in order. several is the error text if its answer
// has more than one row.
type statement struct {
	text    string
	params  []string
	several string
}

// newStatement makes a statement from a template. It replaces each {name} by the text that fixed has for that name. If fixed has
// none, it replaces {name} by a numbered parameter, with mark before the number, cast to its type. It does not look for {name}
// in the texts that it puts in.
func newStatement(mark, template string, fixed map[string]string) statement {
	s := statement{several: "more than one row was changed"}
	s.text = inBraces.ReplaceAllStringFunc(template, func(found string) string {
		name := strings.Trim(found, "{}")
		if value, ok := fixed[name]; ok {
			return value
		}
		if !slices.Contains(s.params, name) {
			s.params = append(s.params, name)
		}
		// PostgreSQL takes a parameter's type from where it stands first, and may find none.
		return fmt.Sprintf("CAST(%s%d AS %s)", mark, slices.Index(s.params, name)+1, paramTypes[name])
	})
	return s
}

// inBraces matches {name}.
var inBraces = regexp.MustCompile(`\{\w+\}`)

// paramTypes has the SQL type of each parameter.
var paramTypes = map[string]string{"key": "text", "me": "text", "now": "bigint", "least": "bigint", "most": "bigint"}
