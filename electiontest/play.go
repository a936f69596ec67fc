package electiontest

import (
	"context"
	"testing"
	"time"

	"interregnum/electiontest/internal/outcome"
	"interregnum/electiontest/internal/world"
	"interregnum/scenarios"
)

// patience is how long, in real time, a run may send nothing until it is said what it waits for.
var patience = 5 * time.Second

// play runs a scenario on virtual time, and returns the outcome, judged. refusal.Of must have accepted the scenario. Runs of one
// program wait for each other.
func (o Options) play(t *testing.T, s *scenarios.Scenario, run func(context.Context, *Candidate)) *outcome.Outcome {
	return o.playDrawn(t, s, run, false)
}

// playDrawn runs a scenario on virtual time, and returns the outcome, judged. mayKeep is true for code of which nobody knows
// yet whether it releases the lock, even if the scenario says that it does. What is a failure only of code that releases is
// then no failure, but sets Doubted of the outcome.
func (o Options) playDrawn(t *testing.T, s *scenarios.Scenario, run func(context.Context, *Candidate), mayKeep bool) *outcome.Outcome {
	left := world.Run(t, &world.Setup{
		Scenario: s, Lock: o.lock(), Server: o.server(), Patience: patience, MayKeep: mayKeep,
		Run: func(ctx context.Context, p *world.Part) { run(ctx, newCandidate(p)) },
	})
	return outcome.Of(s, o.Only, left)
}
