package elector_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"

	"interregnum/elector"
)

// TestCrashes plays what goes wrong, one at a time, to the library and to this package. Calls 1 and
// 2 acquire, 3 renews; in a run with release 4 reads the lock and 5 writes it.
func TestCrashes(t *testing.T) {
	plan := func(edit func(*script)) *script {
		s := &script{
			// No tick at the deadline: which of the two the library sees first is left to chance.
			LeaseDuration: 15 * time.Second, RenewDeadline: 9 * time.Second, RetryPeriod: 2 * time.Second,
			Jitter: []float64{0.5}, Runs: []runPlan{{Until: 3 * time.Second}},
			StoppedEvent: time.Millisecond, Stopped: time.Second,
		}
		for range 20 {
			s.Calls = append(s.Calls, callPlan{Out: time.Millisecond, Back: time.Millisecond})
		}
		edit(s)
		return s
	}
	end := func(call int, how callEnd) func(*script) {
		return func(s *script) { s.Calls[call-1].End = how }
	}
	released := func(edit func(*script)) func(*script) {
		return func(s *script) { s.Release, s.Runs[0].Until = true, time.Second; edit(s) }
	}
	cases := []struct {
		name string
		edit func(*script)
		// handlers is how many crash handlers see it when it crashes, and when it is swallowed.
		handlers [2]int
	}{
		{"get while acquiring", end(1, endPanic), [2]int{2, 1}},
		{"create", end(2, endPanic), [2]int{2, 1}},
		{"renewal", end(3, endPanic), [2]int{3, 1}},
		{"release's get", released(end(4, endPanic)), [2]int{1, 1}},
		{"release's update", released(end(5, endPanic)), [2]int{1, 1}},
		{"OnStoppedLeading", func(s *script) { s.PanicWhenStopped = true }, [2]int{1, 1}},
		{"event of the end", func(s *script) { s.EventPanics = "stopped leading" }, [2]int{1, 1}},
		{"event of the end, nobody cancelled", func(s *script) {
			s.EventPanics, s.Runs[0].Until = "stopped leading", time.Minute
			for i := range s.Calls[3:] {
				s.Calls[3+i].End = endError
			}
		}, [2]int{1, 1}},
		{"event of the beginning", func(s *script) { s.EventPanics = "became leader" }, [2]int{2, -1}},
		{"exit while acquiring", end(1, endGoexit), [2]int{}},
		{"exit of a renewal", end(3, endGoexit), [2]int{}},
		{"exit of release", released(end(4, endGoexit)), [2]int{}},
	}
	for _, c := range cases {
		for i, really := range []bool{true, false} {
			if c.handlers[i] < 0 {
				continue // there the library leads without knowing it: not reproduced
			}
			s := func() *script { s := plan(c.edit); s.ReallyCrash = really; return s }
			want, got := play(t, s(), makeTheirs), play(t, s(), makeOurs)
			assert.Equal(t, want, got, c.name)
			text := strings.Join(got, "\n")
			assert.Equal(t, c.handlers[i], strings.Count(text, "crash handler"), "%s\n%s", c.name, text)
			assert.Contains(t, text, "stopped leading")
			assert.Equal(t, really && c.handlers[0] > 0, strings.Contains(text, "ends by panic"), c.name)
		}
	}
}

// TestCallbacksAsideCrash runs itself: a panic on a goroutine of the callback's own ends the
// process.
func TestCallbacksAsideCrash(t *testing.T) {
	const key = "ELECTOR_CRASH"
	if which := os.Getenv(key); which != "" {
		crash(which)
		return
	}
	for _, which := range []string{"OnStartedLeading", "OnNewLeader"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCallbacksAsideCrash$", "-test.timeout=30s")
		cmd.Env = append(os.Environ(), key+"="+which)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		var failed *exec.ExitError
		require.ErrorAs(t, cmd.Run(), &failed)
		assert.Equal(t, 2, failed.ExitCode())
		assert.Contains(t, stderr.String(), "panic: in "+which)
	}
}

func crash(which string) {
	lock := &scriptedLock{s: &script{Calls: []callPlan{{}}}, j: &journal{start: time.Now()}}
	c := valid()
	c.Lock = lock
	c.Callbacks.OnStartedLeading = func(ctx context.Context) {
		if which == "OnStartedLeading" {
			panic("in " + which)
		}
	}
	c.Callbacks.OnNewLeader = func(string) {
		if which == "OnNewLeader" {
			panic("in " + which)
		}
	}
	le, err := elector.NewLeaderElector(c)
	if err != nil {
		return
	}
	lock.j.who = le
	le.Run(klog.NewContext(context.Background(), logr.Discard()))
}

func TestOneRunAtATime(t *testing.T) {
	onBench(t, nil, func(b *bench) {
		c := b.expect("get")
		quiet := klog.NewContext(context.Background(), logr.Discard())
		assert.Panics(t, func() { b.le.Run(quiet) })
		assert.False(t, b.stopped, "the first is not disturbed")
		b.answer(c, broken)
		b.cancel()
		assert.True(t, b.ended())
	})
}

// TestRunAgain: an elector that ran keeps what it has seen, and may run again, even from
// OnStoppedLeading.
func TestRunAgain(t *testing.T) {
	var again func()
	edit := func(c *elector.LeaderElectionConfig) {
		stopped := c.Callbacks.OnStoppedLeading
		c.Callbacks.OnStoppedLeading = func() {
			stopped()
			if f := again; f != nil {
				again = nil
				f()
			}
		}
	}
	onBench(t, edit, func(b *bench) {
		b.lead()
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		defer cancel()
		again = func() { b.le.Run(ctx) }
		b.work = nil
		b.cancel()
		b.answer(b.expect("update"), fine) // it still holds the lease
		b.answer(b.expect("update"), fine)
		assert.NotNil(t, b.work)
		cancel()
		assert.True(t, b.ended())
		assert.Error(t, b.work.Err())
	})
}

// TestQuestionsFromEverywhere is for the race detector.
func TestQuestionsFromEverywhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		metric.set(nil)
		s := &script{Calls: []callPlan{{Out: time.Millisecond, Back: time.Millisecond}}}
		lock := &scriptedLock{s: s, j: &journal{start: time.Now()}}
		c := valid()
		c.Lock = lock
		le, err := elector.NewLeaderElector(c)
		require.NoError(t, err)
		lock.j.who = le
		watchdog := elector.NewLeaderHealthzAdaptor(time.Second)
		for range 4 {
			go func() {
				for range 1000 {
					watchdog.SetLeaderElection(le)
					_, _, _ = le.IsLeader(), le.GetLeader(), watchdog.Check(nil)
					time.Sleep(11 * time.Millisecond)
				}
			}()
		}
		base := klog.NewContext(context.Background(), logr.Discard())
		ctx, cancel := context.WithTimeout(base, 20*time.Second)
		defer cancel()
		le.Run(ctx)
	})
}
