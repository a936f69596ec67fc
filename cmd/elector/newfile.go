package main

import (
	"fmt"
	"time"
)

// A file of SQLite says which file it is, and since when elector knows it. One that was made anew, copied or restored says
// something else, or nothing: somebody may still lead on the file that was in its place, and finds out at the next
// request only. So nobody leads on a file before it has been known for a --lease-duration: by then that leader's command
// has ended, if its --lease-duration is no longer. On Linux the leader announces itself too: see announce.
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

// newFileError is the error for a file on which nobody may lead yet. left is the time until somebody may.
type newFileError struct {
	refusal
	left time.Duration
}

// newFile returns the error for a file on which nobody may lead for the time left.
func newFile(left time.Duration) *newFileError {
	return &newFileError{refusal(fmt.Sprintf("the file is new here: nobody leads on it for %v more, since somebody may "+
		"still lead on the file that it has taken the place of", left.Round(time.Millisecond))), left}
}
