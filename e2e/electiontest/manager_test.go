// Package electiontest_test runs scenarios on whole programs: managers of controller-runtime, and jobs in a database.
package electiontest_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// program is a main that runs a manager with one runnable, and does not exit when the manager is over.
func program(runnable manager.RunnableFunc) func(context.Context, *electiontest.Candidate) {
	return func(ctx context.Context, c *electiontest.Candidate) {
		m, err := ctrl.NewManager(c.RESTConfig(), options(ctx, c))
		if err == nil {
			err = m.Add(runnable)
		}
		if err != nil {
			panic(err)
		}
		_ = m.Start(ctx) // leader election lost
	}
}

func options(ctx context.Context, c *electiontest.Candidate) ctrl.Options {
	return ctrl.Options{
		Logger:  logr.Discard(),
		Metrics: server.Options{BindAddress: "0"},
		// Many managers are in one process here.
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		// The manager's runnables have contexts of its own making: this is how Guard knows whose they are.
		BaseContext:             func() context.Context { return context.WithoutCancel(ctx) },
		LeaderElection:          true,
		LeaderElectionID:        c.LockKey.Name,
		LeaderElectionNamespace: c.LockKey.Namespace,
		LeaseDuration:           &c.Settings.LeaseDuration,
		RenewDeadline:           &c.Settings.RenewDeadline,
		RetryPeriod:             &c.Settings.RetryPeriod,
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
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard()) // events that could not be written
	s, err := scenarios.ReadFile("testdata/cut-off.yaml")
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

// TestGate: the manager's options are judged as they are.
func TestGate(t *testing.T) {
	electiontest.GateManager(t, ctrl.Options{
		LeaderElection: true, RenewDeadline: ptr.To(8 * time.Second), RetryPeriod: ptr.To(time.Second),
	}, electiontest.Environment{MaxRoundTrip: 250 * time.Millisecond})
}
