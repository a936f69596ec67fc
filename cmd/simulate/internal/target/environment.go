package target

import (
	"errors"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
)

// canGoWrong is the title of the flags about the environment in the help.
const canGoWrong = "What can go wrong"

// ofClient is the title of the flags about a client's limiter and retries in the help.
const ofClient = "The client's own waits"

// EnvironmentFlags has the flags that describe the environment.
type EnvironmentFlags struct {
	// numbers are in the order of gate.Environment.AllNumbers.
	numbers [11]cliflag.Once
	// File is the name of the file of --environment.
	File string
}

// Register adds the flags to the command.
func (f *EnvironmentFlags) Register(c *cobra.Command) {
	flags := c.Flags()
	e := gate.DefaultEnvironment()
	for i, n := range e.AllNumbers() {
		f.numbers[i] = cliflag.Once{Text: n.Value, Kind: n.Kind, Check: func(text string) error {
			var e gate.Environment
			return e.Set(n.Flag, text, "")
		}}
		flags.Var(&f.numbers[i], n.Flag, n.About)
		if n.Switch() {
			flags.Lookup(n.Flag).NoOptDefVal = "true"
		}
		title := ofClient
		if i < gate.CustomaryNumbers {
			title = canGoWrong
		}
		cliflag.Group(flags, title, n.Flag)
	}
	flags.StringVar(&f.File, "environment", "",
		"`FILE` with the site's numbers: maxRoundTrip, maxDriftPPM, maxPause, drain, maxClockOffset, reruns, hiddenConflicts; and of the client otherQPS, otherBurst, maxRetryAfter, maxStall")
	cliflag.Group(flags, canGoWrong, "environment")
}

// Read returns the environment. Each number is that of its flag, else that of the file of --environment, else the default. It
// returns an error if the file cannot be read, or if the value of a flag is out of range.
func (f *EnvironmentFlags) Read(c *cobra.Command) (gate.Environment, error) {
	e := gate.DefaultEnvironment()
	if f.File != "" {
		var err error
		if e, err = gate.ReadEnvironmentFile(f.File, c.InOrStdin()); err != nil {
			return e, BadFile(err)
		}
	}
	for _, n := range e.AllNumbers() {
		given := c.Flags().Lookup(n.Flag)
		if !given.Changed {
			continue
		}
		if err := e.Set(n.Flag, given.Value.String(), "--"+n.Flag); err != nil {
			return e, exit.Usage(c.CommandPath(), "--%s: %v", n.Flag, err)
		}
	}
	return e, nil
}

// BadFile returns the error for a file that a flag names and that cannot be read, with the exit code for bad input.
func BadFile(err error) error {
	text := err.Error()
	var problem files.Problem
	if errors.As(err, &problem) {
		text = problem.Error()
	}
	return &exit.Error{Code: exit.BadInput, Text: text}
}
