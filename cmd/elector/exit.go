package main

import "fmt"

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

// badInput is the error for a command line that makes no sense, with its exit code.
func badInput(format string, values ...any) error {
	return &exitError{code: exitBadInput, text: fmt.Sprintf(format, values...) + "; see 'elector --help'"}
}
