package main

import (
	"database/sql"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // driver sqlite
)

// sqliteDSN returns SQLite's connection string. mode is rw, or rwc to make a missing file. A request on a busy file waits for as
// long as a request may take, and nothing interrupts that wait: whoever reads keeps others from writing, and on a busy host that
// can last.
func sqliteDSN(o *options, mode string) string {
	busy := fmt.Sprintf("busy_timeout(%d)", o.requestTimeout().Milliseconds())
	values := url.Values{"_pragma": {busy}, "mode": {mode}}
	u := url.URL{Scheme: "file", Path: o.at.path, RawQuery: values.Encode()}
	return u.String()
}

// openSQLite returns a database that opens the file anew for each request. A connection that stays would go on to work on a file
// that somebody has removed or replaced, or on the -wal file beside it, and nobody else would see what it writes there.
func openSQLite(dsn string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn)
	if err == nil {
		db.SetMaxIdleConns(-1)
	}
	return db, err
}
