// Package explore has the command simulate explore.
package explore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/elector/machine"
	"interregnum/internal/explore"
	"interregnum/internal/phrase"
)

// exploreFlags are the flags of simulate explore.
type exploreFlags struct {
	config          explore.Config
	profile, output string
}

// New returns the command simulate explore.
func New() *cobra.Command {
	f := &exploreFlags{}
	c := &cobra.Command{
		Use:   "explore [flags]",
		Short: "Try every schedule within small bounds",
		Long: `Try every schedule within small bounds: a few candidates, whole steps of time, at most so many faults, however long
it goes on. Either no two candidates' work runs at once in any of them, or a violation with the fewest faults is printed
as a scenario file. A fault is a request that is slow, refused or lost, with all that is lost until one gets through, or
a candidate that is cancelled. docs/search.md says what is covered.

It takes the longer, the more candidates there are and the more steps the timings and the round trip: begin small.

Exit codes: 0 none of the schedules violates, 1 one does, 2 bad input, 3 not all were tried (--max-states, Ctrl-C), or the harness itself failed.`,
		Example: `  simulate explore --lease-duration 4s --renew-deadline 3s --retry-period 2s --faults 1
  simulate explore --profile strict --request-timeout 2s --faults 2
  simulate explore --max-round-trip 2s -o json`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return exit.Usage(c.CommandPath(), "unexpected %q: explore takes flags only", args[0])
			}
			return f.run(c)
		},
	}
	f.register(c)
	return c
}

// register adds the flags to the command.
func (f *exploreFlags) register(c *cobra.Command) {
	flags, x := c.Flags(), &f.config
	flags.SortFlags = false
	flags.DurationVar(&x.LeaseDuration, "lease-duration", 5*time.Second, "timings of all candidates: how long others wait")
	flags.DurationVar(&x.RenewDeadline, "renew-deadline", 3*time.Second, "how long a leader tries to renew")
	flags.DurationVar(&x.RetryPeriod, "retry-period", time.Second, "how long a candidate waits between attempts")
	flags.StringVar(&f.profile, "profile", machine.ClientGo.Name, "variant of the algorithm: "+strings.Join(explore.ProfileNames(), ", "))
	flags.BoolVar(&x.ReleaseOnCancel, "release-on-cancel", false, "candidates give the lock up when they stop")
	flags.DurationVar(&x.RequestTimeout, "request-timeout", 0, "how long a client waits for an answer; 0s is for ever")
	flags.DurationVar(&x.MaxRoundTrip, "max-round-trip", 0, "longest round trip of a request that is answered")
	flags.IntVar(&x.Candidates, "candidates", 2, "`N` candidates")
	flags.BoolVar(&x.Rerun, "reruns", false, "a candidate whose Run has returned runs the same elector again, a step later")
	flags.IntVar(&x.Faults, "faults", 2, "at most `K` faults")
	flags.IntVar(&x.Waits, "waits", 0, "try the `N` shortest of the jittered waits; 0 is all")
	flags.DurationVar(&x.Grid, "grid", time.Second, "step of time")
	flags.DurationVar(&x.Exceeds, "exceeds", 0, "look for work at once that lasts longer than that")
	flags.BoolVar(&x.Bystanders, "bystanders", false, "look at candidates only that no fault was on")
	flags.IntVar(&x.MaxStates, "max-states", 5_000_000, "give up after `N` states; 0 is no limit")
	flags.BoolVar(&x.Unreduced, "unreduced", false, "leave nothing out that comes to the same")
	forms.Register(c, &f.output)
}

// run checks the flags, tries the schedules, and prints the outcome. It returns nil if no schedule violates and all were tried;
// otherwise an error with the exit code.
func (f *exploreFlags) run(c *cobra.Command) error {
	write, err := forms.Chosen(c, f.output)
	if err != nil {
		return err
	}
	profile, ok := machine.ProfileNamed(f.profile)
	if !ok {
		return exit.Usage(c.CommandPath(), "--profile %q: want %s%s", f.profile, phrase.Or(explore.ProfileNames()),
			phrase.DidYouMean(f.profile, explore.ProfileNames()))
	}
	f.config.Profile = profile
	if err := f.config.Validate(); err != nil {
		return exit.Usage(c.CommandPath(), "%v", err)
	}
	ctx, stop := terminal.Interruptible(context.Background())
	defer stop()
	f.config.Progress = progressOn(c.ErrOrStderr())
	result, err := explore.Run(ctx, &f.config)
	if err != nil {
		return exit.With(exit.HarnessFailed, err)
	}
	if err := write(c, &f.config, result); err != nil {
		return err
	}
	switch {
	case result.Found != nil:
		return &exit.Error{Code: exit.NotAsExpected}
	case result.Unshown > 0:
		return &exit.Error{Code: exit.HarnessFailed, Text: fmt.Sprintf(
			"%d schedules violate, but none of them came about in a scenario: nothing is proved", result.Unshown)}
	case !result.Complete && ctx.Err() != nil:
		return &exit.Error{Code: exit.HarnessFailed, Text: fmt.Sprintf("interrupted after %d states: not every schedule was tried, and "+
			"nothing is proved; to begin anew, since there is nothing to go on with:\n", result.States) + cliflag.Given(c, nil)}
	case !result.Complete:
		return &exit.Error{Code: exit.HarnessFailed, Text: "not every schedule was tried: nothing is proved"}
	}
	return nil
}
