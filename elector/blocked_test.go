package elector_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"interregnum/elector"
)

// block is what a log, an event recorder or a metrics provider does whose disk is full or whose pipe nobody reads.
type block struct {
	on      atomic.Bool
	release chan struct{}
	blocked atomic.Int32
}

func (b *block) maybe() {
	if b.on.Load() {
		b.blocked.Add(1)
		<-b.release
	}
}

// Eventf makes it a recorder of events.
func (b *block) Eventf(runtime.Object, string, string, string, ...any) { b.maybe() }

type blockedSink struct{ *block }

func (blockedSink) Init(logr.RuntimeInfo)            {}
func (blockedSink) Enabled(int) bool                 { return true }
func (s blockedSink) Info(int, string, ...any)       { s.maybe() }
func (s blockedSink) Error(error, string, ...any)    { s.maybe() }
func (s blockedSink) WithValues(...any) logr.LogSink { return s }
func (s blockedSink) WithName(string) logr.LogSink   { return s }

// cutClient answers at once, until it is cut off.
type cutClient struct {
	coordinationv1client.LeasesGetter
	cut *atomic.Bool
}

func (c *cutClient) Leases(namespace string) coordinationv1client.LeaseInterface {
	return &cutLeases{c.LeasesGetter.Leases(namespace), c.cut}
}

type cutLeases struct {
	coordinationv1client.LeaseInterface
	cut *atomic.Bool
}

func (c *cutLeases) Update(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	if c.cut.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return c.LeaseInterface.Update(ctx, lease, options)
}

func (c *cutLeases) Get(ctx context.Context, name string, options metav1.GetOptions) (*coordinationv1.Lease, error) {
	if c.cut.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return c.LeaseInterface.Get(ctx, name, options)
}

// strangeLock is a lock of which the elector knows nothing. Its events may block.
type strangeLock struct {
	rl.Interface
	*block
}

func (l strangeLock) RecordEvent(string) { l.maybe() }

// TestNothingThatBlocksHoldsUpTheEnd: the log, the events, the metrics, or all of them block for ever, from the first or
// from the hour at which the leader is cut off. Its work ends at its deadline, and nobody is told that it leads.
func TestNothingThatBlocksHoldsUpTheEnd(t *testing.T) {
	for _, what := range []string{"log", "events", "metrics", "all", "strange lock"} {
		for _, first := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t)
				b := &block{release: make(chan struct{})}
				var cut atomic.Bool
				config := c.config("a")
				config.ReleaseOnCancel = true
				lock := c.lock("a")
				lock.Client = &cutClient{lock.Client, &cut}
				config.Lock = lock
				ctx := c.ctx
				if what == "log" || what == "all" {
					ctx = klog.NewContext(ctx, logr.New(blockedSink{b}))
				}
				if what == "events" || what == "all" {
					lock.LockConfig.EventRecorder = b
				}
				if what == "strange lock" {
					config.Lock = strangeLock{lock, b}
				}
				if what == "metrics" || what == "all" {
					metric.hook(b.maybe)
					defer metric.hook(nil)
				}
				var work context.Context
				var stoppedAt time.Duration
				config.Callbacks.OnStartedLeading = func(ctx context.Context) { work = ctx; <-ctx.Done() }
				config.Callbacks.OnStoppedLeading = func() { stoppedAt = time.Since(c.begin) }
				le, err := elector.NewLeaderElector(config)
				require.NoError(t, err)
				b.on.Store(first)
				ctx, cancel := context.WithCancel(ctx)
				over := make(chan struct{})
				go func() { defer close(over); le.Run(ctx) }()
				time.Sleep(time.Hour)
				synctest.Wait()
				require.NotNil(t, work)
				// A lock of which nothing is known is not called while its RecordEvent is.
				goesOn := what != "strange lock" || !first
				require.Equal(t, goesOn, work.Err() == nil, "%s: renewals go on", what)
				require.Equal(t, goesOn, le.IsLeader())
				b.on.Store(true)
				cut.Store(true)                                        // a renewal was sent at this hour at the latest
				time.Sleep(config.RenewDeadline + 10*time.Millisecond) // a renewal was under way, perhaps
				synctest.Wait()
				assert.Error(t, work.Err(), what)
				assert.False(t, le.IsLeader(), what)
				time.Sleep(time.Second)
				synctest.Wait()
				assert.LessOrEqual(t, stoppedAt, time.Hour+config.RenewDeadline+200*time.Millisecond, what)
				assert.NotZero(t, b.blocked.Load(), what)
				close(b.release)
				cancel()
				<-over
			})
		}
	}
}

// leapClock shows, from one of its readings after the lock was written, that much more.
type leapClock struct {
	clock.RealClock
	mu    sync.Mutex
	armed bool
	from  int
	leap  time.Duration
}

func (c *leapClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.armed {
		if c.from--; c.from < 0 {
			now = now.Add(c.leap)
		}
	}
	return now
}

type leapLock struct {
	rl.Interface
	clock *leapClock
}

func (l *leapLock) Create(ctx context.Context, r rl.LeaderElectionRecord) error {
	err := l.Interface.Create(ctx, r)
	l.clock.mu.Lock()
	defer l.clock.mu.Unlock()
	l.clock.armed = true
	return err
}

// TestStartNeverAfterTheLease: Run's goroutine is held up at any point between the answer and the start of the work, so
// that the next reading of the clock is past the deadline. No work starts then.
func TestStartNeverAfterTheLease(t *testing.T) {
	starts := map[bool]int{}
	for from := range 12 {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			started := false
			config := c.config("a")
			leap := &leapClock{from: from, leap: 11 * time.Second}
			config.Lock, config.Clock = &leapLock{config.Lock, leap}, leap
			config.Callbacks.OnStartedLeading = func(context.Context) {
				started = true
				leap.mu.Lock()
				defer leap.mu.Unlock()
				assert.GreaterOrEqual(t, leap.from, 0, "the last reading said that there was time")
			}
			config.Callbacks.OnStoppedLeading = func() {}
			le, err := elector.NewLeaderElector(config)
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(c.ctx)
			over := make(chan struct{})
			go func() { defer close(over); le.Run(ctx) }()
			time.Sleep(8 * time.Millisecond)
			synctest.Wait()
			starts[started]++
			assert.False(t, !started && le.IsLeader())
			cancel()
			<-over
		})
	}
	assert.Positive(t, starts[true])
	assert.Positive(t, starts[false])
}

// sleepyClock is the real clock of a host that sleeps: its timers and its monotonic part stand still meanwhile.
type sleepyClock struct {
	clock.RealClock
	lost atomic.Int64
}

func (c *sleepyClock) Lost() time.Duration { return time.Duration(c.lost.Load()) }

// TestSuspend: the host sleeps, and the monotonic clock does not know. The work ends within 100 ms of the awakening where
// the lease has run out meanwhile, and goes on where it has not.
func TestSuspend(t *testing.T) {
	for slept, ends := range map[time.Duration]bool{
		0: false, 7 * time.Second: false, 9 * time.Second: true, 20 * time.Second: true, time.Hour: true,
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			config, host := c.config("a"), &sleepyClock{}
			config.Clock = host
			var work context.Context
			config.Callbacks.OnStartedLeading = func(ctx context.Context) { work = ctx; <-ctx.Done() }
			config.Callbacks.OnStoppedLeading = func() {}
			le, err := elector.NewLeaderElector(config)
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(c.ctx)
			over := make(chan struct{})
			go func() { defer close(over); le.Run(ctx) }()
			time.Sleep(time.Minute + 1500*time.Millisecond) // 1.5 s after a renewal was sent
			synctest.Wait()
			host.lost.Add(int64(slept))
			require.NoError(t, work.Err())
			assert.Equal(t, !ends, le.IsLeader(), "it looks at the clock at once")
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			assert.Equal(t, ends, work.Err() != nil, slept)
			cancel()
			<-over
		})
	}
}

// jumpyClock is a clock whose wall part is set.
type jumpyClock struct {
	sleepyClock
	set atomic.Int64
}

func (c *jumpyClock) Wall() time.Time { return time.Now().Add(time.Duration(c.set.Load())) }

// TestWallClockIsAHint: a wall clock that is suddenly ahead may tell of a pause that no other clock shows, or be set. The
// leader asks the lock at once, and goes on if it may.
func TestWallClockIsAHint(t *testing.T) {
	for set, asks := range map[time.Duration]bool{
		0: false, time.Second: false, time.Second + time.Millisecond: true, time.Hour: true, -time.Hour: false,
	} {
		for _, stolen := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t)
				config, host := c.config("a"), &jumpyClock{}
				config.Clock = host
				var work context.Context
				config.Callbacks.OnStartedLeading = func(ctx context.Context) { work = ctx; <-ctx.Done() }
				config.Callbacks.OnStoppedLeading = func() {}
				le, err := elector.NewLeaderElector(config)
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(c.ctx)
				over := make(chan struct{})
				go func() { defer close(over); le.Run(ctx) }()
				time.Sleep(time.Minute + 500*time.Millisecond)
				synctest.Wait()
				if stolen {
					c.steal("thief")
				}
				before := c.lease().ResourceVersion
				host.set.Store(int64(set))
				time.Sleep(110 * time.Millisecond)
				synctest.Wait()
				assert.Equal(t, asks && !stolen, c.lease().ResourceVersion != before, "renewed at once: %v", set)
				assert.Equal(t, asks && stolen, work.Err() != nil, set)
				cancel()
				<-over
			})
		}
	}
}

// TestCheckOfACallThatHangs: Run waits for a call of the lock that heeds no context, and does nothing else. Its health
// check says so, whether it leads or not.
func TestCheckOfACallThatHangs(t *testing.T) {
	for _, leads := range []bool{true, false} {
		onStrictBench(t, nil, func(b *strictBench) {
			verb := "get"
			if leads {
				verb = "update"
				b.lead()
				b.finishWork()
				b.step(2 * time.Second)
			}
			c := b.expect(verb)
			b.step(11 * time.Second)
			assert.NoError(t, b.le.Check(time.Second))
			b.step(1)
			assert.ErrorContains(t, b.le.Check(time.Second), "has not returned")
			b.answer(c, broken)
			if leads {
				b.answer(b.expect("get"), broken)
			} else {
				b.cancel()
				synctest.Wait()
			}
			assert.NoError(t, b.le.Check(time.Second))
		})
	}
}

// TestCheckOfACallThatIsOver: a call of the lock whose panic has ended Run is over, and so is one that was answered while Run waits
// for something else. Check tells of neither.
func TestCheckOfACallThatIsOver(t *testing.T) {
	defer func(really bool, handlers []func(context.Context, any)) {
		utilruntime.ReallyCrash, utilruntime.PanicHandlers = really, handlers
	}(utilruntime.ReallyCrash, utilruntime.PanicHandlers)
	utilruntime.ReallyCrash = false

	held := make(chan struct{})
	for name, handler := range map[string]func(context.Context, any){
		"panic ends Run":      func(context.Context, any) {},
		"panic handler waits": func(context.Context, any) { <-held },
	} {
		onStrictBench(t, releasing, func(b *strictBench) {
			held = make(chan struct{}) // of the bubble
			utilruntime.PanicHandlers = []func(context.Context, any){handler}
			b.lead()
			b.finishWork()
			b.cancel()
			b.answer(b.expect("get"), gateAnswer{panics: errPlanned})
			b.step(time.Hour)
			assert.NoError(t, b.le.Check(time.Second), name)
			close(held)
			b.endedInOrder("returned", "stopped")
			assert.NoError(t, b.le.Check(time.Second), name)
		})
	}
}

// TestCheckBeforeTheRelease: while OnStoppedLeading blocks, the release has not begun, and Check does not tell of it.
func TestCheckBeforeTheRelease(t *testing.T) {
	held := make(chan struct{})
	blocks := func(c *elector.LeaderElectionConfig) {
		releasing(c)
		held = make(chan struct{}) // of the bubble
		stopped := c.Callbacks.OnStoppedLeading
		c.Callbacks.OnStoppedLeading = func() { stopped(); <-held }
	}
	onStrictBench(t, blocks, func(b *strictBench) {
		b.lead()
		b.finishWork()
		b.cancel()
		b.quiet()
		b.step(time.Hour)
		b.quiet()
		assert.NoError(t, b.le.Check(time.Second))
		close(held)
		b.answer(b.expect("get"), broken)
		b.endedInOrder("returned", "stopped")
	})
}

// TestToldAtTheDeadline: where the work ignores that its context has ended, OnStoppedLeading is called RenewDeadline after the last
// renewal: a program that exits there has the rest of the lease for that. Where the lock has another's record, it is called at
// once. Run waits for the work as long as the lease lasts.
func TestToldAtTheDeadline(t *testing.T) {
	for cancels, at := range map[bool]time.Duration{true: 10 * time.Second, false: 2004 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			config, ended, told := c.config("a"), make(chan struct{}), time.Time{}
			config.Callbacks.OnStartedLeading = func(context.Context) { <-ended }
			config.Callbacks.OnStoppedLeading = func() { told = time.Now() }
			le, err := elector.NewLeaderElector(config)
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(c.ctx)
			over := time.Time{}
			go func() { le.Run(ctx); over = time.Now() }()
			time.Sleep(time.Minute + time.Second) // no request is under way
			synctest.Wait()
			renewed := c.lease().Spec.RenewTime.Time
			if cancels {
				cancel()
			} else {
				c.steal("thief")
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.Equal(t, at, told.Sub(renewed).Round(time.Millisecond), "cancels: %v", cancels)
			assert.Equal(t, config.LeaseDuration, over.Sub(renewed).Round(time.Millisecond), "cancels: %v", cancels)
			close(ended)
			cancel()
			synctest.Wait()
		})
	}
}

// TestBlockedLogHoldsUpNoTerm: work fails, and the log blocks for ever. RunUntil goes back into the election all the same, and it ends
// when its context does.
func TestBlockedLogHoldsUpNoTerm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, b := newCluster(t), &block{release: make(chan struct{})}
		c.ctx = klog.NewContext(c.ctx, logr.New(blockedSink{b}))
		b.on.Store(true)
		s := c.runUntil("a", nil, func(context.Context) error { return errPlanned })
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Greater(t, len(c.worked()), 1, "terms")
		s.cancel()
		time.Sleep(time.Minute)
		synctest.Wait()
		select {
		case <-s.over:
			assert.NoError(t, s.err)
		default:
			assert.Fail(t, "RunUntil has not returned")
		}
		assert.NotZero(t, b.blocked.Load())
		close(b.release)
		<-s.over
	})
}
