package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // driver pgx
	"golang.org/x/sys/unix"
	"modernc.org/sqlite" // driver sqlite
	sqlite3 "modernc.org/sqlite/lib"

	"interregnum/elector"
	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

func contendInSQL(ctx context.Context, c *candidate) error {
	lock, disconnect, err := openSQL(c)
	if err != nil {
		return err
	}
	defer disconnect()
	if c.o.createTable || c.o.at.kind == onSQLite {
		if err := createTable(ctx, c, lock); err != nil {
			return err
		}
	}
	return contendFor(ctx, c, lock)
}

// openSQL connects when the lock is asked something.
func openSQL(c *candidate) (lock *sqllock.Lock, disconnect func(), err error) {
	o := c.o
	driver, dsn, dialect := "pgx", o.at.dsn, sqllock.PostgreSQL
	if o.at.kind == onSQLite {
		driver, dsn, dialect = "sqlite", sqliteFile(o), sqllock.SQLite
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return nil, nil, badInput("--lock: the driver cannot read the connection string (its words are kept back, since " +
			"they may hold a password)")
	}
	lock, err = sqllock.New(db, sqllock.Config{
		Dialect: dialect, Table: o.table, Key: o.name, Identity: o.id, TTL: o.lease,
	})
	if err != nil {
		db.Close()
		return nil, nil, badInput("--table, --name, --id, --lease-duration: %v", err)
	}
	return lock, func() { db.Close() }, nil
}

// sqliteFile is SQLite's connection string. A file that is busy for longer than that is tried again a retry later. Who
// observes makes no file, and changes nothing in one.
func sqliteFile(o *options) string {
	busy := min(o.retry/2, 500*time.Millisecond)
	values := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds())}}
	if o.observe {
		values.Set("mode", "rw")
	} else {
		values.Add("_pragma", "journal_mode(WAL)")
	}
	u := url.URL{Scheme: "file", Path: o.at.path, RawQuery: values.Encode()}
	return u.String()
}

// createTable tries for as long as a lease lasts: of several candidates that make a new file at once some find it busy.
func createTable(ctx context.Context, c *candidate, lock *sqllock.Lock) error {
	limit, cancel := context.WithTimeout(ctx, c.o.lease)
	defer cancel()
	for {
		err := lock.CreateTable(limit)
		if err == nil || ctx.Err() != nil {
			return nil
		}
		failed := &exitError{code: exitFailed, text: err.Error()}
		if c.o.at.kind == onSQLite && !busy(err) {
			failed.text += whyNot(c.o.at.path)
			return failed
		}
		c.heard(false, err)
		select {
		case <-limit.Done():
			if ctx.Err() != nil {
				return nil
			}
			return failed
		case <-time.After(c.o.retry / 4):
		}
	}
}

// busy is true for an error of SQLite that passes by itself.
func busy(err error) bool {
	var of *sqlite.Error
	if !errors.As(err, &of) {
		return true // Its driver's, about the context.
	}
	primary := of.Code() & 0xff
	return primary == sqlite3.SQLITE_BUSY || primary == sqlite3.SQLITE_LOCKED
}

// whyNot is what the system says about a file that SQLite cannot use, which itself says hardly anything.
func whyNot(path string) string {
	text := "; the file is " + path
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	switch {
	case err == nil:
		file.Close()
		err = unix.Access(filepath.Dir(path), unix.W_OK) // For the files beside it.
	case errors.Is(err, fs.ErrNotExist):
		err = unix.Access(filepath.Dir(path), unix.W_OK)
	}
	if err != nil {
		text += ": expected one that can be written, in a folder that can be: " + err.Error()
	}
	return text
}

// contendFor takes part in an election on a lock that expires by itself.
func contendFor(ctx context.Context, c *candidate, lock ttl.Lock) error {
	config := elector.TTLConfig{
		Lock: ttlLock{lock, c}, Profile: elector.Profile(c.o.profile),
		RenewDeadline: c.o.renew, RetryPeriod: c.o.retry,
		WatchDog: c.watchDog, Name: first(c.o.name, c.o.at.key), ReleaseOnCancel: true, Again: true,
	}
	if config.Profile == elector.Strict {
		return elector.RunUntilTTL(ctx, config, c.work)
	}
	config.Callbacks.OnElected = func(ctx context.Context, _ uint64) { _ = c.work(ctx) }
	return elector.RunTTL(ctx, config)
}
