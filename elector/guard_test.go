package elector_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/clock"

	"interregnum/elector"
)

// hold holds up whoever passes it, once it is armed, and knows since when.
type hold struct {
	armed   atomic.Bool
	release chan struct{}
	begin   time.Time
	held    atomic.Int64
}

func (h *hold) pass() {
	if !h.armed.Load() {
		return
	}
	h.held.CompareAndSwap(0, int64(time.Since(h.begin)))
	<-h.release
}

// holdingClock holds up those who set a timer of RetryPeriod, or stop one: of a leader that is Run's goroutine alone, since
// the guard's timer is for what is left of RenewDeadline.
type holdingClock struct {
	clock.RealClock
	set, stop *hold
	retry     time.Duration
}

func (c holdingClock) NewTimer(d time.Duration) clock.Timer {
	timer := c.RealClock.NewTimer(d)
	if d > c.retry {
		return timer
	}
	c.set.pass()
	return holdingTimer{timer, c.stop}
}

type holdingTimer struct {
	clock.Timer
	hold *hold
}

func (t holdingTimer) Stop() bool {
	t.hold.pass()
	return t.Timer.Stop()
}

// holdingContext is a context whose Err or Value waits for a lock that somebody holds.
type holdingContext struct {
	context.Context
	err, value *hold
}

func (c holdingContext) Err() error {
	c.err.pass()
	return c.Context.Err()
}

func (c holdingContext) Value(key any) any {
	c.value.pass()
	return c.Context.Value(key)
}

// TestGuard: Run's goroutine itself is held up, so that it sees neither a timer nor an answer: by the program's clock, or
// by the program's context. The work is told to end nevertheless, no later than RenewDeadline after the last renewal that was
// acknowledged was sent, and not before anything is wrong.
func TestGuard(t *testing.T) {
	for _, where := range []string{"NewTimer", "Stop", "Err", "Value"} {
		t.Run(where, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { heldUp(t, where) })
		})
	}
}

func heldUp(t *testing.T, where string) {
	c := newCluster(t)
	holds := map[string]*hold{}
	for _, at := range []string{"NewTimer", "Stop", "Err", "Value"} {
		holds[at] = &hold{release: make(chan struct{}), begin: c.begin}
	}
	config := c.config("a")
	config.Clock = holdingClock{set: holds["NewTimer"], stop: holds["Stop"], retry: config.RetryPeriod}
	work := make(chan context.Context, 1)
	ended := atomic.Int64{}
	config.Callbacks.OnStartedLeading = func(ctx context.Context) {
		work <- ctx
		<-ctx.Done()
		ended.Store(int64(time.Since(c.begin)))
	}
	stopped := atomic.Bool{}
	config.Callbacks.OnStoppedLeading = func() { stopped.Store(true) }
	le, err := elector.NewLeaderElector(config)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(c.ctx)
	over := make(chan struct{})
	go func() { defer close(over); le.Run(holdingContext{ctx, holds["Err"], holds["Value"]}) }()
	time.Sleep(time.Minute + config.RetryPeriod/2)
	require.NoError(t, (<-work).Err())

	h := holds[where]
	h.armed.Store(true)
	time.Sleep(config.RetryPeriod)
	synctest.Wait()
	held := time.Duration(h.held.Load())
	require.NotZero(t, held, "Run's goroutine comes by")
	require.Zero(t, ended.Load())
	assert.True(t, le.IsLeader())
	time.Sleep(config.RenewDeadline)
	synctest.Wait()
	end := time.Duration(ended.Load())
	assert.NotZero(t, end, "the work is told to end, whatever holds up Run")
	assert.LessOrEqual(t, end, held+config.RenewDeadline)
	assert.Greater(t, end, held+config.RenewDeadline-config.RetryPeriod-100*time.Millisecond, "not before its time")
	assert.False(t, le.IsLeader())
	assert.False(t, stopped.Load(), "Run's goroutine is still held up")
	close(h.release)
	<-over // by itself: the lease is lost
	assert.True(t, stopped.Load())
	cancel()
}
