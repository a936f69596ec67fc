package elector

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"interregnum/elector/machine"
)

// reraise panics on Run's goroutine with the value that a call of the lock has panicked with. With ClientGo the panic
// meets the crash handlers that it would meet in client-go: one around an attempt to acquire, two around an attempt to
// renew, none in a release. With Strict there are two around an attempt to acquire as well. A watch has one. It returns
// where the first of them has swallowed the panic (utilruntime.ReallyCrash is false).
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

// panicThrough panics with value inside nested crash handlers, one for each context, the innermost first. It returns
// where a handler has swallowed the panic.
func panicThrough(value any, contexts ...context.Context) {
	if len(contexts) == 0 {
		panic(value)
	}
	outermost := len(contexts) - 1
	defer utilruntime.HandleCrashWithContext(contexts[outermost])
	panicThrough(value, contexts[:outermost]...)
}

// logOutcome logs a reply of the lock: as an error for a panic or a failure, at a lower level for what is expected.
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
