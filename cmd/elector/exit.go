package main

import "fmt"

// These exit codes are elector's own. Any other is that of the command.
const (
	exitDone     = 0
	exitBadInput = 2
	exitFailed   = 3
	exitNotLed   = 4
)

// exitError is an error with the exit code of the process. Its text is printed unless it is "".
type exitError struct {
	code int
	text string
}

// Error returns the text that is printed, "" for none.
func (e *exitError) Error() string { return e.text }

// badInput returns an *exitError with the code exitBadInput, for a command line that makes no sense. It adds where help is
// found.
func badInput(format string, values ...any) error {
	return &exitError{code: exitBadInput, text: fmt.Sprintf(format, values...) + "; see 'elector --help'"}
}
