package electiontest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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

func TestFailingCheckIdle(t *testing.T) {
	failing(t)
	e := scenariotest.Environment{Timings: usual}
	Options{Only: []string{check.SingleWork}}.Check(t, e, func(ctx context.Context, c *Candidate) {
		_ = c.Lock().Create(ctx, resourcelock.LeaderElectionRecord{HolderIdentity: c.Identity, LeaseDurationSeconds: 15})
		<-ctx.Done()
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
		"TestFailingNeverAsks":       `candidate c2 never asked for the lock default/lock`,
		"TestFailingNeverLeads":      `nobody asked for the lock default/lock`,
		"TestFailingVoid":            `faults\[0\] \(crash, at 1ms\) found nobody.*Not running at that time: c2;`,
		"TestFailingVoidAfterReturn": `faults\[1\] \(cancel, at 30s\) found nobody.*Not running at that time: c1`,
		"TestFailingCheckIdle":       `no work was guarded in any of the scenarios`,
		"TestFailingMetNothing":      `none of the scenario's 1 faults met anything`,
		"TestFailingReturned":        `(?s)SPLIT BRAIN.*the function of candidate a had returned at \S+, and its guarded work went on\..*Candidate\.Exit`,
	})
}
