package target

import (
	"errors"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/plan"
)

// canGoWrong is the title of the flags about the environment in the help.
const canGoWrong = "What can go wrong"

// ofClient is the title of the flags about a client's limiter and retries in the help.
const ofClient = "The client's own waits"

// Environment has the flags that describe the environment.
type Environment struct {
	// numbers are in the order of gate.Environment.AllNumbers.
	numbers [11]cliflag.Once
	// File is the name of the file of --environment.
	File string
}

// Register adds the flags to the command.
func (f *Environment) Register(c *cobra.Command) {
	flags := c.Flags()
	about := [...]string{
		"longest round trip of a request that is answered, client-side retries and throttling included",
		"each clock's rate is within ± so many parts per million of true time",
		"for how long a process stands still at most, in all, from its last renewal but one to the end of its work",
		"how long the work goes on after its context has ended",
		"how far wall clocks are apart at most, drift and jumps included, and from one that is never set; counts for " + plan.OneLockThat(plan.Lock.ByWallClock) + " by the callers' clocks, and for profiles java and csharp",
		"the program calls Run again on an elector whose Run has returned",
		"a 409 may hide that a write was applied: client-go repeats it where an error has a Retry-After",
		"how many requests a second else share the limiter of the lock's client at most; more come at once with --other-burst",
		"how many requests else, of those that share the limiter of the lock's client, come at once at most",
		"for how long an answer asks a client to wait, and to send the request again; 0s: no answer does",
		"for how long a connection holds answers back at most, besides --max-round-trip; a client closes it after " + gate.FormatDuration(plan.LongestStall),
	}
	e := gate.DefaultEnvironment()
	for i, n := range e.AllNumbers() {
		f.numbers[i] = cliflag.Once{Text: n.Value, Kind: "DURATION", Check: func(text string) error {
			var e gate.Environment
			return e.Set(n.Flag, text, "")
		}}
		switch n.Flag {
		case "max-drift-ppm":
			f.numbers[i].Kind = "PPM"
		case "other-qps":
			f.numbers[i].Kind = "RATE"
		case "other-burst":
			f.numbers[i].Kind = "COUNT"
		}
		if n.Switch() {
			f.numbers[i].Kind = "bool"
		}
		flags.Var(&f.numbers[i], n.Flag, about[i])
		if n.Switch() {
			flags.Lookup(n.Flag).NoOptDefVal = "true"
		}
	}
	flags.StringVar(&f.File, "environment", "",
		"`FILE` with the site's numbers: maxRoundTrip, maxDriftPPM, maxPause, drain, maxClockOffset, reruns, hiddenConflicts; and of the client otherQPS, otherBurst, maxRetryAfter, maxStall")
	cliflag.Group(flags, canGoWrong, "environment")
	for i, n := range e.AllNumbers() {
		if i < gate.CustomaryNumbers {
			cliflag.Group(flags, canGoWrong, n.Flag)
		} else {
			cliflag.Group(flags, ofClient, n.Flag)
		}
	}
}

// Read returns the environment. Each number is that of its flag, else that of the file of --environment, else the default. It
// returns an error if the file cannot be read, or if the value of a flag is out of range.
func (f *Environment) Read(c *cobra.Command) (gate.Environment, error) {
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
