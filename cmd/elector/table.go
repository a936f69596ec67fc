package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"interregnum/elector/sqllock"
)

// sqlConfig returns the configuration of the lock in SQL: the row of the table, and the identity in whose name this candidate
// holds it.
func (c *candidate) sqlConfig() sqllock.Config {
	dialect := sqllock.PostgreSQL
	if c.o.at.kind == onSQLite {
		dialect = sqllock.SQLite
	}
	return sqllock.Config{Dialect: dialect, Table: c.o.table, Key: c.o.name, Identity: c.o.id, TTL: c.o.lease}
}

// tryToMake calls make again and again until it succeeds or ctx has ended, and then returns nil. Several candidates that make
// one table at once disturb each other, and a server can be down. It returns an error only if trying again would not help: an
// *exitError of make, or one that wraps an error for which passes is false.
func (c *candidate) tryToMake(ctx context.Context, make func(context.Context) error, passes func(error) bool) error {
	told := ""
	for {
		limit, cancel := context.WithTimeout(ctx, c.o.requestTimeout())
		err := make(limit)
		cancel()
		var exit *exitError
		switch {
		case err == nil || ctx.Err() != nil:
			return nil
		case errors.As(err, &exit):
			return exit
		case !passes(err):
			return &exitError{code: exitFailed, text: err.Error()}
		}
		c.heard(false, err)
		if text := err.Error(); text != told {
			told = text
			c.log.Warn("cannot make the table yet", "err", text)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(c.o.retry / 4):
		}
	}
}

// makeTable makes SQLite's file, and the table in it, if they are missing. It also turns off the file's write-ahead log, unless
// somebody is at the file. It returns an error if the file is not usable or the table cannot be made.
func (c *candidate) makeTable(ctx context.Context) error {
	if err := usable(c.o.at.path); err != nil {
		return err
	}
	db, err := openSQLite(sqliteDSN(c.o, "rwc"))
	if err != nil {
		return err
	}
	defer db.Close()
	lock, err := sqllock.New(db, c.sqlConfig())
	if err != nil {
		return badInput("--table, --name, --id, --lease-duration: %v", err)
	}
	if err := lock.CreateTable(ctx); err != nil {
		return fmt.Errorf("%w; the file is %s", err, c.o.at.path)
	}
	// Files of older versions have a write-ahead log: two files more that may be removed, or be another user's. Where
	// somebody is at the file it stays as it is.
	_, _ = db.ExecContext(ctx, "PRAGMA journal_mode=DELETE")
	return nil
}

// passes tells whether an error can pass by itself, for a lock in SQLite. Of SQLite's own errors only those about a busy or locked
// file can; a *fileError cannot, and any other error, such as that of a context, can.
func passes(err error) bool {
	var file *fileError
	var of *sqlite.Error
	if errors.As(err, &file) {
		return false
	}
	if !errors.As(err, &of) {
		return true // Its driver's, about the context.
	}
	primary := of.Code() & 0xff
	return primary == sqlite3.SQLITE_BUSY || primary == sqlite3.SQLITE_LOCKED
}

// unsettled tells whether an error of PostgreSQL can pass by itself. It is false only if the server has refused the statement for
// its syntax, or for a right, a table or a schema that is missing (classes 42 and 3F of SQLSTATE).
func unsettled(err error) bool {
	var of *pgconn.PgError
	if !errors.As(err, &of) {
		return true
	}
	const invalidSchema, syntaxOrAccess = "3F", "42"
	return !strings.HasPrefix(of.Code, invalidSchema) && !strings.HasPrefix(of.Code, syntaxOrAccess)
}
