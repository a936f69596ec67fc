package main

import (
	"github.com/spf13/cobra"

	"interregnum/reports"
	"interregnum/scenarios"
)

// runFlags are the flags of simulate run.
type runFlags struct {
	all    bool
	brief  bool
	output string
	trace  string
	width  int
	seed   uint64
	// seeded tells that a seed was given: 0 is one too.
	seeded bool
	// simulate runs a scenario.
	simulate func(*scenarios.Scenario, scenarios.Options) (*scenarios.Result, error)
}

// maxWidth is where a picture no longer helps anybody.
const maxWidth = 1000

func newRun() *cobra.Command {
	f := runFlags{simulate: scenarios.Run}
	c := &cobra.Command{
		Use:   "run [flags] FILE or NAME…",
		Short: "Run scenarios and judge them",
		Long: `Run scenarios and judge them: did two ever lead at once?

An argument is a scenario file if it has a path separator, ends in .yaml, .yml or .json, or exists as a file;
otherwise it is the name of a scenario that ships (see simulate list). - is standard input.

One scenario is shown with its verdicts, terms and a timeline; several as a table, with the timeline of the
longest split brain. Each run that is not as expected prints, last, the command that reproduces it.

Exit codes: 0 all as expected, 1 one is not, 2 bad input (nothing has run), 3 the harness itself failed.`,
		Example: `  simulate run healthy-failover
  simulate run my-scenario.yaml --seed 7
  simulate run --all
  simulate run my-scenario.yaml -o json --brief
  simulate run my-scenario.yaml --trace trace.jsonl`,
		RunE: func(c *cobra.Command, args []string) error {
			f.seeded = c.Flags().Changed("seed")
			if err := f.check(c, args); err != nil {
				return err
			}
			jobs, err := f.jobs(c.InOrStdin(), args)
			if err != nil {
				return err
			}
			return f.run(c, jobs)
		},
	}
	c.Flags().BoolVar(&f.all, "all", false, "run every scenario that ships")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed `N` in place of the scenario's; 0 is a seed like any other")
	outputFlag(c, &f.output)
	c.Flags().BoolVar(&f.brief, "brief", false, "leave out terms and writes, and the timeline")
	c.Flags().StringVar(&f.trace, "trace", "", "write all events to `FILE`, as JSON lines; one scenario only")
	c.Flags().IntVar(&f.width, "width", reports.DefaultWidth, "text is `N` columns wide")
	return c
}

// check refuses what makes no sense whatever the files say.
func (f *runFlags) check(c *cobra.Command, args []string) error {
	command := c.CommandPath()
	switch {
	case len(args) == 0 && !f.all:
		return usageError(command, "no scenario given: want files, names or --all")
	case len(args) > 0 && f.all:
		return usageError(command, "--all runs every scenario that ships: want no %q beside it", args[0])
	case f.trace != "" && (f.all || len(args) != 1):
		return usageError(command, "--trace writes the events of one run: want exactly one scenario")
	case c.Flags().Changed("trace") && f.trace == "":
		return usageError(command, "--trace: want the name of a file")
	case f.width < reports.MinWidth || f.width > maxWidth:
		return usageError(command, "--width %d: want %d to %d", f.width, reports.MinWidth, maxWidth)
	}
	return checkOutput(c, f.output)
}
