package electiontest

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

// The tests that are meant to fail show nothing of what they were written for: each was green once.

func TestFailingSecondRefused(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), func(ctx context.Context, c *Candidate) {
		if c.ID == "c1" {
			working(waiting)(ctx, c)
		}
	})
}

func TestFailingReturnsAtOnce(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), func(ctx context.Context, c *Candidate) { go working(waiting)(ctx, c) })
}

func TestFailingExitsAtOnce(t *testing.T) {
	failing(t)
	s := Scenario(2, time.Minute)
	s.Candidates[1].Rejoin = new(time.Second)
	Run(t, s, func(ctx context.Context, c *Candidate) {
		if c.ID == "c1" {
			working(waiting)(ctx, c)
		}
		c.Exit()
	})
}

// TestFailingOnlyBegins: OnStartedLeading begins a goroutine and returns. The work goes on for 24 s beside the next leader's, and
// nobody has guarded it.
func TestFailingOnlyBegins(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, 90*time.Second, scenarios.Fault{Kind: "partition", At: 20 * time.Second, On: []string{"leader"}}),
		working(onlyBegins))
}

func TestFailingCheckOnlyBegins(t *testing.T) {
	failing(t)
	e := scenariotest.Environment{Timings: usual}
	Options{Only: []string{check.SingleWork}}.Check(t, e, working(onlyBegins))
}

func onlyBegins(context.Context) {
	go func() { time.Sleep(50 * time.Second) }()
}

// cutOff is a scenario in which the leader is cut off for good.
func cutOff() *scenarios.Scenario {
	return Scenario(2, 90*time.Second, scenarios.Fault{Kind: "partition", At: 20 * time.Second, On: []string{"leader"}})
}

// TestFailingAsksFirst: as above, after a request, so that some guarded work has lasted for a while.
func TestFailingAsksFirst(t *testing.T) {
	failing(t)
	Run(t, cutOff(), func(ctx context.Context, c *Candidate) {
		working(func(ctx context.Context) {
			_, _ = c.Clientset().CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
			onlyBegins(ctx)
		})(ctx, c)
	})
}

// TestFailingWithoutCall: a second pair of brackets is missing.
func TestFailingWithoutCall(t *testing.T) {
	failing(t)
	Run(t, cutOff(), unconfigured(func(ctx context.Context) {
		//lint:ignore SA9010 the test is about just that
		defer Guard(ctx)
		<-ctx.Done()
	}))
}

// piecewise is work in pieces of 5 ms, one each second, that goes on for ever. Each is guarded by itself.
func piecewise(ctx context.Context) {
	for {
		func() {
			defer Guard(ctx)()
			time.Sleep(5 * time.Millisecond)
		}()
		time.Sleep(time.Second)
	}
}

// TestFailingInTurns: two work in turns, and hardly ever at once.
func TestFailingInTurns(t *testing.T) {
	failing(t)
	Options{Only: []string{check.SingleWork}}.Run(t, cutOff(), unconfigured(piecewise))
}

func TestFailingOnlyFenced(t *testing.T) {
	failing(t)
	Options{Only: []string{check.FencedWrites}}.Run(t, cutOff(), working(waiting))
}

func TestFailingExpectsFenced(t *testing.T) {
	failing(t)
	s := cutOff()
	s.Expect = map[string]scenarios.Expectation{check.FencedWrites: scenarios.ExpectHeld}
	Run(t, s, working(waiting))
}

func TestFailingCheckFenced(t *testing.T) {
	failing(t)
	Options{Only: []string{check.FencedWrites}}.Check(t, scenariotest.Environment{Timings: usual}, working(waiting))
}

func TestFailingClock(t *testing.T) {
	failing(t)
	s := cutOff()
	s.Candidates[0].Clock.DriftPPM = 400_000
	Options{Clock: true}.Run(t, s, working(waiting))
}

// TestFailingEager: its work does not heed its context. Once the run is over, it asks again and again without a pause, which changes no verdict.
func TestFailingEager(t *testing.T) {
	failing(t)
	Run(t, cutOff(), func(ctx context.Context, c *Candidate) {
		working(func(context.Context) {
			for {
				if _, err := c.Clientset().CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{}); err == nil {
					time.Sleep(time.Second)
				}
			}
		})(ctx, c)
	})
}

// TestCleanUpAtHorizon: what cleans up until it succeeds, which it cannot once the run is over, is no failure.
func TestCleanUpAtHorizon(t *testing.T) {
	Run(t, handsOver(), func(ctx context.Context, c *Candidate) {
		working(waiting)(ctx, c)
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		for clean.Err() == nil {
			if _, err := c.Clientset().CoreV1().Pods("default").List(clean, metav1.ListOptions{}); err == nil {
				return
			}
		}
	})
}

// TestFailingWindow: with OpenShift's timings client-go itself keeps less than LeaseDuration - RenewDeadline.
func TestFailingWindow(t *testing.T) {
	failing(t)
	for at := 100 * time.Second; at < 126*time.Second; at += 2 * time.Second {
		s := Scenario(2, 10*time.Minute, scenarios.Fault{Kind: "partition", At: at, On: []string{"leader"}})
		for i := range s.Candidates {
			c := &s.Candidates[i]
			c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = 137*time.Second, 107*time.Second, 26*time.Second
		}
		Run(t, s, working(waiting))
	}
}

func TestFailingOtherLock(t *testing.T) {
	failing(t)
	Run(t, cutOff(), func(ctx context.Context, c *Candidate) {
		config := c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: waiting, OnStoppedLeading: func() {}})
		lock := *config.Lock.(*resourcelock.LeaseLock)
		lock.LeaseMeta.Name = "other"
		config.Lock = &lock
		leaderelection.RunOrDie(ctx, config)
	})
}

// unconfigured returns a function whose callbacks are not those of Candidate.Config, so that nothing is guarded but by Guard.
func unconfigured(work func(context.Context)) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		config := c.Config(leaderelection.LeaderCallbacks{})
		config.Callbacks = leaderelection.LeaderCallbacks{OnStartedLeading: work, OnStoppedLeading: func() {}}
		leaderelection.RunOrDie(ctx, config)
	}
}

func TestFailingNeverAsks(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), func(ctx context.Context, c *Candidate) {
		if c.ID == "c1" {
			working(waiting)(ctx, c)
		}
		<-ctx.Done()
	})
}

func TestFailingNeverLeads(t *testing.T) {
	failing(t)
	s := Scenario(2, time.Minute)
	s.Expect = map[string]scenarios.Expectation{check.Liveness: scenarios.ExpectAny}
	for i := range s.Candidates {
		s.Candidates[i].StartAt = 59 * time.Second
	}
	Run(t, s, func(ctx context.Context, _ *Candidate) { <-ctx.Done() })
}

// TestIdle: a leader that has nothing to do for minutes, and guards each piece of its work, is no lack of a leader.
func TestIdle(t *testing.T) {
	s := Scenario(2, 2*time.Minute, scenarios.Fault{Kind: "delay", At: 25 * time.Second, Until: new(40 * time.Second), On: []string{"follower"},
		Response: &scenarios.Delay{Min: 100 * time.Millisecond, Max: 100 * time.Millisecond}})
	out := Options{}.play(t, s, func(ctx context.Context, c *Candidate) {
		callbacks := leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}}
		config := c.Config(callbacks)
		config.Callbacks = leaderelection.LeaderCallbacks{OnStartedLeading: func(ctx context.Context) {
			func() { defer Guard(ctx)(); time.Sleep(time.Second) }()
			<-ctx.Done()
		}, OnStoppedLeading: func() {}}
		leaderelection.RunOrDie(ctx, config)
	})
	require.True(t, out.Result.AsExpected, out.Problem())
	require.Contains(t, out.Idle, "c1 held the lock")
}

// TestEndsAtOnce: goroutines that are about to end when OnStartedLeading returns are not left behind, whichever comes first.
func TestEndsAtOnce(t *testing.T) {
	for range 20 {
		Run(t, handsOver(), working(func(ctx context.Context) {
			var all sync.WaitGroup
			for range 8 {
				all.Add(1)
				go func() {
					time.Sleep(5 * time.Second)
					all.Done()
					for range 1000 {
						runtime.Gosched()
					}
				}()
			}
			all.Wait()
		}))
	}
}

// TestDrainAtHorizon: work that began when its context had ended, and is done after the horizon, is done.
func TestDrainAtHorizon(t *testing.T) {
	s := Scenario(2, time.Minute, scenarios.Fault{Kind: "cancel", At: 57 * time.Second, On: []string{"c1"}})
	out := Options{}.play(t, s, working(func(ctx context.Context) {
		<-ctx.Done()
		defer Guard(ctx)()
		time.Sleep(5 * time.Second)
	}))
	require.Empty(t, out.Blind)
}

// TestFailingWaits: the answer to the only candidate's first write is lost, and its client has no timeout.
func TestFailingWaits(t *testing.T) {
	failing(t)
	Run(t, Scenario(1, 3*time.Minute, scenarios.Fault{Kind: "lose", At: 0, Until: new(time.Second), Leg: "response"}), working(waiting))
}

func TestFailingVoid(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute, scenarios.Fault{Kind: "crash", At: time.Millisecond, On: []string{"leader"}}),
		working(waiting))
}

func TestFailingVoidAfterReturn(t *testing.T) {
	failing(t)
	Run(t, Scenario(1, time.Minute, scenarios.Fault{Kind: "cancel", At: 20 * time.Second},
		scenarios.Fault{Kind: "cancel", At: 30 * time.Second}), working(waiting))
}

func TestFailingMetNothing(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute, scenarios.Fault{
		Kind: "error", At: 20 * time.Second, On: []string{"leader"}, Status: 500, Verb: machine.Create,
	}), working(waiting))
}

// TestFailingReturned: the program would exit where the function returns, while its work goes on.
func TestFailingReturned(t *testing.T) {
	failing(t)
	RunFile(t, "partitioned-leader", func(ctx context.Context, c *Candidate) {
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { time.Sleep(50 * time.Second) }, OnStoppedLeading: func() {},
		}))
	})
}

// handsOver is a scenario of two candidates, of which the first is asked to stop after 20 s. Both release the lock.
func handsOver() *scenarios.Scenario {
	s := Scenario(2, time.Minute, scenarios.Fault{Kind: "cancel", At: 20 * time.Second, On: []string{"c1"}})
	for i := range s.Candidates {
		s.Candidates[i].ReleaseOnCancel = true
	}
	return s
}

// beside returns work that is done in a goroutine, from some time after its start until its context ends, and a time
// more. OnStartedLeading does not wait for it.
func beside(after, longer time.Duration) func(context.Context) {
	return func(ctx context.Context) {
		work := func() {
			defer Guard(ctx)()
			<-ctx.Done()
			time.Sleep(longer)
		}
		if after == 0 {
			done := Guard(ctx)
			go func() {
				defer done()
				work()
			}()
			return
		}
		time.AfterFunc(after, work)
	}
}

func TestFailingStartedReturns(t *testing.T) {
	failing(t)
	t.Run("while it works", func(t *testing.T) { Run(t, handsOver(), working(beside(0, 0))) })
	t.Run("before it works", func(t *testing.T) { Run(t, handsOver(), working(beside(5*time.Second, 0))) })
	t.Run("to the horizon", func(t *testing.T) {
		s := handsOver()
		s.Faults = nil
		Run(t, s, working(beside(0, time.Second)))
	})
}

// TestStartedReturns: OnStartedLeading may return early where nothing follows, where the candidate releases nothing, and
// where its context has ended.
func TestStartedReturns(t *testing.T) {
	keeps := handsOver()
	for i := range keeps.Candidates {
		keeps.Candidates[i].ReleaseOnCancel = false
	}
	for name, one := range map[string]struct {
		s    *scenarios.Scenario
		work func(context.Context)
	}{
		"no work":    {handsOver(), func(context.Context) {}},
		"no release": {keeps, beside(0, time.Second)},
		"context ended": {handsOver(), func(ctx context.Context) {
			beside(0, 100*time.Millisecond)(ctx)
			<-ctx.Done()
		}},
		"waits": {handsOver(), func(ctx context.Context) {
			var all sync.WaitGroup
			all.Go(func() {
				defer Guard(ctx)()
				<-ctx.Done()
			})
			all.Wait()
		}},
	} {
		t.Run(name, func(t *testing.T) { require.Empty(t, Options{}.play(t, one.s, working(one.work)).Blind) })
	}
}

func TestFailingCheckIdle(t *testing.T) {
	failing(t)
	e := scenariotest.Environment{Timings: usual}
	Options{Only: []string{check.SingleWork}}.Check(t, e, func(ctx context.Context, c *Candidate) {
		_ = c.Lock().Create(ctx, resourcelock.LeaderElectionRecord{HolderIdentity: c.Identity, LeaseDurationSeconds: 15})
		<-ctx.Done()
	})
}

// TestFailingOneSided: the old leader works on for 39 s after its successor has taken over, which has nothing to do.
func TestFailingOneSided(t *testing.T) {
	failing(t)
	Run(t, cutOff(), func(ctx context.Context, c *Candidate) {
		config := c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: waiting, OnStoppedLeading: func() {}})
		config.Callbacks.OnStartedLeading = func(ctx context.Context) {
			if c.ID == "c1" {
				defer Guard(ctx)()
				time.Sleep(75 * time.Second)
			}
			<-ctx.Done()
		}
		leaderelection.RunOrDie(ctx, config)
	})
}

// TestOnly: where single-work alone counts, other properties may be violated, and what the scenario itself expects still counts.
func TestOnly(t *testing.T) {
	s, err := scenarios.Named("h02-retry-on-top")
	require.NoError(t, err)
	s.Expect = nil
	heed := func(ctx context.Context, c *Candidate) { working(waiting)(ctx, c) }
	var violated []string
	out := Options{}.play(t, s, heed)
	for _, p := range out.Result.Properties {
		if !s.Fulfils(&p) {
			violated = append(violated, p.Name)
		}
	}
	require.Contains(t, violated, check.SingleWork)
	require.False(t, Options{Only: []string{check.SingleWork}}.play(t, s, heed).Result.AsExpected)
	require.True(t, Options{Only: []string{check.SingleRecord}}.play(t, s, heed).Result.AsExpected)
	s.Expect = map[string]scenarios.Expectation{check.SingleWork: scenarios.ExpectHeld}
	require.False(t, Options{Only: []string{check.SingleRecord}}.play(t, s, heed).Result.AsExpected)
	require.ErrorContains(t, (&Options{Only: []string{"single"}}).valid(), `Options.Only: want names among single-record`)
}

// TestShown: what shows nothing fails, and says what is wanted.
func TestShown(t *testing.T) {
	fails(t, map[string]string{
		"TestFailingSecondRefused":   `candidate c2 returned at 100ms by itself: .*given to t\.Error`,
		"TestFailingReturnsAtOnce":   `candidate c1 returned at 0s by itself: .*waits for what it begins`,
		"TestFailingExitsAtOnce":     `candidate c2 called Candidate.Exit at 100ms by itself`,
		"TestFailingOnlyBegins":      `OnStartedLeading returned at .* a goroutine that it had begun \(.*(shown|left)_test\.go:\d+\) went on`,
		"TestFailingAsksFirst":       `OnStartedLeading returned at .* a goroutine that it had begun`,
		"TestFailingWithoutCall":     `Guard at .*shown_test\.go:\d+ was called at .*, when its context had ended`,
		"TestFailingInTurns":         `(?s)SPLIT BRAIN: c1 begins work at .*, while the lock is held by c2.*single-work is violated.*c1 began work at \S+, when c2 had held the lock since \S+(; the context of that work had not ended|, though the context)`,
		"TestFailingOnlyFenced":      `Options\.Only names fenced-writes, and nobody could have seen`,
		"TestFailingExpectsFenced":   `fenced-writes is inconclusive`,
		"TestFailingCheckFenced":     `Options\.Only names fenced-writes, on which there was no verdict`,
		"TestFailingClock":           `nobody took Candidate\.Clock`,
		"TestFailingEager":           `(?s)SPLIT BRAIN.*single-work is violated`,
		"TestFailingWindow":          `safety-window is violated; no two worked at once.*Options\.Only with single-work`,
		"TestFailingOtherLock":       `It asked for lease default/other`,
		"TestFailingCheckOnlyBegins": `OnStartedLeading returned at .* a goroutine that it had begun`,
		"TestFailingNeverAsks":       `candidate c2 never asked for the lock default/lock`,
		"TestFailingNeverLeads":      `nobody asked for the lock default/lock`,
		"TestFailingVoid":            `faults\[0\] \(crash, at 1ms\) found nobody.*Not running at that time: c2;`,
		"TestFailingVoidAfterReturn": `faults\[1\] \(cancel, at 30s\) found nobody.*Not running at that time: c1`,
		"TestFailingCheckIdle":       `no work was guarded in any of the scenarios`,
		"TestFailingCheckReturns":    `OnStartedLeading returned at .*, before its context had ended, and its guarded work went on`,
		"TestFailingGroup":           `a goroutine that it had begun \(.*(shown|left)_test\.go:\d+\) went on`,
		"TestFailingStartedReturns":  `(?s)(candidate c1: OnStartedLeading returned at \d+ms, .*sync\.WaitGroup.*){3}`,
		"TestFailingWaits":           `liveness is violated.*candidate c1 waited until the end for the answer to its (get|create) of the lock from .*rest\.Config\.Timeout`,
		"TestFailingOneSided":        `only c1 ever worked, although c2 led from 36\.\d+s to \S+ or longer`,
		"TestFailingMetNothing":      `none of the scenario's 1 faults met anything`,
		"TestFailingReturned":        `(?s)SPLIT BRAIN.*the function of candidate a had returned at \S+, and its guarded work went on\..*Candidate\.Exit`,
	})
}

// TestOnlyWorker: a run in which one candidate alone has worked says so, and one in which it has handed over does not.
func TestOnlyWorker(t *testing.T) {
	quiet := Options{}.play(t, Scenario(2, time.Minute), working(waiting))
	require.NotEmpty(t, quiet.OnlyWorker())
	require.Empty(t, Options{}.play(t, handsOver(), working(waiting)).OnlyWorker())
	require.Empty(t, Options{}.play(t, Scenario(1, time.Minute), working(waiting)).OnlyWorker())
}
