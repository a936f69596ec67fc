// Package electiontest_test runs scenarios on whole programs: managers of controller-runtime, and jobs in a database.
package electiontest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"interregnum/electiontest"
	"interregnum/scenarios"
)

// program is a main that runs a manager with one runnable, and does not exit when the manager is over. It may change the
// manager's options.
func program(
	runnable manager.RunnableFunc, change ...func(*ctrl.Options, *electiontest.Candidate),
) func(context.Context, *electiontest.Candidate) {
	return func(ctx context.Context, c *electiontest.Candidate) {
		o := ctrl.Options{LeaderElection: true}
		for _, change := range change {
			change(&o, c)
		}
		config := c.Manager(ctx, &o)
		m, err := ctrl.NewManager(config, o)
		if err == nil {
			err = m.Add(runnable)
		}
		if err != nil {
			panic(err)
		}
		_ = m.Start(ctx) // leader election lost
	}
}

// heedless works on for a minute, whatever its context says.
func heedless(ctx context.Context) error {
	defer electiontest.Guard(ctx)()
	time.Sleep(time.Minute)
	return nil
}

// heeding stops when it is told to.
func heeding(ctx context.Context) error {
	defer electiontest.Guard(ctx)()
	<-ctx.Done()
	return nil
}

func scenario(t *testing.T, expect map[string]scenarios.Expectation) *scenarios.Scenario {
	return read(t, "cut-off", expect)
}

func read(t *testing.T, name string, expect map[string]scenarios.Expectation) *scenarios.Scenario {
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard()) // events that are lost
	s, err := scenarios.ReadFile("testdata/" + name + ".yaml")
	require.NoError(t, err)
	s.Expect = expect
	return s
}

// TestHeedless: a runnable that ignores its context works beside that of the next leader, which the kit finds.
func TestHeedless(t *testing.T) {
	s := scenario(t, map[string]scenarios.Expectation{"single-work": scenarios.ExpectViolated})
	r := electiontest.Run(t, s, program(heedless))
	require.Len(t, r.Terms, 2)
	assert.Greater(t, *r.Terms[0].EndedNs, r.Terms[1].StartedNs)
	assert.Less(t, *r.Terms[0].CancelledNs, r.Terms[1].StartedNs)
}

// TestHeeding: with one that does not, the same scenario holds.
func TestHeeding(t *testing.T) {
	r := electiontest.Run(t, scenario(t, nil), program(heeding))
	assert.Len(t, r.Terms, 2)
}

// TestExit: so it does where the program exits once its manager is over.
func TestExit(t *testing.T) {
	run := program(heedless)
	r := electiontest.Run(t, scenario(t, nil), func(ctx context.Context, c *electiontest.Candidate) {
		run(ctx, c)
		c.Exit()
	})
	assert.Len(t, r.Terms, 2)
}

// byHand makes options fit for a run without Candidate.Manager, but for the timings: those are left to the manager's defaults.
func byHand(o *ctrl.Options, c *electiontest.Candidate, ctx context.Context) {
	*o = ctrl.Options{
		Logger:  logr.Discard(),
		Metrics: server.Options{BindAddress: "0"},
		// Many managers are in one process here.
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		// The manager's runnables have contexts of its own making: this is how Guard knows whose they are.
		BaseContext:             func() context.Context { return context.WithoutCancel(ctx) },
		LeaderElection:          true,
		LeaderElectionID:        c.LockKey.Name,
		LeaderElectionNamespace: c.LockKey.Namespace,
	}
}

// releasing leaves its lease when it is shut down.
func releasing(o *ctrl.Options, _ *electiontest.Candidate) { o.LeaderElectionReleaseOnCancel = true }

// ownLock brings a lock that the manager does not know.
func ownLock(o *ctrl.Options, c *electiontest.Candidate) {
	o.LeaderElectionResourceLockInterface = c.Lock()
}

// TestByHand: what Candidate.Manager sets is what a test would set by hand, and the timings are the manager's own, as
// GateManager takes them.
func TestByHand(t *testing.T) {
	with := electiontest.Run(t, scenario(t, nil), program(heeding))
	by := electiontest.Run(t, scenario(t, nil), func(ctx context.Context, c *electiontest.Candidate) {
		var o ctrl.Options
		byHand(&o, c, ctx)
		m, err := ctrl.NewManager(c.RESTConfig(), o)
		if err == nil {
			err = m.Add(manager.RunnableFunc(heeding))
		}
		if err != nil {
			t.Error(err)
			return
		}
		_ = m.Start(ctx)
	})
	assert.Equal(t, by.Terms, with.Terms)
}

// TestOptions: what the program sets itself stays, but for what a run needs.
func TestOptions(t *testing.T) {
	type own struct{}
	o := ctrl.Options{
		LeaderElection: true, LeaderElectionID: "ours", LeaseDuration: ptr.To(21 * time.Second),
		LeaderElectionConfig: &rest.Config{Host: "elsewhere"}, PprofBindAddress: ":1", HealthProbeBindAddress: ":2",
		BaseContext: func() context.Context { return context.WithValue(context.Background(), own{}, "ours") },
	}
	s := scenario(t, nil)
	for i := range s.Candidates {
		s.Candidates[i].LeaseDuration = 21 * time.Second
	}
	electiontest.Run(t, s, func(ctx context.Context, c *electiontest.Candidate) {
		o := o
		config := c.Manager(ctx, &o)
		assert.Equal(t, []string{"0", "0", "0"}, []string{o.PprofBindAddress, o.HealthProbeBindAddress, o.Metrics.BindAddress})
		assert.Equal(t, "lock", o.LeaderElectionID)
		assert.Equal(t, config.Host, o.LeaderElectionConfig.Host)
		assert.Equal(t, 21*time.Second, *o.LeaseDuration)
		m, err := ctrl.NewManager(config, o)
		if err == nil {
			err = m.Add(manager.RunnableFunc(func(ctx context.Context) error {
				assert.Equal(t, "ours", ctx.Value(own{}))
				return heeding(ctx)
			}))
		}
		if err != nil {
			t.Error(err)
			return
		}
		_ = m.Start(ctx)
	})
}

// TestRelease: a manager that is shut down tells its runnables and waits for them before it releases the lease, so that
// the next leader need not wait for its end.
func TestRelease(t *testing.T) {
	slow := func(ctx context.Context) error {
		defer electiontest.Guard(ctx)()
		<-ctx.Done()
		time.Sleep(3 * time.Second)
		return nil
	}
	r := electiontest.Run(t, read(t, "slow-to-stop", nil), program(slow, releasing))
	require.Len(t, r.Terms, 2)
	assert.Less(t, time.Duration(r.Terms[1].StartedNs-*r.Terms[0].EndedNs), 5*time.Second)
}

// TestOwnLock: a lock of the options' own, on two objects.
func TestOwnLock(t *testing.T) {
	s := scenario(t, nil)
	for i := range s.Candidates {
		s.Candidates[i].Lock = "configmapsleases"
	}
	assert.Len(t, electiontest.Run(t, s, program(heeding, ownLock)).Terms, 2)
	// Without one of the options' own, Candidate.Manager brings it.
	assert.Len(t, electiontest.Run(t, s, program(heeding)).Terms, 2)
}

// TestGate: the manager's options are judged as they are.
func TestGate(t *testing.T) {
	short := ctrl.Options{LeaderElection: true, RenewDeadline: ptr.To(6 * time.Second), RetryPeriod: ptr.To(time.Second)}
	released, off, own := short, short, ctrl.Options{LeaderElection: true}
	released.LeaderElectionReleaseOnCancel, off.LeaderElection = true, false
	// The manager does not ask what is called so where it is given a lock; nor need that have its timeout.
	own.LeaderElectionResourceLock, own.LeaderElectionResourceLockInterface = "configmaps", &resourcelock.LeaseLock{}
	for _, c := range []struct {
		options ctrl.Options
		drain   time.Duration
		want    string // "" for safe
	}{
		{short, time.Second, ""},
		// Nobody knows the timeout of a client that is not the manager's: the worse of none and half counts.
		{own, time.Second, "UNSAFE: two leaders can work at once for 3.5s"},
		// The timeout of 5 s, a read of 4.1 s whose connection is closed under it and a round trip to acquire, and 10 s: 19.2 s, of 15 s.
		{ctrl.Options{LeaderElection: true}, 0, "UNSAFE: two leaders can work at once for 4.2s"},
		// The release that follows a failed renewal waits for its answer, for up to 3 s, before the work is told to end.
		{released, 0, "UNSAFE: two leaders can work at once for 3s"},
		{off, 0, "LeaderElection is false"},
	} {
		said := &errors{TB: t}
		electiontest.GateManager(said, &c.options, electiontest.Environment{MaxRoundTrip: 100 * time.Millisecond, Drain: c.drain})
		if c.want == "" {
			assert.Empty(t, said.text.String())
		} else {
			assert.Contains(t, said.text.String(), c.want)
		}
	}
}

// errors takes what would fail a test.
type errors struct {
	testing.TB
	text strings.Builder
}

func (e *errors) Error(args ...any)                 { fmt.Fprintln(&e.text, args...) }
func (e *errors) Errorf(format string, args ...any) { fmt.Fprintf(&e.text, format+"\n", args...) }
