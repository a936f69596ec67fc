package elector

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"interregnum/elector/machine"
)

// reraise panics on Run's goroutine with the value with which a call of the lock has panicked. With ClientGo the panic meets as
// many crash handlers as in client-go: one around an attempt to acquire, two around an attempt to renew, none in a release. With
// Strict there are two around an attempt to acquire as well. A watch has one. If the first handler swallows the panic
// (utilruntime.ReallyCrash is false), reraise returns.
func (h *host) reraise(r *reply) {
	switch r.request.Scope {
	case machine.ScopeRun, machine.ScopeWatch:
		panicThrough(r.panicked, h.ctx)
	case machine.ScopePoll:
		panicThrough(r.panicked, r.ctx, h.ctx)
	default:
		panicThrough(r.panicked)
	}
}

// panicThrough panics with value inside nested crash handlers, one for each context, the first of them innermost. It returns if
// a handler has swallowed the panic. Without contexts it always panics.
func panicThrough(value any, contexts ...context.Context) {
	if len(contexts) == 0 {
		panic(value)
	}
	outermost := len(contexts) - 1
	defer utilruntime.HandleCrashWithContext(contexts[outermost])
	panicThrough(value, contexts[:outermost]...)
}

// logOutcome logs a reply of the lock: a panic or a failure as an error, and success, refusals and calls that were given up as
// information at a higher verbosity.
func (h *host) logOutcome(r *reply) {
	verb, logger := r.request.Verb.String(), h.logger
	switch {
	case r.panicked != nil:
		// The stack from here on is Run's: this is the last chance to tell where it happened.
		logger.Error(nil, "Lock panicked", "lock", h.lock, "verb", verb,
			"panic", r.panicked, "stack", string(r.stack))
	case r.err == nil:
		logger.V(5).Info("Lock answered", "lock", h.lock, "verb", verb)
	case r.response.Outcome == machine.NotFound, r.response.Outcome == machine.Conflict,
		r.response.Outcome == machine.NoWatch:
		logger.V(2).Info("Lock refused", "lock", h.lock, "verb", verb, "err", r.err)
	case r.cancelled:
		logger.V(2).Info("Gave up waiting for the lock", "lock", h.lock, "verb", verb, "err", r.err)
	default:
		logger.Error(r.err, "Lock failed", "lock", h.lock, "verb", verb)
	}
}
