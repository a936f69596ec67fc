package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"interregnum/elector/ttl"
)

// A file of SQLite says which file it is, and since when elector knows it. One that was made anew, copied or restored says
// something else, or nothing: somebody may still lead on the file that was in its place, and finds out at the next
// request only. So nobody leads on a file before it has been known for a --lease-duration: by then that leader's command
// has ended.
const (
	markTable = `CREATE TABLE IF NOT EXISTS interregnum_file (
	one integer PRIMARY KEY CHECK (one = 1), file text NOT NULL, since integer NOT NULL)`
	// markNow is SQLite's clock, in milliseconds since 1970.
	markNow = "CAST(round(unixepoch('subsec') * 1000) AS integer)"
	// setMark begins the wait where the mark is another file's, or of a time to come, or before ?2.
	setMark = `INSERT INTO interregnum_file VALUES (1, ?1, ` + markNow + `) ON CONFLICT (one)
	DO UPDATE SET file = excluded.file, since = excluded.since
	WHERE file <> excluded.file OR since > excluded.since OR since < ?2`
	getAge = "SELECT " + markNow + " - since FROM interregnum_file WHERE one = 1"
)

// newFileError is the answer of a file that may not be led on yet: as of a lock that another holds.
type newFileError struct{ left time.Duration }

func (e *newFileError) Error() string {
	return fmt.Sprintf("the file is new here: nobody leads on it for %v more, since somebody may still lead on the file "+
		"that it has taken the place of", e.left.Round(time.Millisecond))
}

// Is makes the error equal to ttl.ErrTaken for errors.Is, so that it counts as a refusal and not as a failure.
func (e *newFileError) Is(target error) bool { return target == ttl.ErrTaken }

// age is for how long the file has been known, by a mark inside it. The mark is set to now, so that age is 0, where it
// is missing, of another file or of a time to come, or older than other: when another file was last seen in this one's
// place, in milliseconds since 1970, 0 for never.
func (c *candidate) age(ctx context.Context, file string, other int64) (time.Duration, error) {
	db, err := openSQLite(sqliteDSN(c.o, "rw"))
	if err != nil {
		return 0, err
	}
	defer db.Close()
	var ms int64
	_, err = db.ExecContext(ctx, markTable)
	if err == nil {
		_, err = db.ExecContext(ctx, setMark, file, other)
	}
	if err == nil {
		err = db.QueryRowContext(ctx, getAge).Scan(&ms)
	}
	if err != nil {
		return 0, fmt.Errorf("cannot mark the file: %w; the file is %s", err, c.o.at.path)
	}
	return time.Duration(max(0, ms)) * time.Millisecond, nil
}

// identifyHere tells which file is at the lock's path now, as identify does. Where there is none, or an empty one, it
// makes it first.
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

// admit returns nil where somebody may lead on the file at the lock's path, and a *newFileError where the file is not
// known for long enough yet. It remembers which file it has looked at.
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
	age, err := l.of.age(ctx, file, other)
	if err != nil {
		return err
	}
	// What was marked is the file that was looked at, unless it has been moved meanwhile.
	if again, err := identify(l.of.o.at.path); err != nil || again != file {
		return errMoved
	}
	l.file, l.seen = file, at
	if left := l.of.o.lease - age; left > 0 {
		fresh := &newFileError{left}
		l.of.noteNewFile(fresh)
		return fresh
	}
	l.known = true
	l.of.noteNewFile(nil)
	return nil
}

// here returns nil where the file at the lock's path is still the one that admit has looked at, and errMoved where it
// is gone or another one.
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

// noteNewFile notes that nobody may lead on the file yet, or with nil that somebody may. A candidate with --wait 0s
// then waits until the file may be led on, since nobody need hold the lock until then.
func (c *candidate) noteNewFile(err *newFileError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.newFile
	c.newFile = err
	if err == nil || before != nil {
		return
	}
	c.log.Warn("the file is new", "file", c.o.at.path, "wait", err.left.String())
	if c.o.wait == 0 && c.waiting != nil {
		c.waiting.Reset(err.left + c.o.renew)
	}
}
