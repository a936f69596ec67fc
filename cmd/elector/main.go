// Elector takes part in a leader election, and runs a command only while it leads. See elector --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == guardName {
		os.Exit(guard(os.Args[2:]))
	}
	// What of client-go knows no context logs here; it has no level of its own.
	klog.SetSlogLogger(newLogger(os.Stderr, "info"))
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	p := program{stdout: os.Stdout, stderr: os.Stderr, env: os.Getenv, kube: kubeConfig}
	os.Exit(p.run(ctx, os.Args[1:]))
}

// stopSignals are those that end elector, less what it was started to ignore, as by nohup.
func stopSignals() []os.Signal {
	return append(slices.DeleteFunc([]os.Signal{syscall.SIGINT, syscall.SIGHUP}, signal.Ignored), syscall.SIGTERM)
}

// The exit codes that are elector's own. Any other is the command's.
const (
	exitDone     = 0
	exitBadInput = 2
	exitFailed   = 3
	exitNotLed   = 4
)

// exitError is an error with the code that the process ends with. Its text is printed unless it is "".
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

// program is what one elector has of its process.
type program struct {
	stdout, stderr io.Writer
	env            func(string) string
	// kube finds the API server, and the namespace where the options name none.
	kube func(o *options, env func(string) string) (config *rest.Config, namespace string, err error)
	// listening is told where the HTTP server listens. Optional.
	listening func(address string)
}

// run is main without the process: it returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.newRoot()
	root.SetArgs(args)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	exit := &exitError{code: exitFailed, text: err.Error()}
	errors.As(err, &exit)
	for line := range strings.Lines(exit.text) {
		fmt.Fprintf(p.stderr, "elector: %s\n", strings.TrimRight(line, "\n"))
	}
	return exit.code
}

// badInput is the error for a command line that makes no sense, with its exit code.
func badInput(format string, values ...any) error {
	return &exitError{code: exitBadInput, text: fmt.Sprintf(format, values...) + "; see 'elector --help'"}
}
