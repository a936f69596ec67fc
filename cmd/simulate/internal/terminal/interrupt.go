package terminal

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns a context that ends with parent, or with the first Ctrl-C or SIGTERM. After that signals have their usual
// effect: a second one ends the process. stop also restores the usual effect, and must be called in the end.
func Interruptible(parent context.Context) (ctx context.Context, stop func()) {
	ctx, release := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	forget := context.AfterFunc(ctx, release)
	return ctx, func() {
		forget()
		release()
	}
}
