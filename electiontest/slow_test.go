package electiontest

import (
	"context"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/scenarios/scenariotest"
)

// ample are timings with which client-go's election is safe in random scenarios, if the work stops at once.
var ample = machine.Timings{LeaseDuration: time.Minute, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}

// slowly is a program that takes some time until it asks for the lock, and, once it leads, until its work begins: both wait for caches.
func slowly(starts, begins time.Duration) func(context.Context, *Candidate) {
	wait := func(ctx context.Context, d time.Duration) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	return func(ctx context.Context, c *Candidate) {
		wait(ctx, starts)
		config := c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: waiting, OnStoppedLeading: func() {}})
		config.Callbacks.OnStartedLeading = func(ctx context.Context) { // in which the kit guards nothing
			wait(ctx, begins)
			if ctx.Err() == nil {
				defer Guard(ctx)()
				<-ctx.Done()
			}
		}
		leaderelection.RunOrDie(ctx, config)
	}
}

// TestCheckSlowly: in some of the random scenarios faults end all candidates before any asks for the lock, or the leader before its
// work begins.
func TestCheckSlowly(t *testing.T) {
	e := scenariotest.Environment{Timings: ample, MaxCandidates: 2}
	for name, run := range map[string]func(context.Context, *Candidate){
		"starts": slowly(20*time.Second, 0), "begins": slowly(0, 20*time.Second),
	} {
		t.Run(name, func(t *testing.T) { Options{Only: []string{check.SingleWork}}.Check(t, e, run) })
	}
}
