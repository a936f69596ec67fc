// Simulate runs lease-based leader elections on virtual time and judges them. See simulate --help.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/calibrate"
	"interregnum/cmd/simulate/explore"
	"interregnum/cmd/simulate/forecast"
	"interregnum/cmd/simulate/gate"
	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/suggest"
	"interregnum/cmd/simulate/investigate"
	"interregnum/cmd/simulate/report"
	"interregnum/cmd/simulate/rules"
	"interregnum/cmd/simulate/run"
	"interregnum/cmd/simulate/search"
	"interregnum/cmd/simulate/tune"
	"interregnum/cmd/simulate/version"
	"interregnum/internal/phrase"
)

// main runs the command line and exits with its exit code.
func main() {
	// If nobody reads standard output any more, writing fails, and files are completed or removed before the process ends.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs the command line and returns the exit code. It prints the text of an error to stderr, each line after the program's
// name. If nobody reads stdout any more, the code is exit.ReaderGone, unless the command ended with an exit.Error that has a text.
// A panic, or another error of writing to stdout, gives exit.HarnessFailed, and its text is printed.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "simulate: %v\n", &exit.Panic{Value: v, Stack: debug.Stack()})
			code = exit.HarnessFailed
		}
	}()
	out := &stickyWriter{w: stdout}
	root := newRoot()
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return wrongFlags(c, err, args) })
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.Execute()
	ended := &exit.Error{Code: exit.BadInput}
	switch isExit := errors.As(err, &ended); {
	case isClosed(out.err) && (err == nil || !isExit || ended.Text == ""):
		return exit.ReaderGone
	case out.err != nil && !isClosed(out.err):
		fmt.Fprintf(stderr, "simulate: standard output: %v\n", out.err)
		return exit.HarnessFailed
	case err == nil:
		return exit.AsExpected
	case !isExit:
		ended.Text = err.Error()
	}
	for line := range strings.Lines(ended.Text) {
		fmt.Fprintf(stderr, "simulate: %s\n", phrase.OneLine(strings.TrimRight(line, "\n")))
	}
	return ended.Code
}

// isClosed tells whether err, of a write, says that nobody reads any more.
func isClosed(err error) bool {
	const noData = syscall.Errno(232) // ERROR_NO_DATA of Windows
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || runtime.GOOS == "windows" && errors.Is(err, noData)
}

// newRoot returns the command simulate, with all commands below it.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "simulate",
		Short: "Simulate lease-based leader elections, deterministically, and judge them",
		Long: `Simulate lease-based leader elections, deterministically, and judge them.

A scenario says who takes part, on which timings, clocks and network, and what goes wrong when. A run of it
takes place on virtual time and depends on nothing else: the same scenario gives the same trace everywhere.

Results go to standard output, everything else to standard error. Exit codes: 0 as expected, 1 not as
expected, 2 bad input, 3 the harness itself failed, 141 whoever reads standard output has closed it, as head does.`,
		Example: `  simulate list
  simulate run healthy-failover
  simulate run my-scenario.yaml -o json`,
		Args: suggest.KnownCommand,
		RunE: func(*cobra.Command, []string) error {
			return exit.Usage("simulate", "no command given")
		},
		Version:           version.This().Text(),
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return cliflag.RefuseEmpty(c) },
		SilenceUsage:      true,
		SilenceErrors:     true,
	}
	root.SetVersionTemplate("{{.Version}}")
	root.AddCommand(run.New(), run.NewList(), search.New(), search.NewShrink(), explore.New(), gate.New(), tune.New(),
		forecast.New(), calibrate.New(), investigate.New(), rules.New(), report.New(), version.New(), completion.New())
	setHelp(root)
	completion.Complete(root)
	return root
}

// stickyWriter keeps the first error of a writer, and writes nothing after it.
type stickyWriter struct {
	w   io.Writer
	err error
}

// Write writes to the underlying writer, and keeps its error. If an earlier Write has failed, it writes nothing and returns that
// error.
func (s *stickyWriter) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// Unwrap returns the underlying writer, so that terminal.Of can tell whether that is a terminal.
func (s *stickyWriter) Unwrap() io.Writer { return s.w }
