package main

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // driver pgx

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
	if c.o.at.kind == onSQLite {
		err = c.tryToMake(ctx, c.makeTable, passes)
	} else if c.o.createTable {
		err = c.tryToMake(ctx, lock.CreateTable, unsettled)
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	return contendFor(ctx, c, c.expiringLock(lock, func() {}))
}

// sqlConfig is this candidate's row.
func (c *candidate) sqlConfig() sqllock.Config {
	dialect := sqllock.PostgreSQL
	if c.o.at.kind == onSQLite {
		dialect = sqllock.SQLite
	}
	return sqllock.Config{Dialect: dialect, Table: c.o.table, Key: c.o.name, Identity: c.o.id, TTL: c.o.lease}
}

// openSQL connects when the lock is asked something.
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

// postgresDSN is PostgreSQL's connection string. A host that does not answer must leave time for the next one.
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

// expiringLock is the lock of a candidate, as it is asked: with a time for each request, and noted.
func (c *candidate) expiringLock(lock ttl.Lock, hangUp func()) ttl.Lock {
	if c.o.at.kind == onSQLite {
		// Its driver gives up after the busy_timeout.
		return ttlLock{&fileLock{Lock: lock, of: c}, c}
	}
	return ttlLock{timedLock{lock, c.o.requestTimeout(), hangUp}, c}
}

// tryToMake makes the table, for as long as ctx lasts: of several candidates that make one at once some fail, and a
// server may be down. An error that stays is none that passes.
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

// unsettled is true for an error of PostgreSQL that may pass by itself: it is not what the server says about the
// statement, as that a right is missing.
func unsettled(err error) bool {
	var of *pgconn.PgError
	if !errors.As(err, &of) {
		return true
	}
	const invalidSchema, syntaxOrAccess = "3F", "42"
	return !strings.HasPrefix(of.Code, invalidSchema) && !strings.HasPrefix(of.Code, syntaxOrAccess)
}

// contendFor takes part in an election on a lock that expires by itself.
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
