package sql_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector"
	"interregnum/elector/sqllock"
)

// patience bounds every wait for something that must happen.
const patience = 30 * time.Second

// term is one candidate's work.
type term struct {
	candidate int
	token     uint64
	ended     <-chan struct{}
}

// election is candidates with a database handle each, as in processes of their own.
type election struct {
	*testing.T
	dbs     []*sql.DB
	cancels []context.CancelFunc
	terms   chan term
	working atomic.Int32
	running sync.WaitGroup
}

func newElection(t *testing.T, k kind, entryLasts time.Duration, release bool) *election {
	e := &election{T: t, terms: make(chan term, 10)}
	name := table()
	first := k.open(t)
	for i := range 3 {
		db := first
		if i > 0 {
			db = k.open(t)
		}
		e.dbs = append(e.dbs, db)
		l, err := sqllock.New(db, sqllock.Config{
			Dialect: k.dialect, Table: name, Key: "leader", Identity: fmt.Sprint(i), TTL: entryLasts,
		})
		require.NoError(t, err)
		require.NoError(t, l.CreateTable(t.Context()))
		ctx, cancel := context.WithCancel(t.Context())
		e.cancels = append(e.cancels, cancel)
		config := elector.TTLConfig{
			Lock: l, RenewDeadline: entryLasts * 2 / 3, RetryPeriod: min(entryLasts/10, 100*time.Millisecond),
			ReleaseOnCancel: release,
			Callbacks: elector.TTLCallbacks{OnElected: func(ctx context.Context, token uint64) {
				e.work(ctx, i, token)
			}},
		}
		e.running.Go(func() {
			if err := elector.RunTTL(ctx, config); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() {
		for _, cancel := range e.cancels {
			cancel()
		}
		e.running.Wait()
	})
	return e
}

func (e *election) work(ctx context.Context, candidate int, token uint64) {
	if n := e.working.Add(1); n != 1 {
		e.Errorf("%d at work at once", n)
	}
	ended := make(chan struct{})
	e.terms <- term{candidate, token, ended}
	<-ctx.Done()
	e.working.Add(-1)
	close(ended)
}

// next is the next term.
func (e *election) next() term {
	e.Helper()
	select {
	case t := <-e.terms:
		return t
	case <-time.After(patience):
		require.Fail(e, "nobody leads")
		return term{}
	}
}

// oneDatabase is kinds that several handles reach.
func oneDatabase(t *testing.T, test func(t *testing.T, k kind)) {
	t.Run("sqlite", func(t *testing.T) {
		path := t.TempDir() + "/lock.db"
		test(t, kind{"sqlite", sqllock.SQLite, func(t *testing.T) *sql.DB { return openSQLite(t, path, "wal") }})
	})
	t.Run("postgres", func(t *testing.T) { test(t, kinds[3]) })
}

// A leader that vanishes is followed when its row has expired, and no two work at once.
func TestElectionAfterCrash(t *testing.T) {
	oneDatabase(t, func(t *testing.T, k kind) {
		const entryLasts = 1500 * time.Millisecond
		e := newElection(t, k, entryLasts, false)
		first := e.next()
		require.NoError(t, e.dbs[first.candidate].Close()) // it reaches the database no more
		second := e.next()
		require.NotEqual(t, first.candidate, second.candidate)
		require.Greater(t, second.token, first.token)
		<-first.ended
		e.cancels[second.candidate]() // its row stays
		third := e.next()
		require.NotEqual(t, second.candidate, third.candidate)
		require.Greater(t, third.token, second.token)
	})
}

// A row that is released is taken at once: these rows would outlast the test.
func TestElectionAfterRelease(t *testing.T) {
	oneDatabase(t, func(t *testing.T, k kind) {
		e := newElection(t, k, lasts, true)
		seen := map[int]bool{}
		var token uint64
		for range 3 {
			leader := e.next()
			require.False(t, seen[leader.candidate])
			if token != 0 {
				require.Equal(t, token+1, leader.token)
			}
			seen[leader.candidate], token = true, leader.token
			e.cancels[leader.candidate]()
		}
	})
}
