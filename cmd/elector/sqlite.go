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
	"syscall"

	"golang.org/x/sys/unix"
	"modernc.org/sqlite" // driver sqlite
	sqlite3 "modernc.org/sqlite/lib"

	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
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

// makeTable makes the file and the table where there is none.
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

// passes tells whether an error of SQLite may pass by itself, as that the file is busy or that the time was over.
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

// fileError says why a file cannot be a lock's.
type fileError struct{ text string }

func (e *fileError) Error() string { return e.text }

// beside is what SQLite puts beside a file, while somebody writes to it or for as long as it is open.
var beside = []string{"-journal", "-wal", "-shm"}

// usable returns nil where this user can make or write the file at a path, and its owner still can afterwards: what
// SQLite puts beside the file belongs to the user that it runs for, and may stay there. SQLite itself does not check
// that before it begins.
func usable(path string) error {
	refuse := func(what string, values ...any) error {
		return &fileError{fmt.Sprintf(what+"; the file is %s", append(values, path)...)}
	}
	folder, err := os.Stat(filepath.Dir(path))
	if err == nil {
		err = writable(filepath.Dir(path))
	}
	if err != nil {
		return refuse("expected one that can be written, in a folder that can be: %v", withoutPath(err))
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = writable(path)
	}
	switch {
	case err != nil:
		return refuse("expected one that can be written, in a folder that can be: %v", withoutPath(err))
	case !info.Mode().IsRegular():
		return refuse("expected a file, which it is not: it is a directory or a device, %v", info.Mode())
	}
	for _, suffix := range beside {
		if err := writable(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return refuse("another user has left a file beside it, %s: expected none, or one that can be written: %v; "+
				"remove it while nobody uses the lock", filepath.Base(path)+suffix, err)
		}
	}
	if !shared(info, folder, os.Geteuid(), os.Getegid()) {
		return refuse("it belongs to another user, %s, who could not write what this one leaves beside it: expected the "+
			"file's owner, or a file that both may write by their group (chmod g+w), in a folder with the same group "+
			"that hands it on (chmod g+s)", ownerOf(info))
	}
	return nil
}

// writable is nil where this process may write to a file, or make files in a folder.
func writable(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
}

// withoutPath is an error without the path, which is told elsewhere.
func withoutPath(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// shared tells whether the owner of a file may write what SQLite makes beside it, in the same folder, for the user uid
// of group gid. SQLite gives that the file's mode, and the file's owner too where the user is root.
func shared(file, folder fs.FileInfo, uid, gid int) bool {
	of, ok := file.Sys().(*syscall.Stat_t)
	in, ok2 := folder.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || uid == 0 || int(of.Uid) == uid {
		return true
	}
	if handsOn(folder) {
		gid = int(in.Gid)
	}
	const group, others = 0o020, 0o002
	return file.Mode()&others != 0 || file.Mode()&group != 0 && int(of.Gid) == gid
}

// ownerOf names the owner of a file by number, for a message.
func ownerOf(info fs.FileInfo) string {
	if of, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("number %d", of.Uid)
	}
	return "unknown"
}

// fileLock is a lock in SQLite's file. It is for one request at a time.
type fileLock struct {
	ttl.Lock
	of *candidate
	// file is the file that was in its place, "" before the first look, and seen when it was last seen there, in milliseconds
	// since 1970. known: it may be led on.
	file  string
	seen  int64
	known bool
}

var errMoved = errors.New("the file was removed, or replaced by another")

// Get implements ttl.Lock. It makes the file anew where it was removed. On a file that may not be led on yet it still
// tells who holds the lock; where nobody does, it returns a *newFileError. With --observe it only reads.
func (l *fileLock) Get(ctx context.Context) (ttl.Entry, error) {
	if err := usable(l.of.o.at.path); err != nil {
		return ttl.Entry{}, err
	}
	if l.of.o.observe {
		return l.Lock.Get(ctx)
	}
	var fresh *newFileError
	refused := l.admit(ctx)
	if refused != nil && !errors.As(refused, &fresh) {
		return ttl.Entry{}, refused
	}
	entry, err := l.Lock.Get(ctx)
	if refused != nil && errors.Is(err, ttl.ErrAbsent) {
		return ttl.Entry{}, refused
	}
	return entry, err
}

// Create implements ttl.Lock.
func (l *fileLock) Create(ctx context.Context) (ttl.Entry, error) { return l.take(ctx, l.Lock.Create) }

// Replace implements ttl.Lock.
func (l *fileLock) Replace(ctx context.Context) (ttl.Entry, error) {
	return l.take(ctx, l.Lock.Replace)
}

// take sends a write of the entry. Its result counts only where the file at the lock's path is, before and after, the
// one that was admitted: what is written to another file counts for nothing.
func (l *fileLock) take(
	ctx context.Context, send func(context.Context) (ttl.Entry, error),
) (ttl.Entry, error) {
	if err := l.here(); err != nil {
		return ttl.Entry{}, err
	}
	entry, err := send(ctx)
	if at := l.here(); at != nil && (err == nil || errors.Is(at, errMoved)) {
		return ttl.Entry{}, at
	}
	return entry, err
}

// Refresh implements ttl.Lock. An entry whose file is not there any more is lost at once: anybody may make another.
func (l *fileLock) Refresh(ctx context.Context) (ttl.Entry, error) {
	if !l.known { // It has this candidate's name, and cannot be its own.
		return ttl.Entry{}, ttl.ErrLost
	}
	entry, err := l.take(ctx, l.Lock.Refresh)
	if errors.Is(err, errMoved) {
		l.of.log.Error("the lock is lost", "err", errMoved, "file", l.of.o.at.path)
		err = fmt.Errorf("%w: %w", ttl.ErrLost, errMoved)
	}
	return entry, err
}
