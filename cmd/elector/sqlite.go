package main

import (
	"database/sql"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // driver sqlite
)

// sqliteDSN is SQLite's connection string. mode is rw, or rwc to make the file where there is none. A file that is busy
// is waited for as long as a request may take, which nothing interrupts: whoever reads keeps others from writing, and on a
// busy host that may last.
func sqliteDSN(o *options, mode string) string {
	busy := fmt.Sprintf("busy_timeout(%d)", o.requestTimeout().Milliseconds())
	values := url.Values{"_pragma": {busy}, "mode": {mode}}
	u := url.URL{Scheme: "file", Path: o.at.path, RawQuery: values.Encode()}
	return u.String()
}

// openSQLite opens the file anew for each request: a connection that stays goes on to work on a file that somebody has
// removed or replaced, or on the -wal beside it, and nobody else would see what is written there.
func openSQLite(dsn string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn)
	if err == nil {
		db.SetMaxIdleConns(-1)
	}
	return db, err
}
