package main

import (
	"context"
	"database/sql"
	"net/url"
	"strconv"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // driver pgx

	"interregnum/elector"
	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

// contendInSQL takes part in the election on a row in SQLite or PostgreSQL, until ctx has ended or the command is done.
// In SQLite it first makes the file and the table where they are missing, in PostgreSQL the table only with
// --create-table.
func contendInSQL(ctx context.Context, c *candidate) error {
	lock, disconnect, err := openSQL(c)
	if err != nil {
		return err
	}
	defer disconnect()
	if c.o.at.kind == onSQLite {
		err = c.tryToMake(ctx, c.makeTable, passes)
	} else if c.o.createTable {
		err = c.tryToMake(ctx, lock.CreateTable, unsettled)
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	if c.o.at.kind == onPostgreSQL {
		return contendFor(ctx, c, c.expiringLock(&tableLock{Lock: lock, of: c}, func() {}))
	}
	return contendFor(ctx, c, c.expiringLock(lock, func() {}))
}

// openSQL returns the candidate's lock in SQLite or PostgreSQL, and a function that disconnects. It connects only with
// the first request to the lock.
func openSQL(c *candidate) (lock *sqllock.Lock, disconnect func(), err error) {
	var db *sql.DB
	if c.o.at.kind == onSQLite {
		db, err = openSQLite(sqliteDSN(c.o, "rw"))
	} else {
		db, err = sql.Open("pgx", postgresDSN(c.o))
	}
	if err != nil {
		return nil, nil, badInput("--lock: the driver cannot read the connection string (its words are kept back, since " +
			"they may hold a password)")
	}
	if lock, err = sqllock.New(db, c.sqlConfig()); err != nil {
		db.Close()
		return nil, nil, badInput("--table, --name, --id, --lease-duration: %v", err)
	}
	return lock, func() { db.Close() }, nil
}

// postgresDSN returns PostgreSQL's connection string. Where that has no connect_timeout it adds one so short that a
// host which does not answer leaves time for the next one.
func postgresDSN(o *options) string {
	u, err := url.Parse(o.at.dsn)
	if err != nil {
		return o.at.dsn
	}
	q := u.Query()
	if !q.Has("connect_timeout") {
		hosts := time.Duration(strings.Count(u.Host, ",") + 1)
		q.Set("connect_timeout", strconv.Itoa(max(1, int(o.requestTimeout()/hosts/time.Second))))
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// expiringLock wraps a lock so that it records each request for the candidate and limits its time. When the time is
// over it calls hangUp, which closes the connection. In SQLite the limit is the driver's busy_timeout, and hangUp is
// not called.
func (c *candidate) expiringLock(lock ttl.Lock, hangUp func()) ttl.Lock {
	if c.o.at.kind == onSQLite {
		// Its driver gives up after the busy_timeout.
		return ttlLock{&fileLock{Lock: lock, of: c}, c}
	}
	return ttlLock{timedLock{lock, c.o.requestTimeout(), hangUp}, c}
}

// contendFor takes part in an election on a lock that expires by itself, until ctx has ended or the command is done.
func contendFor(ctx context.Context, c *candidate, lock ttl.Lock) error {
	config := elector.TTLConfig{
		Lock: lock, Profile: elector.Profile(c.o.profile),
		RenewDeadline: c.o.renew, RetryPeriod: c.o.retry,
		WatchDog: c.watchDog, Name: first(c.o.name, c.o.at.key), ReleaseOnCancel: true, Again: true,
	}
	if config.Profile == elector.Strict {
		return elector.RunUntilTTL(ctx, config, c.work)
	}
	config.Callbacks.OnElected = func(ctx context.Context, _ uint64) { _ = c.work(ctx) }
	return elector.RunTTL(ctx, config)
}
