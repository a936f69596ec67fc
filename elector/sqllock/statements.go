package sqllock

import (
	"math"
	"strconv"
)

// statements has the SQL text that makes the table, the five statements of the lock's methods, and the one that advances the
// counter.
type statements struct {
	schema                                   string
	check, insert, replace, refresh, release statement
	advance                                  statement
}

// maxCounter is the highest counter that one more can be added to.
const maxCounter = math.MaxInt64 - 1

// Column names are never quoted: SQLite takes a quoted name that is no column for a string.
const (
	schemaSQL = `CREATE TABLE IF NOT EXISTS {table} (
    key varchar(255) NOT NULL PRIMARY KEY,
    signature varchar(282) NOT NULL,
    updated_time bigint NOT NULL,
    counter bigint NOT NULL
)`
	checkSQL  = `SELECT signature, updated_time, counter, {now} FROM {table} WHERE key = {key}`
	insertSQL = `INSERT INTO {table} (key, signature, updated_time, counter) ` +
		`VALUES ({key}, {me}, {now}, {now}) ON CONFLICT (key) DO NOTHING`
	replaceSQL = `UPDATE {table} SET signature = {me}, updated_time = {now}, counter = counter + 1 ` +
		`WHERE key = {key} AND {whole} AND (signature = '' OR updated_time < {now} - {lasts})`
	refreshSQL = `UPDATE {table} SET updated_time = {now} ` +
		`WHERE key = {key} AND signature = {me} AND counter BETWEEN {least} AND {most} AND {whole} ` +
		`AND updated_time >= {now} - {ttl}`
	// forwardSQL is for the caller's clock: a refresh that comes late, after a newer one, must not take that back. The
	// database's is read when the statement has the row, so that it may follow that clock when somebody sets it back.
	forwardSQL = ` AND updated_time <= {now}`
	countSQL   = ` RETURNING {count}`
	advanceSQL = `UPDATE {table} SET counter = {later}(counter + 1, {now}) WHERE key = {key} AND {whole}`
	releaseSQL = `UPDATE {table} SET signature = '' WHERE key = {key} AND signature = {me}`
)

// newStatements returns the statements for a valid configuration. table is the table's quoted name.
//
// Clocks are cut to microseconds, SQLite's to milliseconds. A row expires when its age as read is greater than the TTL,
// which is in whole milliseconds: its true age is then not less.
func newStatements(c *Config, table string) statements {
	d, ttl := dialects[c.Dialect], strconv.FormatInt(c.TTL.Microseconds(), 10)
	fixed := map[string]string{
		"later": d.later,
		"count": d.count,
		"table": table,
		"ttl":   ttl,
		"lasts": "CASE WHEN " + d.says + " THEN " + d.said + " * 1000 ELSE " + ttl + " END",
		"whole": d.whole + " AND counter BETWEEN 1 AND " + strconv.FormatInt(maxCounter, 10),
	}
	refresh := refreshSQL
	if c.Now == nil {
		fixed["now"] = d.now
	} else {
		refresh += forwardSQL
	}
	of := func(template string) statement { return newStatement(d.mark, template, fixed) }
	check := of(checkSQL)
	check.several = "there is more than one such row"
	return statements{
		schema:  of(schemaSQL).text,
		check:   check,
		insert:  of(insertSQL + countSQL),
		replace: of(replaceSQL + countSQL),
		refresh: of(refresh + countSQL),
		release: of(releaseSQL + countSQL),
		advance: of(advanceSQL + countSQL),
	}
}
