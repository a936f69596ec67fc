package terminal

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns a context that ends with the first Ctrl-C or SIGTERM. The second one kills the process. stop restores
// the usual effect of the signals.
func Interruptible(parent context.Context) (ctx context.Context, stop func()) {
	ctx, release := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	forget := context.AfterFunc(ctx, release)
	return ctx, func() {
		forget()
		release()
	}
}
