package sql_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

const (
	racers = 16
	rounds = 25
)

// race has all of them make a call at once. It returns who won, and requires of all others the answer no.
func (w *world) race(no error, calls ...func(context.Context) (ttl.Entry, error)) (winners []int) {
	w.Helper()
	errs := make([]error, len(calls))
	start := make(chan struct{})
	var done sync.WaitGroup
	for i, call := range calls {
		done.Go(func() {
			<-start
			_, errs[i] = call(w.Context())
		})
	}
	close(start)
	done.Wait()
	for i, err := range errs {
		if err == nil {
			winners = append(winners, i)
			continue
		}
		require.True(w, errors.Is(err, no) || w.conflict(err), "%v", err)
	}
	return winners
}

// conflict is whether a serializable PostgreSQL has sent a statement back: an error, to be tried again.
func (w *world) conflict(err error) bool {
	var state interface{ SQLState() string }
	return w.kind.name == "postgres/serializable" && errors.As(err, &state) && state.SQLState() == "40001"
}

func TestRacingCreators(t *testing.T) {
	each(t, func(w *world) {
		for range rounds {
			w.exec("DELETE FROM %s")
			var creates []func(context.Context) (ttl.Entry, error)
			for i := range racers {
				creates = append(creates, w.lock(fmt.Sprint(i)).Create)
			}
			winners := w.race(ttl.ErrTaken, creates...)
			require.Len(w, winners, 1)
			require.Len(w, w.rows(), 1)
		}
	})
}

// Of those who take an expired or a released row one wins, and the counter grows by one.
func TestRacingSuccessors(t *testing.T) {
	each(t, func(w *world) {
		holder, entry := w.create("a")
		locks := make([]*sqllock.Lock, racers)
		replaces := make([]func(context.Context) (ttl.Entry, error), racers)
		for i := range locks {
			locks[i] = w.lock(fmt.Sprint(i))
			replaces[i] = locks[i].Replace
		}
		for round := range rounds {
			if round%2 == 0 {
				w.age(lasts + time.Second)
			} else {
				require.NoError(w, holder.Release(w.Context()))
			}
			winners := w.race(ttl.ErrTaken, replaces...)
			require.Len(w, winners, 1)
			holder = locks[winners[0]]
			entry = ttl.Entry{Holder: holder.Identity(), Token: entry.Token + 1}
			w.holds(entry)
		}
	})
}

// A holder refreshes while another, whose clock is ahead, finds the row expired unless it is refreshed first: one wins.
func TestRacingRefresh(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			w := newWorld(t, k)
			now := time.UnixMicro(1_795_270_583_123_456)
			w.now = func() time.Time { return now }
			ahead := w.config("b")
			ahead.Now = func() time.Time { return now.Add(lasts) }
			a, b := w.lock("a"), w.lockOn(w.db, ahead)
			require.NoError(t, a.CreateTable(t.Context()))
			_, err := a.Create(t.Context())
			require.NoError(t, err)
			refresh := func(ctx context.Context) (ttl.Entry, error) {
				entry, err := a.Refresh(ctx)
				if errors.Is(err, ttl.ErrLost) {
					err = ttl.ErrTaken
				}
				return entry, err
			}
			kept := 0
			for range rounds * 2 {
				now = now.Add(time.Microsecond)
				winners := w.race(ttl.ErrTaken, refresh, b.Replace)
				require.Len(t, winners, 1)
				signature, _, _ := w.row()
				require.Equal(t, "ab"[winners[0]], signature[0])
				if winners[0] == 0 {
					kept++
					continue
				}
				require.NoError(t, b.Release(t.Context()))
				now = now.Add(lasts)
				_, err := a.Replace(t.Context())
				require.NoError(t, err)
			}
			t.Logf("kept %d, taken %d", kept, rounds*2-kept)
		})
	}
}

// Candidates that start together all make the table.
func TestRacingTables(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			w := newWorld(t, k)
			for range 5 {
				w.table = table()
				makes := make([]func(context.Context) (ttl.Entry, error), racers)
				for i := range makes {
					l := w.lock(fmt.Sprint(i))
					makes[i] = func(ctx context.Context) (ttl.Entry, error) { return ttl.Entry{}, l.CreateTable(ctx) }
				}
				require.Len(t, w.race(nil, makes...), racers)
			}
		})
	}
}

// Several processes have several connections to one file.
func TestRacingProcesses(t *testing.T) {
	for _, journal := range []string{"wal", "delete"} {
		t.Run(journal, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lock.db")
			w := &world{T: t, kind: kinds[0], db: openSQLite(t, path, journal), table: table()}
			require.NoError(t, w.lock("maker").CreateTable(t.Context()))
			_, entry := w.create("a")
			replaces := make([]func(context.Context) (ttl.Entry, error), racers)
			for i := range replaces {
				replaces[i] = w.lockOn(openSQLite(t, path, journal), w.config(fmt.Sprint(i))).Replace
			}
			for range rounds {
				w.age(lasts + time.Second)
				require.Len(t, w.race(ttl.ErrTaken, replaces...), 1)
				entry.Token++
				_, _, counter := w.row()
				require.EqualValues(t, entry.Token, counter)
			}
		})
	}
}

// blocked is a statement that waits for the row, in a database where a transaction has it.
func (w *world) blocked(hold string, while func(), call func(context.Context) (ttl.Entry, error)) error {
	w.Helper()
	tx, err := w.db.BeginTx(w.Context(), nil)
	require.NoError(w, err)
	_, err = tx.ExecContext(w.Context(), hold)
	require.NoError(w, err)
	answer := make(chan error, 1)
	go func() {
		_, err := call(w.Context())
		answer <- err
	}()
	w.waits()
	while()
	require.NoError(w, tx.Commit())
	return <-answer
}

// waits returns when somebody waits for a row of this table.
func (w *world) waits() {
	w.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		var n int
		require.NoError(w, w.db.QueryRowContext(w.Context(), "SELECT count(*) FROM pg_stat_activity WHERE"+
			" wait_event_type = 'Lock' AND position($1 in query) > 0", w.quoted()).Scan(&n))
		if n > 0 {
			return
		}
	}
	require.Fail(w, "nobody waits for the row")
}

// PostgreSQL evaluates the condition again on the row that it has waited for.
func TestWaitingForTheRow(t *testing.T) {
	w := newWorld(t, kinds[3])
	a := w.lock("a")
	require.NoError(t, a.CreateTable(t.Context()))
	_, err := a.Create(t.Context())
	require.NoError(t, err)
	touch := "UPDATE " + w.quoted() + " SET updated_time = updated_time + "
	idle := func() {}

	w.age(lasts + time.Second)
	require.ErrorIs(t, w.blocked(touch+"60000000", idle, w.lock("b").Replace), ttl.ErrTaken,
		"refreshed while another waited to take it")
	require.ErrorIs(t, w.blocked(touch+fmt.Sprint(-lasts.Microseconds()), idle, a.Refresh), ttl.ErrLost,
		"expired while its holder waited to refresh it")
	require.NoError(t, w.blocked("SELECT 1 FROM "+w.quoted()+" FOR UPDATE", idle, w.lock("c").Replace))
}

// What is read after the wait is the time after the wait: now() would have stood still.
func TestClockAfterTheWait(t *testing.T) {
	w := newWorld(t, kinds[3])
	a := w.lock("a")
	require.NoError(t, a.CreateTable(t.Context()))
	_, err := a.Create(t.Context())
	require.NoError(t, err)
	var released int64
	require.NoError(t, w.blocked("UPDATE "+w.quoted()+" SET updated_time = updated_time", func() {
		clock := "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"
		require.NoError(t, w.db.QueryRow(clock).Scan(&released))
	}, a.Refresh))
	_, updated, _ := w.row()
	require.GreaterOrEqual(t, updated, released)
}

// A database that is busy is an error, not the loss of the row.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock.db")
	w := &world{T: t, kind: kinds[0], db: openSQLite(t, path, "wal"), table: table()}
	require.NoError(t, w.lock("maker").CreateTable(t.Context()))
	_, entry := w.create("a")
	impatient := open(t, "sqlite", "file:"+path+"?_pragma=busy_timeout(1)")
	b := w.lockOn(impatient, w.config("b"))
	w.age(lasts + time.Second)
	writer, err := w.db.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, writer.Close()) }()
	_, err = writer.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	_, err = b.Replace(t.Context())
	require.ErrorContains(t, err, "SQLITE_BUSY")
	require.ErrorContains(t, err, `sqllock: cannot take the row if it has expired, key "the 'key'" of table`)
	require.NotErrorIs(t, err, ttl.ErrTaken)
	_, err = writer.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	again, err := b.Replace(t.Context())
	require.NoError(t, err)
	require.Equal(t, entry.Token+1, again.Token)
}

// Without a write-ahead log a reader can keep a change from being committed after its rows were returned.
func TestNotCommitted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock.db")
	w := &world{T: t, kind: kinds[1], db: openSQLite(t, path, "delete"), table: table()}
	require.NoError(t, w.lock("maker").CreateTable(t.Context()))
	_, entry := w.create("a")
	w.age(lasts + time.Second)
	impatient := open(t, "sqlite", "file:"+path+"?_pragma=busy_timeout(1)")
	b := w.lockOn(impatient, w.config("b"))
	reader, err := w.db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	var n int
	require.NoError(t, reader.QueryRow("SELECT count(*) FROM "+w.quoted()).Scan(&n))
	_, err = b.Replace(t.Context())
	require.ErrorContains(t, err, "SQLITE_BUSY")
	require.NoError(t, reader.Rollback())
	signature, _, counter := w.row()
	require.Equal(t, byte('a'), signature[0])
	require.EqualValues(t, entry.Token, counter)
}

// A statement that waits for the row ends with its context, and that is no answer.
func TestWaitEndsWithContext(t *testing.T) {
	w := newWorld(t, kinds[3])
	a := w.lock("a")
	require.NoError(t, a.CreateTable(t.Context()))
	_, err := a.Create(t.Context())
	require.NoError(t, err)
	tx, err := w.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), "SELECT 1 FROM "+w.quoted()+" FOR UPDATE")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = a.Refresh(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, ttl.ErrLost)
	require.NoError(t, tx.Rollback())
	_, err = a.Refresh(t.Context())
	require.NoError(t, err)
}
