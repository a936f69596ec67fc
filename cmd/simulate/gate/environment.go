package gate

import (
	"errors"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/scenarios/plan"
)

// canGoWrong is the title of the flags about the environment in the help.
const canGoWrong = "What can go wrong"

// environmentFlags are the flags that describe the environment.
type environmentFlags struct {
	// numbers are in the order of gate.Environment.Numbers.
	numbers [7]cliflag.Once
	file    string
}

// register adds the flags to the command.
func (f *environmentFlags) register(c *cobra.Command) {
	flags := c.Flags()
	about := [...]string{
		"longest round trip of a request that is answered, client-side retries and throttling included",
		"each clock's rate is within ± so many parts per million of true time",
		"for how long a process stands still at most, in all, from its last renewal but one to the end of its work",
		"how long the work goes on after its context has ended",
		"how far wall clocks are apart at most, drift and jumps included; counts for " + plan.OneLockThat(plan.Lock.ByWallClock) + " by the callers' clocks",
		"the program calls Run again on an elector whose Run has returned",
		"a 409 may hide that a write was applied: client-go repeats it where an error has a Retry-After",
	}
	e := gate.DefaultEnvironment()
	for i, n := range e.Numbers() {
		f.numbers[i] = cliflag.Once{Text: n.Value, Kind: "DURATION", Check: func(text string) error {
			var e gate.Environment
			return e.Set(n.Flag, text, "")
		}}
		if n.Flag == "max-drift-ppm" {
			f.numbers[i].Kind = "PPM"
		}
		if n.Switch() {
			f.numbers[i].Kind = "bool"
		}
		flags.Var(&f.numbers[i], n.Flag, about[i])
		if n.Switch() {
			flags.Lookup(n.Flag).NoOptDefVal = "true"
		}
	}
	flags.StringVar(&f.file, "environment", "",
		"`FILE` with the site's numbers: maxRoundTrip, maxDriftPPM, maxPause, drain, maxClockOffset, reruns, hiddenConflicts")
	cliflag.Group(flags, canGoWrong, "environment")
	for _, n := range e.Numbers() {
		cliflag.Group(flags, canGoWrong, n.Flag)
	}
}

// read returns the environment. Each number is that of its flag, else that of the file of --environment, else the default.
func (f *environmentFlags) read(c *cobra.Command) (gate.Environment, error) {
	e := gate.DefaultEnvironment()
	if f.file != "" {
		var err error
		if e, err = gate.ReadEnvironmentFile(f.file, c.InOrStdin()); err != nil {
			return e, badFile(err)
		}
	}
	for _, n := range e.Numbers() {
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

// badFile returns the error for a file that a flag names and that cannot be read, with the exit code for bad input.
func badFile(err error) error {
	text := err.Error()
	var problem files.Problem
	if errors.As(err, &problem) {
		text = problem.Error()
	}
	return &exit.Error{Code: exit.BadInput, Text: text}
}
