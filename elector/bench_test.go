package elector_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
	clocktesting "k8s.io/utils/clock/testing"

	"interregnum/elector"
)

// gateLock hands each call to the test, which answers it.
type gateLock struct{ calls chan *gateCall }

type gateCall struct {
	ctx    context.Context
	verb   string
	record rl.LeaderElectionRecord
	answer chan gateAnswer
}

type gateAnswer struct {
	record *rl.LeaderElectionRecord
	raw    string
	err    error
	// panics is what the call panics with.
	panics error
}

func (l *gateLock) call(ctx context.Context, verb string, r rl.LeaderElectionRecord) gateAnswer {
	c := &gateCall{ctx: ctx, verb: verb, record: r, answer: make(chan gateAnswer)}
	l.calls <- c
	a := <-c.answer
	if a.panics != nil {
		panic(a.panics)
	}
	return a
}

func (l *gateLock) Get(ctx context.Context) (*rl.LeaderElectionRecord, []byte, error) {
	a := l.call(ctx, "get", rl.LeaderElectionRecord{})
	return a.record, []byte(a.raw), a.err
}

func (l *gateLock) Create(ctx context.Context, r rl.LeaderElectionRecord) error {
	return l.call(ctx, "create", r).err
}

func (l *gateLock) Update(ctx context.Context, r rl.LeaderElectionRecord) error {
	return l.call(ctx, "update", r).err
}

func (l *gateLock) RecordEvent(string) {}
func (l *gateLock) Identity() string   { return me }
func (l *gateLock) Describe() string   { return "gate" }

// bench is an elector on a clock that only the test moves.
type bench struct {
	t       *testing.T
	clock   *clocktesting.FakeClock
	begin   time.Time
	lock    *gateLock
	le      *elector.LeaderElector
	base    context.Context
	cancel  context.CancelFunc
	work    context.Context
	stopped bool
	over    chan struct{}
}

// onBench runs a test with 15s, 10s and 2s, jitter 0.5 and so 3.2s between attempts to acquire.
func onBench(t *testing.T, edit func(*elector.LeaderElectionConfig), test func(b *bench)) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		b := &bench{
			t: t, begin: begin, clock: clocktesting.NewFakeClock(begin),
			lock: &gateLock{calls: make(chan *gateCall)}, over: make(chan struct{}),
		}
		config := elector.LeaderElectionConfig{
			Profile: elector.ClientGo,
			Lock:    b.lock, Clock: b.clock, Jitter: func() float64 { return 0.5 }, Name: "bench",
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
			Callbacks: elector.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) { b.work = ctx },
				OnStoppedLeading: func() { b.stopped = true },
			},
		}
		if edit != nil {
			edit(&config)
		}
		metric.set(nil)
		var err error
		b.le, err = elector.NewLeaderElector(config)
		require.NoError(t, err)
		var ctx context.Context
		b.base = klog.NewContext(context.Background(), logr.Discard())
		ctx, b.cancel = context.WithCancel(b.base)
		defer b.cancel()
		go func() {
			defer close(b.over)
			b.le.Run(ctx)
		}()
		test(b)
		assert.True(t, b.stopped)
		assert.False(t, b.clock.HasWaiters(), "a timer was left behind")
	})
}

// expect waits for a call of the lock.
func (b *bench) expect(verb string) *gateCall {
	b.t.Helper()
	synctest.Wait()
	select {
	case c := <-b.lock.calls:
		require.Equal(b.t, verb, c.verb)
		return c
	default:
		require.Fail(b.t, "no call", "expected %s at %v", verb, b.at())
		return nil
	}
}

func (b *bench) quiet() {
	b.t.Helper()
	synctest.Wait()
	select {
	case c := <-b.lock.calls:
		require.Fail(b.t, "unexpected call", "%s at %v", c.verb, b.at())
	default:
	}
}

func (b *bench) answer(c *gateCall, a gateAnswer) {
	c.answer <- a
	synctest.Wait()
}

func (b *bench) step(d time.Duration) {
	b.clock.Step(d)
	synctest.Wait()
}

func (b *bench) at() time.Duration { return b.clock.Since(b.begin) }

func (b *bench) ended() bool {
	synctest.Wait()
	select {
	case <-b.over:
		return true
	default:
		return false
	}
}

var (
	notFound  = gateAnswer{err: apierrors.NewNotFound(leases, "gate")}
	conflict  = gateAnswer{err: apierrors.NewConflict(leases, "gate", errors.New("changed"))}
	broken    = gateAnswer{err: errors.New("broken")}
	fine      = gateAnswer{}
	noContext = "context of the call"
)

func held(by string, renewed time.Time) gateAnswer {
	at := metav1.NewTime(renewed)
	return gateAnswer{
		record: &rl.LeaderElectionRecord{HolderIdentity: by, LeaseDurationSeconds: 15,
			AcquireTime: at, RenewTime: at, LeaderTransitions: 3},
		raw: by + renewed.String(),
	}
}

// lead has the candidate create the lock at once, and its first renewal succeed.
func (b *bench) lead() {
	b.answer(b.expect("get"), notFound)
	b.answer(b.expect("create"), fine)
	b.answer(b.expect("update"), fine)
	require.NotNil(b.t, b.work)
	b.quiet()
}
