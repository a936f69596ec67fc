package elector_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
	_ "unsafe" // for go:linkname

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	_ "k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"

	"interregnum/elector"
)

// jitterRand is where the library's jitter comes from.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// candidate is what the two electors have in common.
type candidate interface {
	Run(context.Context)
	IsLeader() bool
	GetLeader() string
	Check(time.Duration) error
}

var (
	_ candidate = (*elector.LeaderElector)(nil)
	_ candidate = (*leaderelection.LeaderElector)(nil)
)

type maker func(s *script, lock *scriptedLock, callbacks elector.LeaderCallbacks) (candidate, error)

func makeOurs(s *script, lock *scriptedLock, callbacks elector.LeaderCallbacks) (candidate, error) {
	return elector.NewLeaderElector(elector.LeaderElectionConfig{
		Profile: elector.ClientGo, Coordinated: s.Coordinated, Lock: lock, Callbacks: callbacks, Name: "name", ReleaseOnCancel: s.Release,
		LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
		Jitter: func() float64 { return jitterRand() },
	})
}

func makeTheirs(s *script, lock *scriptedLock, callbacks elector.LeaderCallbacks) (candidate, error) {
	return leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, Callbacks: leaderelection.LeaderCallbacks(callbacks), Name: "name",
		ReleaseOnCancel: s.Release, Coordinated: s.Coordinated,
		LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
	})
}

// TestParity plays each script to the library and to this package, and compares all that can be
// seen from outside, to the nanosecond.
func TestParity(t *testing.T) {
	first, scripts := uint64(1), uint64(400)
	if one, err := strconv.ParseUint(os.Getenv("PARITY_SEED"), 10, 64); err == nil {
		first, scripts = one, 1
	} else if testing.Short() {
		scripts = 100
	}
	seen := map[string]int{}
	for seed := first; seed < first+scripts; seed++ {
		want := play(t, newScript(seed), makeTheirs)
		got := play(t, newScript(seed), makeOurs)
		for i := range max(len(want), len(got)) {
			w, g := line(want, i), line(got, i)
			if w != g {
				t.Logf("before:\n%s", before(want, i))
				require.Equal(t, w, g, "line %d of %d: PARITY_SEED=%d go test -run TestParity ./elector",
					i, len(want), seed)
			}
		}
		count(seen, want)
	}
	t.Logf("%d scripts: %v", scripts, seen)
	if scripts > 1 {
		for _, word := range sometimes {
			require.NotZero(t, seen[word], "no script has shown %q", word)
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

func before(lines []string, i int) (text string) {
	for _, l := range lines[max(0, min(i, len(lines))-8):min(i, len(lines))] {
		text += l + "\n"
	}
	return text
}

// play runs a script in a bubble of its own.
func play(t *testing.T, s *script, make maker) (lines []string) {
	restore := [...]any{utilruntime.ReallyCrash, utilruntime.PanicHandlers, jitterRand}
	defer func() {
		utilruntime.ReallyCrash = restore[0].(bool)
		utilruntime.PanicHandlers = restore[1].([]func(context.Context, any))
		jitterRand = restore[2].(func() float64)
	}()
	synctest.Test(t, func(t *testing.T) {
		j := &journal{start: time.Now()}
		utilruntime.ReallyCrash = s.ReallyCrash
		utilruntime.PanicHandlers = []func(context.Context, any){func(ctx context.Context, value any) {
			j.log("crash handler: %v %s", value, contextState(ctx))
		}}
		metric.set(j)
		who, err := make(s, &scriptedLock{s: s, j: j}, callbacksFor(s, j))
		require.NoError(t, err)
		j.who = who
		stop := sampler(s, j)
		for i := range s.Runs {
			runOnce(s, j, i)
		}
		close(stop)
		synctest.Wait()
		j.log("in the end leader %q %v", who.GetLeader(), who.IsLeader())
		lines = j.lines()
	})
	return lines
}

func callbacksFor(s *script, j *journal) elector.LeaderCallbacks {
	return elector.LeaderCallbacks{
		OnStartedLeading: func(ctx context.Context) {
			j.logAside("started leading")
			<-ctx.Done()
			j.logAside("work over: %v %v", ctx.Err(), context.Cause(ctx))
		},
		OnStoppedLeading: func() {
			j.log("stopped leading %q %v", j.who.GetLeader(), j.who.IsLeader())
			time.Sleep(s.Stopped)
			if s.PanicWhenStopped {
				panic("stopped")
			}
		},
		OnNewLeader: func(id string) { j.logAside("new leader %q", id) },
	}
}

// sampler asks the candidate at the script's times.
func sampler(s *script, j *journal) (stop chan struct{}) {
	stop = make(chan struct{})
	go func() {
		for _, at := range s.Samples {
			timer := time.NewTimer(at - time.Since(j.start))
			select {
			case <-timer.C:
			case <-stop:
				timer.Stop()
				return
			}
			j.logAside("sample: %q %v, healthy %v", j.who.GetLeader(), j.who.IsLeader(),
				j.who.Check(s.RetryPeriod) == nil)
		}
	}()
	return stop
}

func runOnce(s *script, j *journal, i int) {
	plan, draw := s.Runs[i], 0
	jitterRand = func() float64 {
		draw++
		return s.Jitter[draw%len(s.Jitter)]
	}
	base := klog.NewContext(context.Background(), logr.Discard())
	ctx, cancel := context.WithCancelCause(base)
	if plan.Deadline {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, plan.Until)
		defer stop()
	} else {
		timer := time.AfterFunc(plan.Until, func() { cancel(fmt.Errorf("run %d", i)) })
		defer timer.Stop()
	}
	if plan.Before {
		cancel(nil)
	}
	done := make(chan struct{})
	go func() {
		end := "goexit"
		defer close(done)
		defer func() { j.log("run %d ends by %s", i, end) }()
		defer func() {
			if p := recover(); p != nil {
				end = fmt.Sprint("panic ", p)
			}
		}()
		j.who.Run(ctx)
		end = "return"
	}()
	<-done
	cancel(nil)
}
