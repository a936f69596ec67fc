package main

import (
	"cmp"
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

// openSQL returns the candidate's lock in SQLite or PostgreSQL, and a function that disconnects. It connects only with the first
// request. For a candidate that takes part it first makes what is missing: in SQLite the file and the table; in PostgreSQL the
// table, if --create-table is given. If ctx has ended before that was done, the lock is nil, without an error. It returns an error
// for flags that cannot be used, and if trying again would not make the table.
func openSQL(ctx context.Context, c *candidate) (lock ttl.Lock, disconnect func(), err error) {
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
	row, err := sqllock.New(db, c.sqlConfig())
	switch {
	case err != nil:
		err = badInput("--table, --name, --id, --lease-duration: %v", err)
	case c.o.observe:
	case c.o.at.kind == onSQLite:
		err = c.tryToMake(ctx, c.makeTable, passes)
	case c.o.createTable:
		err = c.tryToMake(ctx, row.CreateTable, unsettled)
	}
	if err != nil || ctx.Err() != nil {
		db.Close()
		return nil, nil, err
	}
	disconnect = func() { db.Close() }
	if c.o.at.kind == onSQLite {
		return c.noted(&fileLock{Lock: row, of: c}), disconnect, nil // Its driver gives up after the busy_timeout.
	}
	lock = row
	if !c.o.observe {
		lock = &tableLock{Lock: row, of: c}
	}
	return c.noted(c.timed(lock, func() {})), disconnect, nil
}

// postgresDSN returns PostgreSQL's connection string. If it has no connect_timeout, postgresDSN adds one that is short enough
// for all hosts to be tried within the timeout of a request, and a second at least.
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

// contendFor takes part in an election on a lock that expires by itself, until ctx has ended or the command is done. It returns
// an error if it cannot begin, or if the work has not returned although the entry has run out.
func contendFor(ctx context.Context, c *candidate, lock ttl.Lock) error {
	config := elector.TTLConfig{
		Lock: lock, Profile: elector.Profile(c.o.profile),
		RenewDeadline: c.o.renew, RetryPeriod: c.o.retry,
		WatchDog: c.watchDog, Name: cmp.Or(c.o.name, c.o.at.key), ReleaseOnCancel: true, Again: true,
	}
	if config.Profile == elector.Strict {
		return elector.RunUntilTTL(ctx, config, c.work)
	}
	config.Callbacks.OnElected = func(ctx context.Context, _ uint64) { _ = c.work(ctx) }
	return elector.RunTTL(ctx, config)
}
