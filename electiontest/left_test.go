package electiontest

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
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

// aided is a candidate whose OnStartedLeading does a job, and leaves an informer behind that calls handle.
func aided(handle func(context.Context, kubernetes.Interface)) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		working(func(ctx context.Context) {
			client := c.Clientset()
			factory := informers.NewSharedInformerFactory(client, 0)
			_, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { handle(ctx, client) }})
			if err != nil {
				panic(err)
			}
			factory.Start(ctx.Done())
			time.Sleep(5 * time.Second)
		})(ctx, c)
	}
}

// write creates a ConfigMap, if it is not there.
func write(ctx context.Context, client kubernetes.Interface, name string) {
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, _ = client.CoreV1().ConfigMaps("default").Create(ctx, m, metav1.CreateOptions{})
}

// TestAides: an informer that OnStartedLeading leaves behind does no work.
func TestAides(t *testing.T) {
	Run(t, Scenario(1, time.Minute), aided(func(context.Context, kubernetes.Interface) {}))
}

// TestFailingAides: the handler of an informer that OnStartedLeading leaves behind writes.
func TestFailingAides(t *testing.T) {
	failing(t)
	Run(t, Scenario(1, time.Minute), func(ctx context.Context, c *Candidate) {
		time.AfterFunc(10*time.Second, func() { write(ctx, c.Clientset(), "first") })
		aided(func(ctx context.Context, client kubernetes.Interface) { write(ctx, client, "second") })(ctx, c)
	})
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
