package elector_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"
	clocktesting "k8s.io/utils/clock/testing"

	"interregnum/elector"
)

// errorSink keeps what is logged as an error.
type errorSink struct{ errors []string }

func (*errorSink) Init(logr.RuntimeInfo)            {}
func (*errorSink) Enabled(int) bool                 { return true }
func (*errorSink) Info(int, string, ...any)         {}
func (s *errorSink) WithValues(...any) logr.LogSink { return s }
func (s *errorSink) WithName(string) logr.LogSink   { return s }
func (s *errorSink) Error(err error, m string, _ ...any) {
	s.errors = append(s.errors, fmt.Sprintf("%s: %v", m, err))
}

// TestErrorsLogged: what a call says that Run's end has cut short is no error of the lock, unlike what it said before
// that, and that it has not answered by the deadline.
func TestErrorsLogged(t *testing.T) {
	for name, c := range map[string]struct {
		after  func(b *bench, renewal *gateCall)
		errors []string
	}{
		"cut short": {func(b *bench, renewal *gateCall) {
			b.cancel()
			synctest.Wait()
			b.answer(renewal, gateAnswer{err: context.Canceled})
			b.answer(b.expect("get"), gateAnswer{err: context.Canceled})
		}, nil},
		"broken before": {func(b *bench, renewal *gateCall) {
			b.answer(renewal, broken)
			b.answer(b.expect("get"), broken)
			b.cancel()
		}, []string{"Lock failed: broken", "Lock failed: broken"}},
		"late": {func(b *bench, renewal *gateCall) {
			time.Sleep(11 * time.Second)
			b.answer(renewal, gateAnswer{err: context.DeadlineExceeded})
			b.answer(b.expect("get"), gateAnswer{err: context.DeadlineExceeded})
		}, []string{"Lock failed: context deadline exceeded", "Lock failed: context deadline exceeded"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &bench{t: t, lock: &gateLock{calls: make(chan *gateCall)}, clock: clocktesting.NewFakeClock(time.Time{})}
				config, log := valid(), &errorSink{}
				config.Lock = b.lock
				config.Callbacks.OnStartedLeading = func(ctx context.Context) { b.work = ctx }
				le, err := elector.NewLeaderElector(config)
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.New(log)))
				b.cancel, b.over = cancel, make(chan struct{})
				go func() {
					defer close(b.over)
					le.Run(ctx)
				}()
				b.lead()
				time.Sleep(config.RetryPeriod)
				c.after(b, b.expect("update"))
				cancel()
				<-b.over
				require.Equal(t, c.errors, log.errors)
			})
		})
	}
}
