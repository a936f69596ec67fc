package elector_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	clocktesting "k8s.io/utils/clock/testing"

	"interregnum/elector"
)

var errPlanned = errors.New("planned")

// series is a RunUntil that a test watches.
type series struct {
	config elector.LeaderElectionConfig
	cancel context.CancelFunc
	over   chan struct{}
	err    error
	// stopped counts calls of OnStoppedLeading; failures are what OnWorkError was told, to be looked at
	// when it is over.
	stopped  atomic.Int64
	failures []error
}

// runUntil has a candidate work in terms; every call of work is an entry of c.
func (c *cluster) runUntil(
	id string, edit func(*elector.LeaderElectionConfig), work func(ctx context.Context) error,
) *series {
	s := &series{config: c.config(id), over: make(chan struct{})}
	s.config.Callbacks.OnStoppedLeading = func() { s.stopped.Add(1) }
	s.config.OnWorkError = func(err error) { s.failures = append(s.failures, err) }
	if edit != nil {
		edit(&s.config)
	}
	var ctx context.Context
	ctx, s.cancel = context.WithCancel(c.ctx)
	go func() {
		defer close(s.over)
		s.err = elector.RunUntil(ctx, s.config, func(ctx context.Context) error {
			c.enter(ctx, id)
			defer c.leave(id)
			return work(ctx)
		})
	}()
	return s
}

func (s *series) leave() error {
	s.cancel()
	<-s.over
	return s.err
}

// gaps are the times between the beginnings of terms, in whole seconds.
func (c *cluster) gaps() (gaps []int) {
	worked := c.worked()
	for i := 1; i < len(worked); i++ {
		gaps = append(gaps, int((worked[i].at - worked[i-1].at).Seconds()))
	}
	return gaps
}

func untilDone(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestUntilFails: a crash loop is slowed down, whatever way it crashes, and gives the lease up in between.
func TestUntilFails(t *testing.T) {
	for name, work := range map[string]func(context.Context) error{
		"error":   func(context.Context) error { return fmt.Errorf("wrapped: %w", errPlanned) },
		"panic":   func(context.Context) error { panic(errPlanned) },
		"late":    func(context.Context) error { time.Sleep(10 * time.Millisecond); return errPlanned },
		"another": func(context.Context) error { return errors.Join(errPlanned, context.Canceled) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t)
				s := c.runUntil("a", nil, work)
				after(time.Second)
				assert.Empty(t, c.holder(), "released at once")
				after(4*time.Minute + 10*time.Second)
				assert.Equal(t, []int{2, 4, 8, 16, 32, 60, 60, 60}, c.gaps())
				assert.NoError(t, s.leave())
				assert.EqualValues(t, 9, s.stopped.Load())
				require.Len(t, s.failures, 9)
				assert.ErrorIs(t, s.failures[0], errPlanned)
				last := uint64(0)
				for _, e := range c.worked() {
					assert.Greater(t, e.token, last)
					last = e.token
				}
			})
		})
	}
}

func TestUntilPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		s := c.runUntil("a", nil, func(context.Context) error { panic("out of luck") })
		after(100 * time.Millisecond)
		b := c.runUntil("b", nil, untilDone)
		after(10 * time.Second)
		assert.Equal(t, []string{"a", "b"}, c.ids(), "the other one gets its chance")
		assert.NoError(t, s.leave())
		assert.NoError(t, b.leave())
		require.Len(t, s.failures, 1)
		var p *elector.PanicError
		require.ErrorAs(t, s.failures[0], &p)
		assert.Equal(t, "out of luck", p.Value)
		assert.Contains(t, string(p.Stack), "TestUntilPanics")
		assert.EqualError(t, p, "the work panicked: out of luck")
		assert.Empty(t, b.failures)
	})
}

func TestUntilExits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		s := c.runUntil("a", nil, func(context.Context) error { runtime.Goexit(); return nil })
		after(time.Second)
		assert.NoError(t, s.leave())
		require.Len(t, s.failures, 1)
		assert.ErrorContains(t, s.failures[0], "ended its goroutine")
	})
}

// TestUntilForgets: a failure after a long term is the first one.
func TestUntilForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		n := 0
		s := c.runUntil("a", nil, func(context.Context) error {
			if n++; n == 4 {
				time.Sleep(time.Minute)
			}
			return errPlanned
		})
		after(2 * time.Minute)
		assert.Equal(t, []int{2, 4, 8, 60 + 2, 4, 8, 16}, c.gaps())
		assert.NoError(t, s.leave())
	})
}

// TestUntilDone: nil is the end.
func TestUntilDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		s := c.runUntil("a", nil, func(context.Context) error { return nil })
		<-s.over
		assert.NoError(t, s.err)
		assert.Empty(t, c.holder())
		assert.EqualValues(t, 1, s.stopped.Load())
		assert.Empty(t, s.failures)
	})
}

// TestUntilCancelled: whether it leads, waits to lead, or stays out of the election.
func TestUntilCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		s := c.runUntil("a", nil, func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(time.Second)
			return nil
		})
		after(time.Second)
		waits := c.runUntil("b", nil, untilDone)
		after(time.Second)
		assert.NoError(t, waits.leave())
		assert.Zero(t, waits.stopped.Load(), "it did not lead")
		assert.NoError(t, s.leave())
		assert.EqualValues(t, 1, s.stopped.Load())
		assert.Empty(t, c.holder(), "released after the work")
		assert.Equal(t, 3, int(time.Since(c.begin).Seconds()))

		rests := c.runUntil("c", nil, func(context.Context) error { return errPlanned })
		after(time.Second)
		assert.NoError(t, rests.leave())
		assert.Equal(t, 4, int(time.Since(c.begin).Seconds()))

		over, cancel := context.WithCancel(c.ctx)
		cancel()
		assert.NoError(t, elector.RunUntil(over, c.config("d"), untilDone))
	})
}

// TestUntilLost: another has the lease for a while. A long term is followed up at once, a short one
// after a wait.
func TestUntilLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		s := c.runUntil("a", nil, untilDone)
		after(119 * time.Second)
		c.steal("thief")
		after(2 * time.Second)
		assert.EqualValues(t, 1, s.stopped.Load())
		after(20 * time.Second)
		require.Len(t, c.worked(), 2)
		assert.Less(t, c.worked()[1].at, (119+2+15+3)*time.Second, "no wait but that for the lease")
		assert.Greater(t, c.worked()[1].token, c.worked()[0].token)

		require.NoError(t, c.leases().Delete(c.ctx, "lock", metav1.DeleteOptions{}))
		after(40 * time.Second)
		assert.Len(t, c.worked(), 2, "a leader makes the lock anew")
		assert.Equal(t, "a", c.holder())
		after(5 * time.Second)
		c.steal("thief")
		after(30 * time.Second)
		assert.Equal(t, []string{"a", "a", "a"}, c.ids())
		assert.NoError(t, s.leave())
		assert.Empty(t, s.failures)
	})
}

// TestUntilRemembers: the lock is deleted just before a later term, under another that leads. Nobody works beside that one.
func TestUntilRemembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		s := c.runUntil("a", nil, func(context.Context) error { return errPlanned })
		after(500 * time.Millisecond) // a has worked, and waits for 2 s
		b := c.runUntil("b", nil, untilDone)
		after(time.Second)
		require.Equal(t, "b", c.holder())
		require.NoError(t, c.leases().Delete(c.ctx, "lock", metav1.DeleteOptions{}))
		after(2 * time.Second)
		assert.Equal(t, []string{"a", "b"}, c.ids())
		assert.Equal(t, "b", c.holder(), "b makes the lock anew")
		require.NoError(t, b.leave())
		after(5 * time.Second)
		assert.GreaterOrEqual(t, len(c.ids()), 3)
		assert.NoError(t, s.leave())
	})
}

// TestUntilWedged: work that does not heed its context is not started again beside itself, and is
// no secret.
func TestUntilWedged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		watchdog := elector.NewLeaderHealthzAdaptor(time.Second)
		wedged := make(chan struct{})
		s := c.runUntil("a", func(c *elector.LeaderElectionConfig) { c.WatchDog = watchdog },
			func(context.Context) error { <-wedged; return nil })
		after(19 * time.Second)
		assert.NoError(t, watchdog.Check(nil))
		c.steal("thief")
		after(3 * time.Second)
		assert.EqualValues(t, 1, s.stopped.Load(), "it is told at once: another leads")
		after(time.Minute)
		assert.EqualValues(t, 1, s.stopped.Load())
		assert.Len(t, c.worked(), 1)
		assert.Error(t, watchdog.Check(nil))
		close(wedged)
		after(30 * time.Second)
		assert.Len(t, c.worked(), 2, "back again")
		assert.NoError(t, watchdog.Check(nil))
		assert.NoError(t, s.leave())
	})
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		wedged := make(chan struct{})
		s := c.runUntil("a", nil, func(context.Context) error { <-wedged; return nil })
		after(time.Second)
		assert.ErrorContains(t, s.leave(), "the work has not returned")
		assert.Equal(t, 15, int(time.Since(c.begin).Seconds()))
		assert.Equal(t, "a", c.holder(), "not released")
		close(wedged)
	})
}

// TestUntilOnTheInjectedClock waits between terms on it, with the injected jitter.
func TestUntilOnTheInjectedClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		clock := clocktesting.NewFakeClock(c.begin)
		s := c.runUntil("a", func(lec *elector.LeaderElectionConfig) {
			lec.Clock, lec.Jitter = clock, func() float64 { return 0.5 }
		}, func(context.Context) error { return errPlanned })
		after(time.Hour)
		assert.Len(t, c.worked(), 1)
		clock.Step(3200*time.Millisecond - 1)
		after(time.Second)
		assert.Len(t, c.worked(), 1)
		clock.Step(1)
		after(time.Second)
		assert.Len(t, c.worked(), 2)
		assert.NoError(t, s.leave())
		assert.False(t, clock.HasWaiters())
	})
}

func TestUntilRefuses(t *testing.T) {
	metric.set(nil)
	c := valid()
	c.RenewDeadline, c.Lock = 20*time.Second, nil
	err := elector.RunUntil(context.Background(), c, nil)
	assert.EqualError(t, err, "work must not be nil\n"+
		"RunUntil: OnStartedLeading must be nil, work takes its place\n"+
		"RunUntil: profile must be \"strict\", is \"client-go\"\n"+
		"leaseDuration must be greater than renewDeadline")
	c = elector.LeaderElectionConfig{Profile: "lax"}
	assert.ErrorContains(t, elector.RunUntil(context.Background(), c, untilDone), `unknown profile "lax"`)
}

// nosyLock is a lock of which the elector knows nothing. It sees whether it is called while it records an event.
type nosyLock struct {
	strangeLock
	recording, both atomic.Bool
}

func (l *nosyLock) RecordEvent(string) {
	l.recording.Store(true)
	l.maybe()
	l.recording.Store(false)
}

func (l *nosyLock) Get(ctx context.Context) (*rl.LeaderElectionRecord, []byte, error) {
	l.both.Store(l.both.Load() || l.recording.Load())
	return l.Interface.Get(ctx)
}

// TestUntilRecordsAlone: an event of one term blocks, and the elector of the next term does not call the lock meanwhile.
func TestUntilRecordsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		b := &block{release: make(chan struct{})}
		lock := &nosyLock{strangeLock: strangeLock{c.lock("a"), b}}
		b.on.Store(true)
		s := c.runUntil("a", func(config *elector.LeaderElectionConfig) { config.Lock = lock }, untilDone)
		after(time.Minute)
		assert.EqualValues(t, 1, b.blocked.Load())
		assert.Len(t, c.worked(), 1)
		b.on.Store(false)
		close(b.release)
		after(3 * time.Minute)
		assert.Greater(t, len(c.worked()), 1, "it takes part again")
		assert.NoError(t, s.leave())
		assert.False(t, lock.both.Load())
	})
}
