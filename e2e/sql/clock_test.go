package sql_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector"
	"interregnum/elector/sqllock"
	"interregnum/elector/ttl"
)

// Hazard H12: by the callers' clocks an offset alone gives two holders, and neither is told anything that is wrong.
func TestClockOffset(t *testing.T) {
	each(t, func(w *world) {
		if w.now == nil {
			return
		}
		holder, first := w.create("a")
		ahead := w.config("b")
		ahead.Now = func() time.Time { return time.Now().Add(lasts + time.Minute) }
		second, err := w.lockOn(w.db, ahead).Replace(w.Context())
		require.NoError(w, err, "b takes a row that was just made")
		// a's work goes on until a refresh tells it. Only the token is between it and what it guards.
		require.Greater(w, second.Token, first.Token)
		_, err = holder.Refresh(w.Context())
		require.ErrorIs(w, err, ttl.ErrLost)
		_, err = holder.Get(w.Context())
		require.ErrorContains(w, err, "ahead of the clock")
	})
}

// H12 in a whole election: the second works beside the first, which is not due to refresh.
func TestElectionWithOffset(t *testing.T) {
	w := newWorld(t, kinds[0])
	w.now = time.Now
	ahead := w.config("b")
	ahead.Now = func() time.Time { return time.Now().Add(lasts + time.Minute) }
	require.NoError(t, w.lock("maker").CreateTable(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for i, l := range []*sqllock.Lock{w.lock("a"), w.lockOn(w.db, ahead)} {
		elected := make(chan context.Context)
		running.Go(func() {
			_ = elector.RunTTL(ctx, elector.TTLConfig{
				Lock: l, RenewDeadline: lasts / 2, RetryPeriod: lasts / 4,
				Callbacks: elector.TTLCallbacks{OnElected: func(ctx context.Context, _ uint64) {
					elected <- ctx
					<-ctx.Done()
				}},
			})
		})
		select {
		case <-elected:
		case <-time.After(patience):
			require.Fail(t, "does not lead", "candidate %d", i)
		}
	}
	require.NoError(t, ctx.Err()) // both work
}

// By the database's clock no other matters: the same two hosts agree. Time zones of sessions are no clocks.
func TestDatabaseClockHasNoOffset(t *testing.T) {
	west := kinds[3]
	west.open = postgresWith(map[string][]string{"timezone": {"Pacific/Honolulu"}})
	w := newWorld(t, west)
	require.NoError(t, w.lock("maker").CreateTable(t.Context()))
	_, entry := w.create("a")
	east := openPostgres(t, map[string][]string{"timezone": {"Pacific/Kiritimati"}}) // 24 hours ahead
	b := w.lockOn(east, w.config("b"))
	found, err := b.Get(t.Context())
	require.NoError(t, err)
	require.Equal(t, entry, found)
	w.is(ttl.ErrTaken, b.Replace)
	w.age(lasts + time.Second)
	_, err = b.Replace(t.Context())
	require.NoError(t, err)
}

// By the caller's clock a time before the epoch is an error: it would be no counter.
func TestClockBeforeEpoch(t *testing.T) {
	w := newWorld(t, kinds[0])
	w.now = func() time.Time { return time.Time{} }
	w.every(w.lock("a"), "Config.Now says 0001-01-01 00:00:00 +0000 UTC: expected a time after 1970")
}
