package elector_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector"
)

// lateRelease applies each update at once, unless its context has ended. It answers a release only after the time late, or once
// its context has ended.
type lateRelease struct {
	rl.Interface
	late time.Duration
}

func (l *lateRelease) Update(ctx context.Context, r rl.LeaderElectionRecord) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err := l.Interface.Update(ctx, r)
	if r.HolderIdentity != "" {
		return err
	}
	select {
	case <-time.After(l.late):
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestToldBeforeTheRelease: a program whose OnStartedLeading leaves goroutines behind, which work until the program exits in
// OnStoppedLeading, does not work beside the next leader, however late the release is answered.
func TestToldBeforeTheRelease(t *testing.T) {
	for _, late := range []time.Duration{time.Hour, 9 * time.Second, 0} {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			config := c.config("a")
			config.ReleaseOnCancel, config.Lock = true, &lateRelease{config.Lock, late}
			var exited, next time.Time
			config.Callbacks.OnStartedLeading = func(ctx context.Context) { <-ctx.Done() } // and its goroutines work on
			config.Callbacks.OnStoppedLeading = func() { exited = time.Now() }
			le, err := elector.NewLeaderElector(config)
			require.NoError(t, err)
			first, leave := context.WithCancel(c.ctx)
			ran := make(chan struct{})
			go func() { defer close(ran); le.Run(first) }()
			time.Sleep(time.Second)
			s := c.runUntil("b", nil, func(ctx context.Context) error { next = time.Now(); <-ctx.Done(); return nil })
			time.Sleep(time.Minute)
			leave()
			time.Sleep(time.Minute)
			<-ran
			require.NoError(t, s.leave())
			require.False(t, next.IsZero())
			assert.LessOrEqual(t, exited.Sub(next), time.Duration(0), "works on beside the next leader, with a release answered %v late", late)
			assert.Less(t, next.Sub(exited), 5*time.Second, "the lock was released")
			synctest.Wait()
		})
	}
}

// TestReleaseWaitsForTheCallback: the lease is given up only when OnStoppedLeading has returned, and not if that takes longer than
// RenewDeadline. The lock then gets a context that has ended.
func TestReleaseWaitsForTheCallback(t *testing.T) {
	for takes, holder := range map[time.Duration]string{9 * time.Second: "", 11 * time.Second: "a"} {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			config := c.config("a")
			config.ReleaseOnCancel, config.Lock = true, &lateRelease{config.Lock, 0}
			config.Callbacks.OnStartedLeading = func(ctx context.Context) { <-ctx.Done() }
			config.Callbacks.OnStoppedLeading = func() {
				time.Sleep(takes)
				assert.Equal(t, "a", c.holder(), "after %v", takes)
			}
			le, err := elector.NewLeaderElector(config)
			require.NoError(t, err)
			ctx, leave := context.WithTimeout(c.ctx, time.Minute)
			defer leave()
			le.Run(ctx)
			assert.Equal(t, holder, c.holder(), "after %v", takes)
		})
	}
}

// TestToldWhileACallHangs: a lock that does not heed its context keeps Run from ending, and not the program from being told at the
// deadline, whether Run was cancelled during that call or not. All else comes once the call has returned.
func TestToldWhileACallHangs(t *testing.T) {
	for _, cancels := range []bool{false, true} {
		onStrictBench(t, releasing, func(b *strictBench) {
			mine := b.lead()
			b.finishWork() // its goroutines go on until the program is told
			b.step(2 * time.Second)
			c := b.expect("update")
			if cancels {
				b.cancel()
				b.quiet()
				assert.Error(t, b.work.Err())
			}
			b.step(8*time.Second - 1)
			assert.Equal(t, []string{"returned"}, b.order)
			b.step(1)
			time.Sleep(100 * time.Millisecond) // the event of the end waits for the call, and is waited for so long
			synctest.Wait()
			assert.Equal(t, []string{"returned", "stopped"}, b.order)
			b.step(time.Minute)
			b.quiet()
			b.answer(c, fine)
			b.answer(b.expect("get"), holding(mine))
			b.answer(b.expect("update"), fine)
			b.endedInOrder("returned", "stopped")
		})
	}
}
