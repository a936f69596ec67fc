package sql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/ttl"
)

var errLost = errors.New("connection lost")

// losing is a connector to a database that does what it is asked, and whose answers are lost while lose is set.
type losing struct {
	behind driver.Connector
	lose   bool
}

func (l *losing) Driver() driver.Driver { return l.behind.Driver() }

func (l *losing) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := l.behind.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &losingConn{c, l}, nil
}

type losingConn struct {
	driver.Conn
	of *losing
}

func (c *losingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, text, args)
	if err != nil || !c.of.lose {
		return rows, err
	}
	values := make([]driver.Value, len(rows.Columns()))
	for rows.Next(values) == nil {
	}
	return nil, errors.Join(errLost, rows.Close())
}

func (c *losingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, text, args)
}

// byName opens a driver by its name for one connection string.
type byName struct {
	d   driver.Driver
	dsn string
}

func (b byName) Driver() driver.Driver                        { return b.d }
func (b byName) Connect(context.Context) (driver.Conn, error) { return b.d.Open(b.dsn) }

// losingWorld is a database whose answers can be lost, on SQLite and on PostgreSQL.
func losingWorld(t *testing.T, test func(w *world, l *losing)) {
	for _, i := range []int{0, 3} {
		t.Run(kinds[i].name, func(t *testing.T) {
			w := newWorld(t, kinds[i])
			dsn := "file:" + t.TempDir() + "/lock.db?_pragma=busy_timeout(20000)"
			if i == 3 {
				dsn = postgres().dsn(nil)
			}
			l := &losing{behind: byName{w.db.Driver(), dsn}}
			w.db = sql.OpenDB(l)
			t.Cleanup(func() { require.NoError(t, w.db.Close()) })
			require.NoError(t, w.lock("maker").CreateTable(t.Context()))
			test(w, l)
		})
	}
}

// A row whose making was not answered is the maker's own, not that of another process of its name.
func TestLostAnswers(t *testing.T) {
	losingWorld(t, func(w *world, l *losing) {
		a, twin := w.lock("a"), w.lock("a")
		lost := func(call func(context.Context) (ttl.Entry, error)) {
			w.Helper()
			l.lose = true
			_, err := call(w.Context())
			l.lose = false
			require.ErrorIs(w, err, errLost)
		}
		lost(a.Create)
		found, err := twin.Get(w.Context())
		require.NoError(w, err)
		require.Equal(w, "a", found.Holder)
		w.is(ttl.ErrLost, twin.Refresh)
		own, err := a.Refresh(w.Context())
		require.NoError(w, err)
		require.Equal(w, found, own)

		w.age(lasts + time.Second)
		lost(twin.Replace)
		w.is(ttl.ErrLost, a.Refresh)
		own, err = twin.Refresh(w.Context())
		require.NoError(w, err)
		require.Equal(w, found.Token+1, own.Token)

		// The refresh was applied, and the row is held on.
		lost(twin.Refresh)
		w.holds(own)

		lost(released(twin))
		w.is(ttl.ErrAbsent, twin.Get)
		w.is(ttl.ErrLost, released(twin))

		// Own is the entry that was answered, not a later one of the same Lock.
		_, err = a.Replace(w.Context())
		require.NoError(w, err)
		w.exec("UPDATE %s SET counter = counter + 1")
		w.is(ttl.ErrLost, a.Refresh)
	})
}
