package electiontest

import (
	"context"

	"interregnum/electiontest/internal/world"
)

// Guard begins guarded work, which only one candidate at a time may do; done, called once or more often, ends it. The
// work is told to end when ctx ends, but only done ends it. If ctx has not ended when done is called, the work counts as
// told to end at that instant.
//
// The context must derive from the one that the candidate's function was given: for any other context use
// Candidate.Guard, since Guard fails the test then, or outside of a run does nothing. The context of an OnStartedLeading
// given to Candidate.Config, and that of GuardContext, are contexts of guarded work: what is guarded with one of these
// is part of that work, which goes on until its last part is done.
func Guard(ctx context.Context) (done func()) {
	_, done = GuardContext(ctx)
	return done
}

// GuardContext begins guarded work as Guard does, and also returns a context for parts of the work: what is guarded with that
// context is part of it.
func GuardContext(ctx context.Context) (work context.Context, done func()) { return world.Guard(ctx) }

// Guard begins guarded work of c, or another part of the work that ctx belongs to, as the function Guard does; done ends it.
// Unlike there, ctx need not derive from that of the candidate's function.
func (c *Candidate) Guard(ctx context.Context) (done func()) {
	_, done = c.part.Guard(ctx)
	return done
}

// Wrote adds to the trace that guarded work has written a resource with that fencing token. Call it also for a write
// that the resource refused because of its token, but not for one that it refused for another reason. The property
// fenced-writes judges the tokens: a resource that takes none below the highest that it has seen would accept no write
// of an old leader after one of its successor.
func Wrote(ctx context.Context, token uint64) { world.Wrote(ctx, token) }
