// Package sqllock is a lock in a row of an SQL database: a ttl.Lock on database/sql, for SQLite and PostgreSQL. The driver
// is the caller's; modernc.org/sqlite and github.com/jackc/pgx/v5/stdlib are tested.
//
//	create   table (key primary, signature, updated_time, counter): see Lock.Schema
//	Get      reads the row and the clock in one statement
//	Create   inserts the row where there is none
//	Replace  takes a row that has expired or was released, and adds one to its counter
//	Refresh  sets the time of a row that is its own and has not expired
//	Release  empties the signature of a row that is its own
//
// Each is one statement, outside of any transaction, whose WHERE clause holds all that it depends on. Both databases let
// only one such statement at a time change a row, and a statement that had to wait looks at the row as it then
// is: PostgreSQL evaluates the clause again on the new row (Read Committed, its default), SQLite has one writer. So of any number
// of candidates that replace an expired row one wins.
//
// # The row
//
// updated_time is an integer, microseconds since 1970-01-01 UTC. It means the same in both databases, and whatever time zone
// the session has; a TIMESTAMP does not. The counter is the fencing token. It starts with the time, in microseconds, at which
// the row was made, so that it goes on growing when somebody deletes the row, and is kept on release. The signature is the
// holder's identity, a random mark of the Lock's own, since a second process with the same identity is another holder, and how
// long the row lasts, so that candidates with other TTLs count as its holder does. A row
// that this package could not have written, with a NULL or a time that is no integer, is an error to Get and is never taken.
//
// # The clock
//
// By default the database's clock decides what has expired. See Config.Now for the other choice, and why not to make it.
package sqllock
