// Elector takes part in a leader election, and runs a command only while it leads. See elector --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"k8s.io/klog/v2"
)

// main is elector itself or, if its first argument is guardName, the guard process of a command. It exits with the exit code of
// either.
func main() {
	if len(os.Args) > 1 && os.Args[1] == guardName {
		os.Exit(guard(os.Args[2:]))
	}
	stderr := &aside{to: os.Stderr}
	// What of client-go knows no context logs here; it has no level of its own.
	klog.SetSlogLogger(newLogger(stderr, "info"))
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	p := program{stdout: os.Stdout, stderr: stderr, env: os.Getenv, kube: kubeConfig}
	code := p.run(ctx, os.Args[1:])
	stderr.flush(flushAtMost)
	os.Exit(code)
}

// run runs elector with these arguments until it is done, and returns the exit code. It prints an error to p.stderr.
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
