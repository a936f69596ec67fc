// Package run has the commands simulate run and simulate list.
package run

import (
	"fmt"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/scenarios"
)

// New returns the command simulate run.
func New() *cobra.Command {
	f := runFlags{files: eventFlags(), simulate: scenarios.Run}
	c := &cobra.Command{
		Use:   "run [flags] FILE or NAME…",
		Short: "Run scenarios and judge them",
		Long: `Run scenarios and judge them: did two ever lead at once?

An argument is a scenario file if it has a path separator, ends in .yaml, .yml or .json, or exists as a file;
otherwise it is the name of a scenario that ships (see simulate list), or a pattern such as 'migrate-*' for all
that match. - is standard input.

One scenario is shown with its verdicts, how an overlap came about, terms and a timeline; several as a table, with
the timeline of the longest split brain. -o json writes one object a line, -o junit a test case for each scenario
and property, -o markdown what fits a job's summary or a comment on a pull request. Each run that is not as
expected prints, last, the command that reproduces it. On a terminal the timeline is as wide as that, and coloured
unless NO_COLOR is set.

Ctrl-C prints what has run by then. With a file of events it ends the command, and leaves no file.

Exit codes: 0 all as expected, 1 one is not, 2 bad input (nothing has run), 3 it was interrupted and all that had run
was as expected, or the harness itself failed.`,
		Example: `  simulate run healthy-failover
  simulate run my-scenario.yaml --seed 7
  simulate run 'migrate-*'
  simulate run --all
  simulate run my-scenario.yaml -o json --brief
  simulate run my-scenario.yaml --trace trace.jsonl
  simulate run h01-late-ack --html late-ack.html
  simulate run h01-late-ack --perfetto late-ack.json
  simulate run h01-late-ack --profile strict --against client-go`,
		ValidArgsFunction: completion.Scenarios(0, completion.Any, completion.YAML...),
		RunE: func(c *cobra.Command, args []string) error {
			f.seeded = c.Flags().Changed("seed")
			f.color = terminal.Of(c.OutOrStdout()).Color && f.output == cliflag.Text
			if err := f.check(c, args); err != nil {
				return err
			}
			jobs, err := f.jobs(c.InOrStdin(), args)
			if err != nil {
				return err
			}
			for _, unfit := range f.leftOut {
				fmt.Fprintf(c.ErrOrStderr(), "simulate: left out: %v\n", unfit)
			}
			if f.against != "" {
				return f.compare(c, &jobs[0])
			}
			return f.run(c, jobs)
		},
	}
	c.Flags().BoolVar(&f.all, "all", false, "run every scenario that ships")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed `N` in place of the scenario's; 0 is a seed like any other")
	forms.Register(c, &f.output)
	c.Flags().BoolVar(&f.noShortcut, "no-shortcut", false, "simulate each request step by step; the result is the same, and takes longer")
	c.Flags().BoolVar(&f.brief, "brief", false, "leave out terms and writes, and the timeline")
	for i := range f.files {
		one := &f.files[i]
		c.Flags().StringVar(&one.path, one.name, "", one.about+"; one scenario only")
	}
	c.Flags().BoolVar(&f.force, "force", false, fileNames(f.files)+" replace a file that exists")
	c.Flags().StringVar(&f.profile, "profile", "", "all candidates have the profile `NAME`, and all properties are expected to hold")
	c.Flags().StringVar(&f.against, "against", "", "show the run beside one in which all have the profile `NAME`")
	cliflag.Width(c, &f.width)
	return c
}
