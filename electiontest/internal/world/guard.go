package world

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	"interregnum/internal/trace"
)

// partKey is the key of a context's *Part, termKey that of its guarded work, a *term.
type partKey struct{}
type termKey struct{}

// Context returns a child of parent that carries p, so that Guard and Wrote act for p when they are called with it.
func (p *Part) Context(parent context.Context) context.Context {
	return context.WithValue(parent, partKey{}, p)
}

// Guard begins guarded work of the candidate that ctx belongs to. If ctx belongs to work that goes on, Guard instead begins
// another part of that work, which ends when all its parts have. done ends the part, and does nothing when it is called again.
// work is a child of ctx that belongs to the work. If ctx belongs to no candidate of the run, Guard fails the run, and returns
// ctx and a done that does nothing; outside of a run, and after its horizon, it only returns these.
func Guard(ctx context.Context) (work context.Context, done func()) {
	w, _ := here()
	p, ok := ctx.Value(partKey{}).(*Part)
	switch {
	case ok && (w == nil || w == p.world()):
		return p.Guard(ctx)
	case w != nil:
		w.unguarded()
	}
	return ctx, func() {}
}

// unguarded fails the run because Guard was called with a context of no candidate of it. The message contains the place of that
// call. After the horizon it does nothing: no work counts then, and a program may tidy up, without a context, what failed because
// every request is refused.
func (w *world) unguarded() {
	at := caller()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isOver() {
		return
	}
	w.fail("Guard at %s was called, at %v, with a context that does not derive from that of a candidate's function in this run, so "+
		"that nobody knows whose work it is: want that context handed on. Runnables of a manager have it with Candidate.Manager, or "+
		"with BaseContext in its options; for other code there is Candidate.Guard", at, w.now())
}

// caller returns file and line of the call of Guard that is under way, "" if the kit itself has called it, around
// OnStartedLeading.
func caller() string {
	for skip := 2; ; skip++ {
		_, file, line, ok := runtime.Caller(skip)
		switch filepath.Base(file) {
		case "guard.go", "term.go": // those of the kit
			continue
		case "callbacks.go":
			return ""
		}
		if !ok {
			return "an unknown place"
		}
		return fmt.Sprintf("%s:%d", file, line)
	}
}

// Guard begins guarded work of the candidate. If ctx belongs to work of p that goes on, Guard instead begins another part of
// that work, which ends when all its parts have. done ends the part, and does nothing when it is called again. work is a child
// of ctx that belongs to the work. If the work goes on after OnStartedLeading has returned, the run fails: see outstays. For a
// process that is gone it returns ctx and a done that does nothing.
func (p *Part) Guard(ctx context.Context) (work context.Context, done func()) {
	t, begun := ctx.Value(termKey{}).(*term)
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case p.process.gone():
		return ctx, func() {}
	case begun && t.guards > 0 && t.part == p:
		t.guards++
	default:
		t = p.begin(ctx)
	}
	t.outstays()
	return context.WithValue(p.Context(ctx), termKey{}, t), sync.OnceFunc(t.done)
}

// Wrote adds to the trace that the work that ctx belongs to has written a resource with that fencing token, and sets w.wrote. If
// ctx belongs to a candidate and to no work, it is the candidate's latest work. If ctx belongs to no candidate, Wrote does
// nothing.
func Wrote(ctx context.Context, token uint64) {
	p, ok := ctx.Value(partKey{}).(*Part)
	if !ok {
		return
	}
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
