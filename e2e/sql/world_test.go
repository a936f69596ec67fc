package sql_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"interregnum/elector/sqllock"
)

// lasts is the TTL of all locks here: nothing expires by itself while a test runs.
const lasts = time.Hour

// kind is a database, and how to reach it.
type kind struct {
	name    string
	dialect sqllock.Dialect
	open    func(t *testing.T) *sql.DB
}

func sqliteFile(journal string) func(t *testing.T) *sql.DB {
	return func(t *testing.T) *sql.DB {
		return openSQLite(t, filepath.Join(t.TempDir(), "lock.db"), journal)
	}
}

func openSQLite(t *testing.T, path, journal string) *sql.DB {
	t.Helper()
	return open(t, "sqlite", "file:"+path+"?_pragma=busy_timeout(20000)&_pragma=journal_mode("+journal+")")
}

func sqliteMemory(t *testing.T) *sql.DB {
	db := open(t, "sqlite", "file:"+table()+"?mode=memory&cache=shared")
	db.SetMaxOpenConns(1)
	return db
}

func postgresWith(parameters url.Values) func(t *testing.T) *sql.DB {
	return func(t *testing.T) *sql.DB { return openPostgres(t, parameters) }
}

var kinds = []kind{
	{"sqlite", sqllock.SQLite, sqliteFile("wal")},
	{"sqlite/rollback-journal", sqllock.SQLite, sqliteFile("delete")},
	{"sqlite/memory", sqllock.SQLite, sqliteMemory},
	{"postgres", sqllock.PostgreSQL, postgresWith(nil)},
	{"postgres/simple-protocol", sqllock.PostgreSQL,
		postgresWith(url.Values{"default_query_exec_mode": {"simple_protocol"}})},
	{"postgres/serializable", sqllock.PostgreSQL,
		postgresWith(url.Values{"default_transaction_isolation": {"serializable"}})},
	{"postgres/kolkata", sqllock.PostgreSQL, postgresWith(url.Values{"timezone": {"Asia/Kolkata"}})},
}

func open(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	db.SetMaxIdleConns(racers)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

var tables atomic.Int64

// table is a name that no other test uses. It would not do without quotes.
func table() string { return fmt.Sprintf("Select from \"%d'", tables.Add(1)) }

// world is a table in one database, and what a test does with it beside the locks.
type world struct {
	*testing.T
	kind  kind
	db    *sql.DB
	table string
	now   func() time.Time
}

// each runs a test on every kind of database, by its clock and by the caller's.
func each(t *testing.T, test func(w *world)) {
	for _, k := range kinds {
		for clock, now := range map[string]func() time.Time{"database": nil, "caller": time.Now} {
			t.Run(k.name+"/"+clock, func(t *testing.T) {
				w := newWorld(t, k)
				w.now = now
				require.NoError(t, w.lock("maker").CreateTable(t.Context()))
				test(w)
			})
		}
	}
}

// eachDatabase runs a test with a table of the given columns on SQLite and PostgreSQL.
func eachDatabase(t *testing.T, columns string, test func(w *world)) {
	for _, i := range []int{0, 3} {
		t.Run(kinds[i].name, func(t *testing.T) {
			w := newWorld(t, kinds[i])
			w.exec("CREATE TABLE %s (" + columns + ")")
			test(w)
		})
	}
}

func newWorld(t *testing.T, k kind) *world {
	return &world{T: t, kind: k, db: k.open(t), table: table()}
}

func (w *world) config(identity string) sqllock.Config {
	return sqllock.Config{
		Dialect: w.kind.dialect, Table: w.table, Key: "the 'key'", Identity: identity, TTL: lasts, Now: w.now,
	}
}

func (w *world) lock(identity string) *sqllock.Lock { return w.lockOn(w.db, w.config(identity)) }

func (w *world) lockOn(db *sql.DB, c sqllock.Config) *sqllock.Lock {
	w.Helper()
	l, err := sqllock.New(db, c)
	require.NoError(w, err)
	return l
}

func (w *world) quoted() string { return `"` + strings.ReplaceAll(w.table, `"`, `""`) + `"` }

// exec runs a statement; %s in it is the table.
func (w *world) exec(statement string, args ...any) {
	w.Helper()
	_, err := w.db.ExecContext(w.Context(), strings.ReplaceAll(statement, "%s", w.quoted()), args...)
	require.NoError(w, err)
}

// age lets time pass for the row.
func (w *world) age(d time.Duration) {
	w.Helper()
	w.exec(fmt.Sprintf("UPDATE %%s SET updated_time = updated_time - %d", d.Microseconds()))
}

// rows is all that the table holds, as text.
func (w *world) rows() []string {
	w.Helper()
	rows, err := w.db.QueryContext(w.Context(), "SELECT * FROM "+w.quoted())
	require.NoError(w, err)
	defer func() { require.NoError(w, rows.Close()) }()
	columns, err := rows.Columns()
	require.NoError(w, err)
	var found []string
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		require.NoError(w, rows.Scan(into...))
		found = append(found, fmt.Sprintf("%v", values))
	}
	require.NoError(w, rows.Err())
	return found
}

// row is the one row of a table that CreateTable has made.
func (w *world) row() (signature string, updated, counter int64) {
	w.Helper()
	row := w.db.QueryRowContext(context.Background(), "SELECT signature, updated_time, counter FROM "+w.quoted())
	require.NoError(w, row.Scan(&signature, &updated, &counter))
	return signature, updated, counter
}
