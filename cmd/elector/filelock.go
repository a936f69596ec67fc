package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

// fileLock is a lock in SQLite's file. Requests to it must come one at a time.
type fileLock struct {
	ttl.Lock
	of *candidate
	// file identifies the file that was last in the lock's place, "" before the first look. seen is when it was last seen
	// there, in milliseconds since 1970. known: the candidate may lead on it.
	file  string
	seen  int64
	known bool
}

var errMoved = errors.New("the file was removed, or replaced by another")

// Get implements ttl.Lock. It withdraws the candidate's announcement, and makes the file and its table if either is missing. On a
// file on which nobody may lead yet it still tells who holds the lock; if nobody does, it returns a *newFileError. With --observe
// it only reads.
func (l *fileLock) Get(ctx context.Context) (ttl.Entry, error) {
	if err := usable(l.of.o.at.path); err != nil {
		return ttl.Entry{}, err
	}
	if l.of.o.observe {
		return l.Lock.Get(ctx)
	}
	l.of.withdraw() // Whoever asks does not lead.
	var fresh *newFileError
	refused := l.admit(ctx)
	if refused != nil && !errors.As(refused, &fresh) {
		return ttl.Entry{}, refused
	}
	entry, err := l.Lock.Get(ctx)
	if noTable(err) {
		if err := l.of.makeTable(ctx); err != nil {
			return ttl.Entry{}, err
		}
		entry, err = l.Lock.Get(ctx)
	}
	if refused != nil && errors.Is(err, ttl.ErrAbsent) {
		return ttl.Entry{}, refused
	}
	return entry, err
}

// noTable tells whether err says that SQLite has no such table. It looks at the text, since SQLite has no code for that.
func noTable(err error) bool { return err != nil && strings.Contains(err.Error(), ": no such table: ") }

// Create implements ttl.Lock: it makes an entry where there is none, or returns ttl.ErrTaken. It also returns errElsewhere or
// errStill, which count as ttl.ErrTaken, and errMoved: see take.
func (l *fileLock) Create(ctx context.Context) (ttl.Entry, error) {
	return l.take(ctx, true, l.Lock.Create)
}

// Replace implements ttl.Lock: it makes an entry in the place of an expired one, or returns ttl.ErrTaken. It also returns
// errElsewhere or errStill, which count as ttl.ErrTaken, and errMoved: see take.
func (l *fileLock) Replace(ctx context.Context) (ttl.Entry, error) {
	return l.take(ctx, true, l.Lock.Replace)
}

// take announces the file, calls send, which writes the entry, and returns its result. It does not call send if somebody leads on
// another file, or if anew is true, for a new entry, and somebody works under an old one: then it returns errElsewhere or
// errStill. If the file at the lock's path is not the one that admit has looked at, before or after the write, it returns
// errMoved: a write to another file does not count. With --wait 0s somebody who leads or works ends the candidate's part. It withdraws the announcement if another holds the lock, if a new entry was
// not acknowledged, and always if there is no command.
func (l *fileLock) take(
	ctx context.Context, anew bool, send func(context.Context) (ttl.Entry, error),
) (ttl.Entry, error) {
	err := l.of.announce(l.file, anew)
	if errors.Is(err, ttl.ErrTaken) {
		l.of.noteNotYet(err)
		if l.of.o.wait == 0 {
			l.of.giveUp()
		}
	}
	if len(l.of.o.command) == 0 {
		defer l.of.withdraw()
	}
	if err == nil {
		err = l.here()
	}
	if err != nil {
		return ttl.Entry{}, err
	}
	entry, err := send(ctx)
	if errors.Is(err, ttl.ErrTaken) || err != nil && anew {
		l.of.withdraw() // Should the write have been applied all the same, then nobody leads by it.
	}
	if at := l.here(); at != nil && (err == nil || errors.Is(at, errMoved)) {
		return ttl.Entry{}, at
	}
	if err == nil {
		l.of.noteNotYet(nil)
	}
	return entry, err
}

// Refresh implements ttl.Lock. If the entry's file has gone, or if nobody may lead yet on the file that is there, it returns
// ttl.ErrLost at once: anybody may make another file.
func (l *fileLock) Refresh(ctx context.Context) (ttl.Entry, error) {
	if !l.known { // It has this candidate's name, and cannot be its own.
		return ttl.Entry{}, ttl.ErrLost
	}
	entry, err := l.take(ctx, false, l.Lock.Refresh)
	if errors.Is(err, errMoved) {
		l.of.log.Error("the lock is lost", "err", errMoved, "file", l.of.o.at.path)
		err = fmt.Errorf("%w: %w", ttl.ErrLost, errMoved)
	}
	return entry, err
}

// admit returns nil if candidates may lead on the file at the lock's path, and a *newFileError if the file has not been known
// for a --lease-duration. It stores in l.file which file it has looked at, in l.seen when, and in l.known whether it returned nil.
// If it has marked the file as new, it also advances the counter of terms in the lock's row. If the file was moved meanwhile it
// returns errMoved.
func (l *fileLock) admit(ctx context.Context) error {
	at := time.Now().UnixMilli()
	file, err := l.of.identifyHere(ctx)
	switch {
	case err != nil:
		return err
	case l.known && file == l.file:
		l.seen = at
		return nil
	}
	l.known = false
	other := int64(0)
	if l.file != "" && l.file != file {
		other = l.seen + 1 // SQLite rounds.
	}
	age, fresh, err := l.of.age(ctx, file, other)
	if row, ok := l.Lock.(*sqllock.Lock); err == nil && fresh && ok {
		// The file may be a copy from before the last leaders.
		if err = row.Advance(ctx); noTable(err) {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	// What was marked is the file that was looked at, unless it has been moved meanwhile.
	if again, err := identify(l.of.o.at.path); err != nil || again != file {
		return errMoved
	}
	l.file, l.seen = file, at
	if left := l.of.o.lease - age; left > 0 {
		fresh := newFile(left)
		l.of.noteNotYet(fresh)
		return fresh
	}
	l.known = true
	l.of.noteNotYet(nil)
	return nil
}

// here returns nil, and sets l.seen to now, if the file at the lock's path is still the one that admit has looked at. It returns
// errMoved if that file is gone or another one is there, and another error if it cannot look.
func (l *fileLock) here() error {
	at := time.Now().UnixMilli()
	file, err := identify(l.of.o.at.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && file != l.file:
		return errMoved
	case err != nil:
		return fmt.Errorf("the file cannot be looked at: %w", err)
	}
	l.seen = at
	return nil
}

// identifyHere returns the text that tells the file at the lock's path from all others (see identify). If there is no file, or
// an empty one, it first makes the file with its table. It returns an error if the file cannot be looked at or made.
func (c *candidate) identifyHere(ctx context.Context) (string, error) {
	info, err := os.Stat(c.o.at.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		err = c.makeTable(ctx)
	}
	if err != nil {
		return "", err
	}
	return identify(c.o.at.path)
}

// age returns for how long elector has known the file, by a mark inside the file. It sets the mark to now if the mark is
// missing, belongs to another file, lies in the future, or is older than other; the age is then 0 or little more, and fresh is
// true. other is when another file was last seen in this one's place, in milliseconds since 1970, 0 for never.
func (c *candidate) age(ctx context.Context, file string, other int64) (age time.Duration, fresh bool, err error) {
	db, err := openSQLite(sqliteDSN(c.o, "rw"))
	if err != nil {
		return 0, false, err
	}
	defer db.Close()
	var ms, set int64
	_, err = db.ExecContext(ctx, markTable)
	if err == nil {
		var marked sql.Result
		if marked, err = db.ExecContext(ctx, setMark, file, other); err == nil {
			set, err = marked.RowsAffected()
		}
	}
	if err == nil {
		err = db.QueryRowContext(ctx, getAge).Scan(&ms)
	}
	if err != nil {
		return 0, false, fmt.Errorf("cannot mark the file: %w; the file is %s", err, c.o.at.path)
	}
	return time.Duration(max(0, ms)) * time.Millisecond, set > 0, nil
}
