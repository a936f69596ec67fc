package sql_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

// create makes the row a candidate's.
func (w *world) create(identity string) (*sqllock.Lock, ttl.Entry) {
	w.Helper()
	l := w.lock(identity)
	entry, err := l.Create(w.Context())
	require.NoError(w, err)
	require.Equal(w, identity, entry.Holder)
	require.Positive(w, entry.Token)
	return l, entry
}

// is requires an answer of one of the three calls that may say no, and that nothing was written.
func (w *world) is(want error, call func(context.Context) (ttl.Entry, error)) {
	w.Helper()
	before := w.rows()
	_, err := call(w.Context())
	require.ErrorIs(w, err, want)
	require.Equal(w, before, w.rows())
}

// holds requires that the row is this candidate's.
func (w *world) holds(entry ttl.Entry) {
	w.Helper()
	found, err := w.lock("observer").Get(w.Context())
	require.NoError(w, err)
	require.Equal(w, entry, found)
}

func released(l *sqllock.Lock) func(context.Context) (ttl.Entry, error) {
	return func(ctx context.Context) (ttl.Entry, error) { return ttl.Entry{}, l.Release(ctx) }
}

func TestNoRow(t *testing.T) {
	each(t, func(w *world) {
		a := w.lock("a")
		w.is(ttl.ErrAbsent, a.Get)
		w.is(ttl.ErrTaken, a.Replace)
		w.is(ttl.ErrLost, a.Refresh)
		w.is(ttl.ErrLost, released(a))
		_, entry := w.create("b")
		w.holds(entry)
	})
}

func TestAnothersRow(t *testing.T) {
	each(t, func(w *world) {
		_, entry := w.create("a")
		for _, name := range []string{"b", "a"} { // a second process of the same name too
			other := w.lock(name)
			w.is(ttl.ErrTaken, other.Create)
			w.is(ttl.ErrTaken, other.Replace)
			w.is(ttl.ErrLost, other.Refresh)
			w.is(ttl.ErrLost, released(other))
		}
		w.holds(entry)
	})
}

func TestOwnRow(t *testing.T) {
	each(t, func(w *world) {
		a, entry := w.create("a")
		w.is(ttl.ErrTaken, a.Create)
		w.is(ttl.ErrTaken, a.Replace)
		w.age(lasts - time.Minute)
		signature, before, _ := w.row()
		again, err := a.Refresh(w.Context())
		require.NoError(w, err)
		require.Equal(w, entry, again)
		still, after, _ := w.row()
		require.Equal(w, signature, still)
		require.Greater(w, after, before+(lasts-2*time.Minute).Microseconds())
		w.holds(entry)
	})
}

func TestExpiredRow(t *testing.T) {
	each(t, func(w *world) {
		a, first := w.create("a")
		w.age(lasts + time.Second)
		b := w.lock("b")
		w.is(ttl.ErrAbsent, b.Get)
		w.is(ttl.ErrTaken, b.Create)
		w.is(ttl.ErrLost, a.Refresh)
		second, err := b.Replace(w.Context())
		require.NoError(w, err)
		require.Equal(w, ttl.Entry{Holder: "b", Token: first.Token + 1}, second)
		w.is(ttl.ErrLost, a.Refresh)
		w.is(ttl.ErrLost, released(a))
		w.holds(second)
	})
}

func TestReleasedRow(t *testing.T) {
	each(t, func(w *world) {
		a, first := w.create("a")
		require.NoError(w, a.Release(w.Context()))
		signature, _, counter := w.row()
		require.Empty(w, signature)
		require.EqualValues(w, first.Token, counter)
		w.is(ttl.ErrLost, released(a))
		w.is(ttl.ErrLost, a.Refresh)
		w.is(ttl.ErrAbsent, a.Get)
		w.is(ttl.ErrTaken, a.Create)
		b := w.lock("b")
		second, err := b.Replace(w.Context())
		require.NoError(w, err)
		require.Equal(w, ttl.Entry{Holder: "b", Token: first.Token + 1}, second)
		require.NoError(w, b.Release(w.Context()))
		third, err := a.Replace(w.Context())
		require.NoError(w, err)
		require.Equal(w, ttl.Entry{Holder: "a", Token: first.Token + 2}, third)
		_, err = a.Refresh(w.Context())
		require.NoError(w, err)
	})
}

// A release may still be under way when its caller has given up: its entry is not to be refreshed.
func TestReleaseDisowns(t *testing.T) {
	each(t, func(w *world) {
		a, entry := w.create("a")
		ctx, cancel := context.WithCancel(w.Context())
		cancel()
		require.ErrorIs(w, a.Release(ctx), context.Canceled)
		w.holds(entry)
		w.is(ttl.ErrLost, a.Refresh)
		w.is(ttl.ErrLost, released(a))
	})
}

func TestDeletedRow(t *testing.T) {
	each(t, func(w *world) {
		a, first := w.create("a")
		w.exec("UPDATE %s SET counter = counter - 1000000") // as if a second ago
		w.age(lasts + time.Second)
		second, err := a.Replace(w.Context())
		require.NoError(w, err)
		require.Equal(w, first.Token-1_000_000+1, second.Token)
		w.exec("DELETE FROM %s")
		w.is(ttl.ErrLost, a.Refresh)
		w.is(ttl.ErrTaken, a.Replace)
		_, third := w.create("b")
		require.Greater(w, third.Token, second.Token)
	})
}

func TestKeysAreApart(t *testing.T) {
	each(t, func(w *world) {
		_, entry := w.create("a")
		c := w.config("b")
		c.Key = "the 'key' "
		other := w.lockOn(w.db, c)
		_, err := other.Get(w.Context())
		require.ErrorIs(w, err, ttl.ErrAbsent)
		_, err = other.Create(w.Context())
		require.NoError(w, err)
		w.holds(entry)
	})
}

func TestExactTime(t *testing.T) {
	for _, k := range []kind{kinds[0], kinds[3]} {
		t.Run(k.name, func(t *testing.T) {
			w := newWorld(t, k)
			start := time.UnixMicro(1_795_270_583_123_456)
			now := start
			w.now = func() time.Time { return now }
			a := w.lock("a")
			require.NoError(t, a.CreateTable(t.Context()))
			_, err := a.Create(t.Context())
			require.NoError(t, err)
			_, updated, counter := w.row()
			require.Equal(t, start.UnixMicro(), updated)
			require.Equal(t, start.UnixMicro(), counter)

			b := w.lock("b")
			now = start.Add(lasts)
			w.is(ttl.ErrTaken, b.Replace)
			now = start.Add(lasts - time.Microsecond)
			_, err = a.Refresh(t.Context())
			require.NoError(t, err)
			now = now.Add(lasts + time.Microsecond)
			w.is(ttl.ErrLost, a.Refresh)
			_, err = b.Replace(t.Context())
			require.NoError(t, err)

			// A refresh that comes late, or by a clock that was set back, must not have the row expire earlier.
			now = now.Add(-time.Microsecond)
			w.is(ttl.ErrLost, b.Refresh)
		})
	}
}

// The database's clock is read in the unit of the column, whatever zone the session has.
func TestDatabaseClock(t *testing.T) {
	each(t, func(w *world) {
		before := time.Now().Truncate(time.Millisecond)
		w.create("a")
		_, updated, _ := w.row()
		require.False(w, time.UnixMicro(updated).Before(before.Truncate(time.Millisecond)))
		require.False(w, time.UnixMicro(updated).After(time.Now()))
	})
}

func TestSchemaDotTable(t *testing.T) {
	for i, schema := range map[int]string{0: "main", 3: `strange "schema`} {
		t.Run(kinds[i].name, func(t *testing.T) {
			w := newWorld(t, kinds[i])
			if i == 3 {
				w.exec(`CREATE SCHEMA "strange ""schema"`)
			}
			c := w.config("a")
			c.Table = schema + `.ta"ble`
			l := w.lockOn(w.db, c)
			require.NoError(t, l.CreateTable(t.Context()))
			_, err := l.Create(t.Context())
			require.NoError(t, err)
			_, err = l.Refresh(t.Context())
			require.NoError(t, err)
		})
	}
}
