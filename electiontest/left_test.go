package electiontest

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/internal/check"
	"interregnum/scenarios/scenariotest"
)

// returnsEarly begins its work in a goroutine and returns. The program says itself whether it releases the lock.
func returnsEarly(releases bool) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		config := c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: beside(0, 0), OnStoppedLeading: func() {}})
		config.ReleaseOnCancel = releases
		leaderelection.RunOrDie(ctx, config)
	}
}

// TestCheckReturns: scenarios have releases for a program that never releases the lock, too, and do not make it one that does.
func TestCheckReturns(t *testing.T) {
	Options{Only: []string{check.SingleRecord}}.Check(t, scenariotest.Environment{Timings: usual}, returnsEarly(false))
}

func TestFailingCheckReturns(t *testing.T) {
	failing(t)
	Options{Only: []string{check.SingleRecord}}.Check(t, scenariotest.Environment{Timings: usual}, returnsEarly(true))
}

// TestFailingGroup: the goroutine was begun by sync.WaitGroup.Go, and the message says where it is.
func TestFailingGroup(t *testing.T) {
	failing(t)
	Run(t, Scenario(1, time.Minute), working(func(ctx context.Context) {
		var all sync.WaitGroup
		all.Go(func() { <-ctx.Done() })
		time.Sleep(5 * time.Second)
	}))
}

// TestTriesAgain: a standby that ends by itself after a while, and is started again, is a candidate.
func TestTriesAgain(t *testing.T) {
	s := Scenario(2, time.Minute)
	s.Candidates[1].StartAt, s.Candidates[1].Rejoin = time.Second, new(5*time.Second)
	Run(t, s, func(ctx context.Context, c *Candidate) {
		if c.ID == "c2" {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, 20*time.Second)
			defer cancel()
		}
		working(waiting)(ctx, c)
	})
}

// TestErrorsUnderMutex: two workers tell errors while they hold one mutex.
func TestErrorsUnderMutex(t *testing.T) {
	Run(t, Scenario(1, time.Minute), working(func(ctx context.Context) {
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				for ctx.Err() == nil {
					mu.Lock()
					utilruntime.HandleError(errors.New("first"))
					utilruntime.HandleError(errors.New("second"))
					mu.Unlock()
					time.Sleep(20 * time.Second)
				}
			})
		}
		all.Wait()
	}))
}

// TestGuardsSoon: goroutines that OnStartedLeading begins guard their work at the instant of its return, whichever comes first.
func TestGuardsSoon(t *testing.T) {
	for range 20 {
		Run(t, Scenario(2, 30*time.Second), working(func(ctx context.Context) {
			for range 4 {
				go func() {
					for range 1000 {
						runtime.Gosched()
					}
					defer Guard(ctx)()
					<-ctx.Done()
				}()
			}
		}))
	}
}
