package electiontest

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/scenarios"
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

// TestStartsInVain: a program that ends at once, since it reaches no server, waits before it is started again, as by a kubelet, however
// short the scenario's rejoin is.
func TestStartsInVain(t *testing.T) {
	for name, exits := range map[string]bool{"returns": false, "exits": true} {
		t.Run(name, func(t *testing.T) {
			s := Scenario(1, 2*time.Minute, scenarios.Fault{Kind: "partition", Until: new(time.Minute), On: []string{"c1"}})
			s.Candidates[0].Rejoin = new(time.Millisecond)
			var starts atomic.Int32
			Run(t, s, func(ctx context.Context, c *Candidate) {
				starts.Add(1)
				if _, err := c.Clientset().Discovery().ServerVersion(); err != nil {
					if exits {
						c.Exit()
					}
					return
				}
				working(waiting)(ctx, c)
			})
			require.EqualValues(t, 7, starts.Load()) // at 0s, 10s, and so on
		})
	}
}
