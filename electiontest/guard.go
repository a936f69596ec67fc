package electiontest

import (
	"context"

	"interregnum/electiontest/internal/world"
)

// Guard says that guarded work begins, which only one candidate at a time may do; done, which may be called more than
// once, that it is over. The work is told to end when ctx does. Where it goes on all the same, that counts: its end is the
// call of done and nothing else. Where its context lives on at done, it counts as told to end at that instant.
//
// The context must derive from the one that the candidate's function was given; with any other, in a run, Guard fails the test, and
// Candidate.Guard is wanted. Outside of a run Guard does nothing. What is guarded with a context of guarded work (that of an OnStartedLeading given to
// Candidate.Config, or of GuardContext) is part of that work, which goes on until the last of them is done.
func Guard(ctx context.Context) (done func()) {
	_, done = GuardContext(ctx)
	return done
}

// GuardContext is Guard, and returns a context for parts of the work: what is guarded with it belongs to the same work.
func GuardContext(ctx context.Context) (work context.Context, done func()) { return world.Guard(ctx) }

// Guard is the function of that name, for a context that does not derive from the candidate's.
func (c *Candidate) Guard(ctx context.Context) (done func()) {
	_, done = c.part.Guard(ctx)
	return done
}

// Wrote says that guarded work has written a resource with that fencing token, and that the resource did not refuse it
// for another reason than its token. The property fenced-writes judges the tokens: a resource that takes none below the
// highest that it has seen would accept no write of an old leader after one of its successor.
func Wrote(ctx context.Context, token uint64) { world.Wrote(ctx, token) }
