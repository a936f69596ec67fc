package terminal

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible is a context that ends with Ctrl-C or SIGTERM. A second one kills the process. Stop has signals do
// again what they did before.
func Interruptible(parent context.Context) (ctx context.Context, stop func()) {
	ctx, release := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	forget := context.AfterFunc(ctx, release)
	return ctx, func() {
		forget()
		release()
	}
}
