package elector

import (
	"context"
	"errors"
	"time"
)

// bounded is a context with a deadline on a clock that is not Go's: it ends when expire is called.
// To whoever gets it, it is what context.WithDeadline returns.
type bounded struct {
	// Context, a child of the parent, has the values and the cause. It is not the one that has
	// Done: a context derived from this one would hang itself on that, and take its Err.
	context.Context
	deadline time.Time
	end      context.CancelCauseFunc
	// ended is a child of Context. Its cause is errExpired where the deadline came first.
	ended context.Context
	stop  context.CancelCauseFunc
}

var _ context.Context = (*bounded)(nil)

var errExpired = errors.New("deadline passed")

// newBounded returns a context that ends with its parent, or when expire or cancel is called. It sets no timer:
// deadline is only what the method Deadline returns.
func newBounded(parent context.Context, deadline time.Time) *bounded {
	b := &bounded{deadline: deadline}
	b.Context, b.end = context.WithCancelCause(parent)
	b.ended, b.stop = context.WithCancelCause(b.Context)
	return b
}

// expire ends the context with DeadlineExceeded, as a deadline that has passed does.
func (b *bounded) expire() {
	b.stop(errExpired)
	b.end(context.DeadlineExceeded)
}

// cancel ends the context with Canceled, as the cancel function of context.WithDeadline does.
func (b *bounded) cancel() { b.end(nil) }

// Deadline returns the earlier one of two deadlines: b's own and the parent's. The bool is always true.
func (b *bounded) Deadline() (time.Time, bool) {
	if d, ok := b.Context.Deadline(); ok && d.Before(b.deadline) {
		return d, true
	}
	return b.deadline, true
}

// Done returns a channel that is closed when the context has ended.
func (b *bounded) Done() <-chan struct{} { return b.ended.Done() }

// Err returns nil while the context has not ended. After expire has ended it, it returns DeadlineExceeded, otherwise the error
// of the wrapped context.
func (b *bounded) Err() error {
	err := b.ended.Err()
	if err != nil && context.Cause(b.ended) == errExpired {
		return context.DeadlineExceeded
	}
	return err
}

// AfterFunc calls f on a goroutine of its own once the context has ended. stop keeps f from being called, and returns false if
// it is too late for that. Package context calls AfterFunc for derived contexts, which then need no goroutine each.
func (b *bounded) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(b.ended, f) }
