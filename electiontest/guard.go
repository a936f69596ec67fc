package electiontest

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"interregnum/internal/trace"
)

type candidateKey struct{}
type termKey struct{}

// term is one stretch of guarded work: from the first Guard to the end of all that it has begun. It is guarded by
// world.mu.
type term struct {
	part   *part
	number int32
	// guards are those whose end has not come.
	guards    int
	ctx       context.Context
	cancelled bool
	// unwatch ends the wait for the context's end.
	unwatch func() bool
}

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

// foreign tells whether a candidate is of another run than that of the caller.
func foreign(c *Candidate) bool {
	w, _ := here()
	return w != nil && w != c.part.world()
}

// unguarded fails the run since Guard was called with a context of which nobody knows whose it is; the message says
// where.
func (w *world) unguarded() {
	at := "an unknown place"
	for skip := 2; ; skip++ {
		_, file, line, ok := runtime.Caller(skip)
		if !ok {
			break
		}
		if filepath.Base(file) != "guard.go" {
			at = fmt.Sprintf("%s:%d", file, line)
			break
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail("Guard at %s was called, at %v, with a context that does not derive from that of a candidate's function in this run, so "+
		"that nobody knows whose work it is: want that context handed on. Runnables of a manager have it with Candidate.Manager, or "+
		"with BaseContext in its options; for other code there is Candidate.Guard", at, w.now())
}

// GuardContext is Guard, and returns a context for parts of the work: what is guarded with it belongs to the same work.
func GuardContext(ctx context.Context) (work context.Context, done func()) {
	c, ok := ctx.Value(candidateKey{}).(*Candidate)
	if !ok || foreign(c) {
		if w, _ := here(); w != nil {
			w.unguarded()
		}
		return ctx, func() {}
	}
	return c.guard(ctx)
}

// Guard is the function of that name, for a context that does not derive from the candidate's.
func (c *Candidate) Guard(ctx context.Context) (done func()) {
	_, done = c.guard(ctx)
	return done
}

// guard begins guarded work, or another part of the work that the context is of; done ends it. For a process that has
// crashed it does nothing.
func (c *Candidate) guard(ctx context.Context) (work context.Context, done func()) {
	t, begun := ctx.Value(termKey{}).(*term)
	w := c.part.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case c.part.process.gone():
		return ctx, func() {}
	case begun && t.guards > 0 && t.part == c.part:
		t.guards++
	default:
		t = c.part.begin(ctx)
	}
	work = context.WithValue(context.WithValue(ctx, candidateKey{}, c), termKey{}, t)
	return work, sync.OnceFunc(t.done)
}

// Wrote says that guarded work has written a resource with that fencing token, and that the resource did not refuse it
// for another reason than its token. The property fenced-writes judges the tokens: a resource that takes none below the
// highest that it has seen would accept no write of an old leader after one of its successor.
func Wrote(ctx context.Context, token uint64) {
	c, ok := ctx.Value(candidateKey{}).(*Candidate)
	if !ok {
		return
	}
	p := c.part
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	number := p.terms
	if t, ok := ctx.Value(termKey{}).(*term); ok {
		number = t.number
	}
	w.wrote = true
	p.note(trace.Event{Kind: trace.ResourceWritten, Term: number, Version: token})
}

// begin begins a term of guarded work, which is told to end when ctx ends. The caller holds world.mu.
func (p *part) begin(ctx context.Context) *term {
	p.terms++
	t := &term{part: p, number: p.terms, guards: 1, ctx: ctx}
	p.open = append(p.open, t)
	w := p.world()
	w.guarded = true
	p.note(trace.Event{Kind: trace.WorkStarted, Term: t.number, Version: p.version})
	t.unwatch = context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		t.noteCancelled()
		w.touch()
	})
	w.touch()
	return t
}

// noteCancelled notes, once, that the work was told to end. The caller holds world.mu.
func (t *term) noteCancelled() {
	if !t.cancelled && slices.Contains(t.part.open, t) {
		t.cancelled = true
		t.part.note(trace.Event{Kind: trace.WorkCancelled, Term: t.number})
	}
}

// done is the end of one of the term's guards; with the last one the work is over.
func (t *term) done() {
	p := t.part
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	if t.guards--; t.guards > 0 {
		return
	}
	t.unwatch()
	t.noteCancelled()
	p.open = slices.DeleteFunc(p.open, func(o *term) bool { return o == t })
	p.note(trace.Event{Kind: trace.WorkEnded, Term: t.number})
	w.touch()
}

// settle notes, for all work whose context has ended, that it was told to end. Guard notes that by itself, but others
// who are told at the same instant may be quicker. The caller holds world.mu.
func (p *part) settle() {
	for _, t := range p.open {
		if t.ctx.Err() != nil {
			t.noteCancelled()
		}
	}
}
