package elector_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"interregnum/elector"
)

func TestAcquireAndRenew(t *testing.T) {
	onBench(t, nil, func(b *bench) {
		b.answer(b.expect("get"), notFound)
		c := b.expect("create")
		now := metav1.NewTime(b.begin)
		assert.Equal(t, rl.LeaderElectionRecord{HolderIdentity: me, LeaseDurationSeconds: 15,
			AcquireTime: now, RenewTime: now}, c.record)
		assert.False(t, b.le.IsLeader())
		b.answer(c, fine)
		assert.True(t, b.le.IsLeader())
		assert.Equal(t, me, b.le.GetLeader())
		require.NotNil(t, b.work)

		b.answer(b.expect("update"), fine)
		b.step(2*time.Second - 1)
		b.quiet()
		b.step(1)
		c = b.expect("update")
		assert.Equal(t, now, c.record.AcquireTime)
		assert.Equal(t, b.begin.Add(2*time.Second), c.record.RenewTime.Time)
		b.answer(c, fine)
		assert.NoError(t, b.work.Err())
		b.cancel()
		assert.True(t, b.ended())
		assert.Error(t, b.work.Err())
		assert.True(t, b.le.IsLeader(), "the record still says so")
	})
}

func TestWaitForTheLeaseOfAnother(t *testing.T) {
	onBench(t, nil, func(b *bench) {
		seen := held("other", b.begin)
		for range 5 {
			b.answer(b.expect("get"), seen)
			assert.Equal(t, "other", b.le.GetLeader())
			b.step(3200*time.Millisecond - 1)
			b.quiet()
			b.step(1)
		}
		require.Equal(t, 16*time.Second, b.at())
		b.answer(b.expect("get"), seen)
		c := b.expect("update")
		assert.Equal(t, 4, c.record.LeaderTransitions)
		assert.Equal(t, me, c.record.HolderIdentity)
		b.answer(c, conflict)
		assert.False(t, b.le.IsLeader())
		b.cancel()
		assert.True(t, b.ended())
		assert.Nil(t, b.work)
	})
}

func TestDeadlineIsOnTheInjectedClock(t *testing.T) {
	onBench(t, nil, func(b *bench) {
		b.lead()
		b.step(2 * time.Second)
		c := b.expect("update")
		deadline, ok := c.ctx.Deadline()
		assert.True(t, ok, noContext)
		assert.Equal(t, b.begin.Add(12*time.Second), deadline)
		time.Sleep(time.Hour) // of the bubble: no business of the elector's
		b.step(10*time.Second - 1)
		assert.NoError(t, c.ctx.Err())
		b.step(1)
		assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
		assert.False(t, b.ended(), "the call is still in flight")
		assert.NoError(t, b.work.Err())

		// As in client-go a failed optimistic update is followed by a Get whatever the time.
		b.answer(c, gateAnswer{err: c.ctx.Err()})
		c = b.expect("get")
		assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
		b.answer(c, gateAnswer{err: c.ctx.Err()})
		assert.True(t, b.ended())
		assert.Error(t, b.work.Err())
	})
}

func TestLateSuccessIsOne(t *testing.T) {
	onBench(t, nil, func(b *bench) {
		b.lead()
		b.step(2 * time.Second)
		c := b.expect("update")
		b.step(14 * time.Second)
		assert.Error(t, c.ctx.Err())
		b.answer(c, fine)
		assert.False(t, b.ended())
		assert.NoError(t, b.work.Err())
		b.step(2 * time.Second)
		c = b.expect("update")
		assert.Equal(t, b.begin.Add(18*time.Second), c.record.RenewTime.Time)
		b.answer(c, fine)
		b.cancel()
		assert.True(t, b.ended())
	})
}

func TestSlowLockMeetsTheBufferedTick(t *testing.T) {
	onBench(t, nil, func(b *bench) {
		b.lead()
		b.step(2 * time.Second) // a poll begins: ticks at 4, 6, 8 …
		c := b.expect("update")
		b.step(4500 * time.Millisecond) // 6.5: two ticks, one is kept
		b.answer(c, broken)
		b.answer(b.expect("get"), broken)
		b.answer(b.expect("update"), broken) // at once
		b.answer(b.expect("get"), broken)
		b.quiet()
		b.step(1500*time.Millisecond - 1)
		b.quiet()
		b.step(1) // 8: the grid is kept
		b.answer(b.expect("update"), fine)
		b.cancel()
		assert.True(t, b.ended())
	})
}

// TestOneLongStep is a process that was frozen: what has queued up comes in the order in which it
// was due.
func TestOneLongStep(t *testing.T) {
	onBench(t, nil, func(b *bench) {
		b.lead()
		b.step(2 * time.Second)
		b.answer(b.expect("update"), broken)
		b.answer(b.expect("get"), broken)
		b.step(time.Minute) // the tick of 4, then the deadline of 12
		c := b.expect("get")
		assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
		b.answer(c, broken)
		assert.True(t, b.ended())
	})
}

func TestCancelWhileWaiting(t *testing.T) {
	t.Run("to acquire", func(t *testing.T) {
		onBench(t, nil, func(b *bench) {
			b.answer(b.expect("get"), held("other", b.begin))
			b.cancel()
			assert.True(t, b.ended())
		})
	})
	t.Run("to renew", func(t *testing.T) {
		onBench(t, nil, func(b *bench) {
			b.lead()
			b.cancel()
			assert.True(t, b.ended())
		})
	})
	t.Run("to try again", func(t *testing.T) {
		onBench(t, nil, func(b *bench) {
			b.lead()
			b.step(2 * time.Second)
			b.answer(b.expect("update"), broken)
			b.answer(b.expect("get"), broken)
			b.cancel()
			assert.True(t, b.ended())
		})
	})
}

func TestCancelInFlight(t *testing.T) {
	onBench(t, nil, func(b *bench) {
		c := b.expect("get")
		b.cancel()
		assert.False(t, b.ended(), "Run waits for the lock")
		assert.Equal(t, context.Canceled, c.ctx.Err())
		b.answer(c, gateAnswer{err: c.ctx.Err()})
		assert.True(t, b.ended())
	})
}

func TestRelease(t *testing.T) {
	release := func(c *elector.LeaderElectionConfig) { c.ReleaseOnCancel = true }
	onBench(t, release, func(b *bench) {
		b.lead()
		b.step(time.Second)
		b.cancel()
		c := b.expect("get")
		assert.NoError(t, c.ctx.Err(), noContext)
		assert.Error(t, b.work.Err())
		assert.False(t, b.stopped)
		deadline, _ := c.ctx.Deadline()
		assert.Equal(t, b.begin.Add(11*time.Second), deadline)
		assert.Equal(t, logr.Discard(), klog.FromContext(c.ctx))
		mine := held(me, b.begin)
		b.answer(c, mine)
		b.step(time.Second)
		b.answer(b.expect("update"), conflict)
		b.answer(b.expect("get"), mine)
		c = b.expect("update")
		now := metav1.NewTime(b.begin.Add(2 * time.Second))
		assert.Equal(t, rl.LeaderElectionRecord{LeaseDurationSeconds: 1, LeaderTransitions: 3,
			AcquireTime: now, RenewTime: now}, c.record)
		b.step(9 * time.Second)
		assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
		assert.False(t, b.ended())
		b.answer(c, fine)
		assert.True(t, b.ended())
		assert.False(t, b.le.IsLeader())
	})
}

func TestCheck(t *testing.T) {
	watchdog := elector.NewLeaderHealthzAdaptor(time.Second)
	assert.Equal(t, "leaderElection", watchdog.Name())
	assert.NoError(t, watchdog.Check(nil), "nothing to watch yet")
	onBench(t, nil, func(b *bench) {
		watchdog.SetLeaderElection(b.le)
		assert.NoError(t, watchdog.Check(nil), "not the leader")
		b.lead()
		b.step(2 * time.Second)
		c := b.expect("update")
		b.step(14 * time.Second)
		assert.NoError(t, watchdog.Check(nil), "15 s and the tolerance")
		b.step(1)
		assert.ErrorContains(t, watchdog.Check(nil), `lease "bench"`)
		assert.NoError(t, b.le.Check(time.Second+1))
		b.answer(c, fine)
		assert.NoError(t, watchdog.Check(nil))
		b.cancel()
		assert.True(t, b.ended())
	})
	watchdog.SetLeaderElection(nil)
	assert.NoError(t, watchdog.Check(nil))
}
