package electiontest

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/internal/check"
	"interregnum/scenarios"
)

// The tests that are meant to fail have work that is still there when leading is over: each was green once.

// healed is a scenario in which the leader is cut off, loses the lock, and can write again.
func healed() *scenarios.Scenario {
	return Scenario(2, 90*time.Second, scenarios.Fault{Kind: "partition", At: 20 * time.Second, Until: new(40 * time.Second), On: []string{"leader"}})
}

// writing writes every five seconds, for ever.
func writing(c *Candidate) {
	for {
		time.Sleep(5 * time.Second)
		write(context.Background(), c)
	}
}

// write creates a ConfigMap.
func write(ctx context.Context, c *Candidate) {
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "m-"}}
	_, _ = c.Clientset().CoreV1().ConfigMaps("default").Create(ctx, m, metav1.CreateOptions{})
}

// forgets is a program whose OnStartedLeading waits for its context, and not for a goroutine that writes for ever. stays says whether the
// function goes on until its own context ends.
func forgets(stays bool) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		working(func(lead context.Context) {
			go writing(c)
			<-lead.Done()
		})(ctx, c)
		if stays {
			<-ctx.Done()
		}
	}
}

func TestFailingForgets(t *testing.T) {
	failing(t)
	Run(t, healed(), forgets(true))
}

func TestFailingForgetsAndReturns(t *testing.T) {
	failing(t)
	Run(t, cutOff(), forgets(false))
}

// TestFailingForgetsUnseen: what the goroutine does is nothing that the kit sees.
func TestFailingForgetsUnseen(t *testing.T) {
	failing(t)
	Run(t, healed(), func(ctx context.Context, c *Candidate) {
		working(func(lead context.Context) {
			go func() {
				for {
					time.Sleep(time.Second)
				}
			}()
			<-lead.Done()
		})(ctx, c)
		<-ctx.Done()
	})
}

// TestFailingForgetsInFlight: a worker finishes what it has begun. That takes until the other candidate leads, and not until the run's end.
func TestFailingForgetsInFlight(t *testing.T) {
	failing(t)
	Run(t, healed(), func(ctx context.Context, c *Candidate) {
		working(func(lead context.Context) {
			go wait.UntilWithContext(lead, func(context.Context) { time.Sleep(25 * time.Second) }, time.Second)
			<-lead.Done()
		})(ctx, c)
		<-ctx.Done()
	})
}

// strays is a program of which a goroutine writes on, some seconds after the leader's end, that begin has begun. before says whether it does so
// before it is elected.
func strays(before bool, begin func(write func())) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		writes := func() { write(ctx, c) }
		if before {
			begin(writes)
		}
		working(func(lead context.Context) {
			if !before {
				begin(writes)
			}
			<-lead.Done()
		})(ctx, c)
		<-ctx.Done()
	}
}

// later writes in a timer after a minute, in which the leader is another one.
func later(write func()) { time.AfterFunc(time.Minute, write) }

// nested does the same in a goroutine whose beginner has ended.
func nested(write func()) {
	go func() {
		go func() {
			time.Sleep(time.Minute)
			write()
		}()
	}()
}

func TestFailingStraysTimer(t *testing.T) {
	failing(t)
	Run(t, healed(), strays(false, later))
}

func TestFailingStraysNested(t *testing.T) {
	failing(t)
	Run(t, healed(), strays(false, nested))
}

// TestStraysOfMain: what a goroutine of main writes is no leader's work.
func TestStraysOfMain(t *testing.T) {
	Run(t, healed(), strays(true, func(write func()) {
		go func() {
			time.Sleep(time.Minute)
			write()
		}()
	}))
}

// reconciles is a program whose work the kit sees only where it is guarded, as with a manager: a goroutine that the work began, and guards
// nothing, writes on. exits says whether the program ends at the end of its function.
func reconciles(exits bool) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		config := c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: waiting, OnStoppedLeading: func() {}})
		config.Callbacks.OnStartedLeading = func(lead context.Context) {
			defer Guard(lead)()
			go writing(c)
			<-lead.Done()
		}
		leaderelection.RunOrDie(ctx, config)
		if exits {
			c.Exit()
		}
	}
}

func TestFailingReconciles(t *testing.T) {
	failing(t)
	Run(t, healed(), reconciles(false))
}

// TestReconcilesAndExits: what goroutines of a program that has exited would do is no work.
func TestReconcilesAndExits(t *testing.T) { Run(t, healed(), reconciles(true)) }

// TestForgetsSoonOver: a goroutine that goes on for a while, and does nothing, is not forgotten; nor is one that only reads.
func TestForgetsSoonOver(t *testing.T) {
	out := Options{}.play(t, healed(), func(ctx context.Context, c *Candidate) {
		working(func(lead context.Context) {
			go func() {
				for lead.Err() == nil {
					time.Sleep(8 * time.Second)
					_, _ = c.Clientset().CoreV1().ConfigMaps("default").List(context.Background(), metav1.ListOptions{})
				}
			}()
			<-lead.Done()
		})(ctx, c)
		<-ctx.Done()
	})
	require.True(t, out.Result.AsExpected, out.Problem())
}

// TestFailingMainContext: the work waits for the context of main in place of its own.
func TestFailingMainContext(t *testing.T) {
	failing(t)
	Run(t, cutOff(), func(ctx context.Context, c *Candidate) { working(func(context.Context) { <-ctx.Done() })(ctx, c) })
}

// TestMainContext: the context of main goes on when the function has returned, and the next call is given the same one.
func TestMainContext(t *testing.T) {
	s := one(t, "faults: [{kind: cancel, at: 30s}]\n")
	s.Candidates[0].Rejoin = new(20 * time.Second)
	var all []context.Context
	Options{}.play(t, s, func(ctx context.Context, c *Candidate) {
		all = append(all, ctx)
		require.NoError(t, ctx.Err())
		defer Guard(ctx)()
		time.Sleep(time.Second)
		if len(all) == 2 {
			require.NoError(t, all[0].Err())
		}
		if len(all) > 1 {
			<-ctx.Done()
		}
	})
	require.Len(t, all, 3)
	require.Equal(t, all[0], all[1])
	require.NotEqual(t, all[1], all[2])
}

// TestFailingTooShort: the run ends before anybody could have worked beside the leader that is cut off.
func TestFailingTooShort(t *testing.T) {
	failing(t)
	s := cutOff()
	s.Horizon = 30 * time.Second
	Run(t, s, working(func(context.Context) { select {} }))
}

// TestShortEnough: nothing is missing where the leader renews on, where the other candidate cannot lead, and where nobody is expected to.
func TestShortEnough(t *testing.T) {
	blip, all := cutOff(), cutOff()
	blip.Faults[0] = scenarios.Fault{Kind: "error", At: 20 * time.Second, Until: new(25 * time.Second), On: []string{"leader"}, Status: 500}
	all.Faults[0].On, all.Horizon = nil, 60*time.Second
	for name, s := range map[string]*scenarios.Scenario{"blip": blip, "all": all} {
		out := Options{}.play(t, s, working(waiting))
		require.NotEmpty(t, out.OnlyWorker(), name)
		require.Empty(t, out.Unshown(nil), name)
	}
}

// TestFailingTwoElectors: one process runs two electors on one lock.
func TestFailingTwoElectors(t *testing.T) {
	failing(t)
	Run(t, cutOff(), func(ctx context.Context, c *Candidate) {
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { working(waiting)(ctx, c) })
		}
		all.Wait()
	})
}

// TestWentOn: work that goes on when its leadership has ended is not explained by an acknowledgement that was in time.
func TestWentOn(t *testing.T) {
	polls := func(ctx context.Context, c *Candidate) {
		var leads atomic.Bool
		go func() {
			for ; ctx.Err() == nil; time.Sleep(time.Second) {
				if leads.Load() {
					done := Guard(ctx)
					time.Sleep(20 * time.Second) // a batch
					done()
				}
			}
		}()
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { leads.Store(true) }, OnStoppedLeading: func() { leads.Store(false) },
		}))
		<-ctx.Done()
	}
	mains := func(ctx context.Context, c *Candidate) {
		unconfigured(func(context.Context) { defer Guard(ctx)(); <-ctx.Done() })(ctx, c)
		<-ctx.Done()
	}
	refused := cutOff()
	refused.Faults[0].Kind, refused.Faults[0].Status = "error", 500
	for name, one := range map[string]struct {
		s   *scenarios.Scenario
		run func(context.Context, *Candidate)
	}{"polls": {cutOff(), polls}, "main's": {cutOff(), mains}, "refused": {refused, mains}} {
		out := Options{}.play(t, one.s, one.run)
		work := check.Named(out.Result.Properties, check.SingleWork)
		require.Equal(t, check.Violated, work.Verdict, name)
		require.NotEmpty(t, work.Violations[0].Explanations, name)
		require.Contains(t, work.Violations[0].Explanations[0].Summary, "its work went on, though it had stopped leading at 30.02", name)
	}
}

// TestStillThere: what is still there when leading is over fails, and says what is wanted.
func TestStillThere(t *testing.T) {
	fails(t, map[string]string{
		"TestFailingForgets":           `(?s)SPLIT BRAIN.*single-work is violated.*a goroutine that it had begun \(.*again_test\.go:\d+\) went on after that and sent POST \S+/configmaps at \S+, while another candidate led`,
		"TestFailingForgetsAndReturns": `(?s)SPLIT BRAIN.*single-work is violated.*a goroutine that it had begun .*Candidate\.Exit`,
		"TestFailingForgetsUnseen":     `OnStartedLeading returned at .*a goroutine that it had begun \(.*again_test\.go:\d+\) went on after that\. Another candidate has led`,
		"TestFailingForgetsInFlight":   `OnStartedLeading returned at 30\.0\S+, and a goroutine that it had begun \(.*\) went on after that\. Another candidate has led`,
		"TestFailingReconciles":        `candidate c1 sent POST \S+/configmaps at 1m10\.\d+s, after it had led and its function had returned, while another candidate led .*Candidate\.Exit`,
		"TestFailingStraysTimer":       `candidate c1 sent POST \S+/configmaps at 1m0\.\d+s, while another candidate led and nothing of this one was guarded\. A timer, or`,
		"TestFailingStraysNested":      `candidate c1 sent POST \S+/configmaps at 1m0\.\d+s, while another candidate led and nothing of this one was guarded\. A timer, or`,
		"TestFailingMainContext":       `(?s)SPLIT BRAIN.*the function of candidate c1 had returned at \S+, and its guarded work went on\..*Candidate\.Exit`,
		"TestFailingTooShort":          `only c1 ever worked: faults\[0\] met it at 20s, it renewed no more, .*Want a later horizon, such as 45s`,
		"TestFailingTwoElectors":       `two electors of one process`,
	})
}
