// Package exit has the codes that simulate ends with, and the errors that carry them up to main.
package exit

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	AsExpected = iota
	NotAsExpected
	BadInput
	HarnessFailed

	// ReaderGone is that of a program that SIGPIPE has ended: whoever reads standard output has stopped, as head does. That is
	// no failure; but what was not read is not known to be fine either.
	ReaderGone = 128 + 13
)

// Error is an error with the code that the process ends with. Its text is printed unless it is "".
type Error struct {
	Code int
	Text string
}

func (e *Error) Error() string { return e.Text }

// With is an error with a code.
func With(code int, err error) error { return &Error{Code: code, Text: err.Error()} }

// Usage is the error of a command line that makes no sense, on one line, with where to look it up.
func Usage(command, format string, args ...any) error {
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " ")
	return &Error{Code: BadInput, Text: fmt.Sprintf("%s; see '%s --help'", text, command)}
}

// NoArgs is cobra.NoArgs with the hint that every wrong command line gets.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usage(c.CommandPath(), "unexpected argument %q", args[0])
	}
	return nil
}

// Panic is the error of a panic, which is the harness's own fault.
type Panic struct {
	Value any
	Stack []byte
}

func (e *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }
