package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

// tableLock is a lock in PostgreSQL whose table or row somebody can remove. A leader on it then still leads, until its next
// request. So a candidate that has seen the row, or found no table, puts in its place a row that nobody holds, which all
// candidates have to wait out. Tokens go on growing: those of a new row begin at the database's clock. Requests to it must come
// one at a time.
type tableLock struct {
	*sqllock.Lock
	of   *candidate
	seen bool
}

// Get implements ttl.Lock. If the table is gone, it makes the table anew if --create-table is given, and otherwise returns an
// error that names that flag. It sets l.seen if it finds the row, or no table.
func (l *tableLock) Get(ctx context.Context) (ttl.Entry, error) {
	entry, err := l.Lock.Get(ctx)
	if tableGone(err) {
		l.seen = true
		if !l.of.o.createTable {
			return entry, fmt.Errorf("%w; nobody can lead before it is there: elector makes it with --create-table", err)
		}
		l.of.log.Warn("the table is gone, and is made anew; nobody leads on it for a --lease-duration", "err", err.Error())
		if err := l.CreateTable(ctx); err != nil {
			return ttl.Entry{}, err
		}
		entry, err = l.Lock.Get(ctx)
	}
	l.seen = l.seen || err == nil
	return entry, err
}

// Create implements ttl.Lock. If an earlier request has seen the row or the loss of the table (l.seen), somebody perhaps still
// leads by it: then it makes a row that nobody holds, and returns ttl.ErrTaken. Otherwise it makes a row that this candidate
// holds, and sets l.seen if there is a row now.
func (l *tableLock) Create(ctx context.Context) (ttl.Entry, error) {
	if l.seen {
		if err := l.Reserve(ctx); err != nil {
			return ttl.Entry{}, err
		}
		return ttl.Entry{}, ttl.ErrTaken
	}
	entry, err := l.Lock.Create(ctx)
	l.seen = err == nil || errors.Is(err, ttl.ErrTaken)
	return entry, err
}

// tableGone tells whether err is PostgreSQL's error that it has no such table.
func tableGone(err error) bool {
	const undefinedTable = "42P01"
	var of *pgconn.PgError
	return errors.As(err, &of) && of.Code == undefinedTable
}
