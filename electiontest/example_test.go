package electiontest_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection"

	"interregnum/electiontest"
	"interregnum/elector"
	"interregnum/elector/machine"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

// t is the *testing.T of a test. The functions here are the bodies of tests: TestExamples runs them.
var t *testing.T

// A plain client-go controller, in a scenario that ships and expects the overlap that the library shows there.
func ExampleRunFile() {
	electiontest.RunFile(t, "h01-late-ack", func(ctx context.Context, c *electiontest.Candidate) {
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { <-ctx.Done() },
			OnStoppedLeading: func() {},
		}))
	})
}

// Faults from Go, and work that stops five seconds after it is told to: too late only where the lease is released before.
func ExampleRun() {
	s := electiontest.Scenario(3, time.Minute,
		scenarios.Fault{Kind: "partition", At: 20 * time.Second, On: []string{"leader"}})
	for i := range s.Candidates {
		s.Candidates[i].RenewDeadline = 8 * time.Second
	}
	electiontest.Run(t, s, func(ctx context.Context, c *electiontest.Candidate) {
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				<-ctx.Done()
				time.Sleep(5 * time.Second)
			},
			OnStoppedLeading: func() {},
		}))
	})
}

// Work in a goroutine that OnStartedLeading does not wait for. Without Guard nobody would see it.
func ExampleGuard() {
	electiontest.RunFile(t, "partitioned-leader", func(ctx context.Context, c *electiontest.Candidate) {
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				done := electiontest.Guard(ctx)
				go func() {
					defer done()
					<-ctx.Done()
				}()
			},
			OnStoppedLeading: func() {},
		}))
	})
}

// A process that takes part in several elections: an elector for each, on a lock of its own.
func ExampleCandidate_Election() {
	electiontest.RunFile(t, "elections-timings", func(ctx context.Context, c *electiontest.Candidate) {
		var all sync.WaitGroup
		for _, name := range c.Elections {
			c := c.Election(name)
			all.Go(func() {
				leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
					OnStartedLeading: func(ctx context.Context) { <-ctx.Done() },
					OnStoppedLeading: func() {},
				}))
			})
		}
		all.Wait()
	})
}

// Random scenarios, in which interregnum/elector holds.
func ExampleOptions_Check() {
	environment := scenariotest.Environment{
		Profile: machine.Strict, MaxDriftPPM: 200,
		Timings: machine.Timings{
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		},
	}
	electiontest.Options{Clock: true}.Check(t, environment, func(ctx context.Context, c *electiontest.Candidate) {
		le, err := elector.NewLeaderElector(c.ElectorConfig(elector.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { <-ctx.Done() },
			OnStoppedLeading: func() {},
		}))
		if err != nil {
			t.Error(err)
			return
		}
		c.Observe(le)
		le.Run(ctx)
	})
}

// The gate as a test of one line.
func ExampleGate() {
	electiontest.Gate(t, leaderelection.LeaderElectionConfig{
		LeaseDuration: 15 * time.Second, RenewDeadline: 9 * time.Second, RetryPeriod: 2 * time.Second,
	}, electiontest.Environment{MaxRoundTrip: 500 * time.Millisecond})
}
