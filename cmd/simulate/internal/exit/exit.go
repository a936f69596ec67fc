// Package exit has the exit codes of simulate, and the errors that carry them to main.
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

	// ReaderGone is the code of a program that SIGPIPE ends: nobody reads standard output any more, as with head. It is not a
	// failure, but nobody has seen whether the rest is as expected.
	ReaderGone = 128 + 13
)

// Error is an error with an exit code. Its text is printed unless it is "".
type Error struct {
	Code int
	Text string
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// With returns an Error with the code and the text of err. It does not wrap err.
func With(code int, err error) error { return &Error{Code: code, Text: err.Error()} }

// Usage returns the error of a wrong command line. It is one line: the formatted text, and how to get the help of command.
func Usage(command, format string, args ...any) error {
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " ")
	return &Error{Code: BadInput, Text: fmt.Sprintf("%s; see '%s --help'", text, command)}
}

// NoArgs returns an error of Usage if there are arguments. It takes the place of cobra.NoArgs.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usage(c.CommandPath(), "unexpected argument %q", args[0])
	}
	return nil
}

// Panic is the error of a panic in simulate itself.
type Panic struct {
	Value any
	Stack []byte
}

// Error returns the value of the panic and the stack.
func (e *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }
