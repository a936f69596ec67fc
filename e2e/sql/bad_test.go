package sql_test

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

const loose = "key text PRIMARY KEY, signature text, updated_time bigint, counter bigint"

// The time of these rows passed long ago: a lock that does not look would take them.
func TestRowsOfOthers(t *testing.T) {
	for _, c := range []struct {
		name, columns, row, says string
		only                     sqllock.Dialect
	}{
		{"NULL signature", loose, "NULL, 1, 1", "signature is NULL: expected text", 0},
		{"NULL time", loose, "'a', NULL, 1", "updated_time is NULL: expected an integer, microseconds since", 0},
		{"NULL time, released", loose, "'', NULL, 1", "updated_time is NULL", 0},
		{"NULL counter", loose, "'a', 1, NULL", "counter is NULL: expected an integer from 1", 0},
		{"all NULL", loose, "NULL, NULL, NULL",
			"signature is NULL: expected text; updated_time is NULL: expected an integer, microseconds since " +
				"1970-01-01 UTC; counter is NULL", 0},
		{"counter 0", loose, "'a', 1, 0", "counter is 0: expected an integer from 1", 0},
		{"counter below 0", loose, "'a', 1, -5", "counter is -5", 0},
		{"counter at its end", loose, "'a', 1, 9223372036854775807",
			"counter is 9223372036854775807: expected an integer from 1 to 9223372036854775806", 0},
		{"foreign time zone", loose, "'a', '2001-02-03 04:05:06+05:30', 1",
			`updated_time is string "2001-02-03 04:05:06+05:30"`, sqllock.SQLite},
		{"fraction", loose, "'a', 1.5, 1", "updated_time is float64 1.5", sqllock.SQLite},
		{"bytes", loose, "x'61', 1, 1", `signature is []uint8 "a"`, sqllock.SQLite},
		{"column of timestamps", strings.Replace(loose, "time bigint", "time timestamp", 1),
			"'a', '2001-02-03 04:05:06+05:30', 1",
			"updated_time is a time with a time zone of its own, 2001-02-03T04:05:06+05:30", sqllock.SQLite},
		{"column of timestamptz", strings.Replace(loose, "time bigint", "time timestamptz", 1),
			"'a', '2001-02-03 04:05:06+05:30', 1", "updated_time is a time with a time zone of its own, 2001-02-0",
			sqllock.PostgreSQL},
		{"column of numeric", strings.Replace(loose, "time bigint", "time numeric", 1),
			"'a', 1.5, 1", `updated_time is string "1.5"`, sqllock.PostgreSQL},
		{"column of numbers missing", "key text PRIMARY KEY, signature text, updated_time bigint", "'a', 1",
			"counter", 0},
		{"two rows of one key", strings.Replace(loose, " PRIMARY KEY", "", 1), "'a', 1, 1), ('the ''key''', 'b', 2, 2",
			"more than one such row: expected key to be the table's primary key", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDatabase(t, c.columns, func(w *world) {
				if c.only != 0 && c.only != w.kind.dialect {
					w.Skip("this database does not store it")
				}
				w.exec("INSERT INTO %s VALUES ('the ''key''', " + c.row + ")")
				w.untouched(c.says, w.rows())
				w.now = time.Now
				w.untouched(c.says, w.rows())
			})
		})
	}
}

// untouched requires that Get is an error that says so, and that no call takes the row.
func (w *world) untouched(says string, rows []string) {
	w.Helper()
	a := w.lock("a")
	_, err := a.Get(w.Context())
	require.ErrorContains(w, err, says)
	require.ErrorContains(w, err, `key "the 'key'" of table "Select from `)
	for name, call := range map[string]func(context.Context) (ttl.Entry, error){
		"create": a.Create, "replace": a.Replace, "refresh": a.Refresh, "release": released(a),
	} {
		if strings.Contains(says, "more than one") && name == "replace" {
			continue // Get comes first
		}
		_, err := call(w.Context())
		require.Error(w, err, name)
		require.NotErrorIs(w, err, ttl.ErrAbsent, name)
		require.Equal(w, rows, w.rows(), name)
	}
}

// A time that is ahead of the clock is no entry that will expire in time, and must be told.
func TestRowAhead(t *testing.T) {
	each(t, func(w *world) {
		a, entry := w.create("a")
		w.age(-lasts / 2)
		w.holds(entry)
		w.age(-lasts)
		b := w.lock("b")
		_, err := b.Get(w.Context())
		require.ErrorContains(w, err, "ahead of the clock: expected at most its TTL, 1h0m0s; a clock is wrong, or was")
		w.is(ttl.ErrTaken, b.Replace)
		if w.now != nil {
			w.is(ttl.ErrLost, a.Refresh)
			return
		}
		_, err = a.Refresh(w.Context()) // the database's clock was set back: the holder follows it
		require.NoError(w, err)
		w.holds(entry)
		w.exec("UPDATE %s SET updated_time = 9223372036854775807")
		_, err = b.Get(w.Context())
		require.ErrorContains(w, err, "ahead of the clock")
	})
}

// every requires that each call is an error that names the row and says why.
func (w *world) every(l *sqllock.Lock, says string) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), 20*time.Second)
	defer cancel()
	for name, call := range map[string]func(context.Context) (ttl.Entry, error){
		"check the row": l.Get, "insert the row": l.Create, "take the row if it has expired": l.Replace,
		"refresh the row": l.Refresh, "release the row": released(l),
	} {
		_, err := call(ctx)
		require.ErrorContains(w, err, "sqllock: cannot "+name+", key \"the 'key'\" of table ")
		require.ErrorContains(w, err, says)
		require.NotContains(w, err.Error(), "\n")
	}
}

func TestTableMissing(t *testing.T) {
	for i, says := range map[int]string{0: "no such table: Select from", 3: "does not exist"} {
		t.Run(kinds[i].name, func(t *testing.T) {
			w := newWorld(t, kinds[i])
			w.every(w.lock("a"), says)
		})
	}
}

func TestKeyLongerThanColumn(t *testing.T) {
	w := newWorld(t, kinds[3])
	w.exec("CREATE TABLE %s (" + strings.Replace(loose, "key text", "key varchar(8)", 1) + ")")
	_, err := w.lock("a").Create(t.Context())
	require.ErrorContains(t, err, `cannot insert the row, key "the 'key'" of table "Select from`)
	require.ErrorContains(t, err, "value too long for type character varying(8)")
	require.Empty(t, w.rows())
}

func TestLongestNames(t *testing.T) {
	each(t, func(w *world) {
		c := w.config(strings.Repeat("ü", 255))
		c.Key = strings.Repeat("世", 255)
		l := w.lockOn(w.db, c)
		made, err := l.Create(w.Context())
		require.NoError(w, err)
		found, err := l.Get(w.Context())
		require.NoError(w, err)
		require.Equal(w, made, found)
	})
}

func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock.db")
	w := &world{T: t, kind: kinds[0], db: openSQLite(t, path, "delete"), table: table()}
	require.NoError(t, w.lock("maker").CreateTable(t.Context()))
	_, entry := w.create("a")
	w.age(lasts + time.Second)
	l := w.lockOn(open(t, "sqlite", "file:"+path+"?mode=ro"), w.config("b"))
	_, err := l.Replace(t.Context())
	require.ErrorContains(t, err, "readonly database")
	_, _, counter := w.row()
	require.EqualValues(t, entry.Token, counter)
}

func TestNoDatabase(t *testing.T) {
	w := &world{T: t, kind: kinds[0], table: "locks"}
	missing := filepath.Join(t.TempDir(), "missing", "lock.db")
	w.every(w.lockOn(open(t, "sqlite", "file:"+missing), w.config("a")), "unable to open database file")

	w = &world{T: t, kind: kinds[3], table: "locks"}
	port, err := freePort()
	require.NoError(t, err)
	refused := &server{port: port}
	w.every(w.lockOn(open(t, "pgx", refused.dsn(nil)), w.config("a")), "connection refused")
}

// None of these connection strings is right; none of the errors may tell the password, whose pieces all hold "cret".
func TestPasswordIsNotTold(t *testing.T) {
	port, err := freePort()
	require.NoError(t, err)
	here := fmt.Sprintf("127.0.0.1:%d", port)
	var dsns []string
	for _, secret := range []string{
		"secret", "se cret", "se%zzcret", "secret#", "secret/secret", "secret?secret", "cret:cret", `cret\'cret`, "`cret",
		"cret'cret", `cret"cret`, "cret`: cret", "cret=cret",
	} {
		dsns = append(dsns,
			"postgres://u:"+secret+"@"+here+"/db",
			"postgres://u:"+secret+"@host:port/db",
			"postgres://u:"+secret+"@"+here+"/db?sslmode=wrong",
			"postgres://"+here+"/db?user=u&port=x&password="+secret,
			"postgres:/u:"+secret+"@"+here+"/db",
			"u:"+secret+"@"+here+"/db",
			"host=127.0.0.1 port=x user=u password="+secret,
			"host=127.0.0.1 port=x user=u password = "+secret,
			"host=127.0.0.1 port=x user=u password='"+secret+"'",
			"host=127.0.0.1 port=x user=u password='"+secret,
			fmt.Sprintf("host=127.0.0.1 port=%d user=u password='%s'", port, url.PathEscape(secret)),
			"postgres://u:"+url.PathEscape(secret)+"@"+here+"/db",
		)
	}
	w := &world{T: t, kind: kinds[3], table: "locks"}
	told := 0
	for _, dsn := range dsns {
		l := w.lockOn(open(t, "pgx", dsn), w.config("a"))
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		_, err := l.Get(ctx)
		tables := l.CreateTable(ctx)
		cancel()
		require.Error(t, err, dsn)
		require.NotContains(t, err.Error(), "cret", dsn)
		require.NotContains(t, tables.Error(), "cret", dsn)
		require.NotContains(t, l.Describe(), "cret")
		if strings.Contains(err.Error(), "kept back") {
			continue
		}
		told++
		require.Contains(t, err.Error(), "failed to connect", dsn)
	}
	require.Greater(t, told, 20)
	t.Logf("%d connection strings, %d errors told as they are", len(dsns), told)
}

func TestWrongPassword(t *testing.T) {
	require.NotNil(t, openPostgres(t, nil))
	s := *postgres()
	dsn := strings.Replace(s.dsn(nil), "s3cret", "wr0ng", 1)
	w := &world{T: t, kind: kinds[3], table: "locks"}
	l := w.lockOn(open(t, "pgx", dsn), w.config("a"))
	_, err := l.Get(t.Context())
	require.ErrorContains(t, err, `password authentication failed for user "candidate"`)
	require.NotContains(t, err.Error(), "wr0ng")
}

// A row that somebody has spoilt is no longer its holder's: text is greater than every number, and would never expire.
func TestOwnRowSpoilt(t *testing.T) {
	eachDatabase(t, loose, func(w *world) {
		for _, spoilt := range []string{"updated_time = NULL", "updated_time = '2001-02-03 04:05:06+05:30'", "counter = NULL"} {
			if strings.Contains(spoilt, "'") && w.kind.dialect == sqllock.PostgreSQL {
				continue // it does not store that
			}
			w.exec("DELETE FROM %s")
			a, _ := w.create("a")
			w.exec("UPDATE %s SET " + spoilt)
			w.is(ttl.ErrLost, a.Refresh)
		}
	})
}
