package report

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/side"
	"interregnum/reports"
)

// newDiff returns the command simulate report diff.
func newDiff() *cobra.Command {
	var output string
	var width int
	c := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Compare two runs, event by event",
		Long: `Compare two runs, event by event.

A and B are traces (simulate run --trace), scenario files, which are run, or names of scenarios that ship. The output has
the verdicts of both, the first event that differs with what comes before and after it, and both timelines on one
axis. Candidates with the same id are taken for the same.

Exit codes: 0 the same events, 1 they differ, 2 bad input, 3 the harness itself failed.`,
		Example: `  simulate report diff before.jsonl after.jsonl
  simulate report diff h02-retry-on-top my-scenario.yaml`,
		ValidArgsFunction: completion.Scenarios(2, completion.Any, append(completion.YAML, "jsonl")...),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return exit.Usage(c.CommandPath(), "want two runs to compare, got %d", len(args))
			}
			write, err := side.Forms.Chosen(c, output)
			if err != nil {
				return err
			}
			width, _, err := cliflag.ChosenWidth(c, width)
			if err != nil {
				return err
			}
			a, b, err := bothSides(c, args)
			if err != nil {
				return err
			}
			if err := write(c.OutOrStdout(), a, b, width); err != nil {
				return err
			}
			if reports.Compare(a, b) != nil {
				return &exit.Error{Code: exit.NotAsExpected}
			}
			return nil
		},
	}
	side.Forms.Register(c, &output)
	cliflag.Width(c, &width)
	return c
}

// bothSides returns the runs that the two arguments name, read from traces or run. If both arguments are bad input, the error is
// about both. If a run fails, the error is about that run alone.
func bothSides(c *cobra.Command, args []string) (a, b *reports.Side, err error) {
	a, errA := side.Read(c.InOrStdin(), args[0])
	b, errB := side.Read(c.InOrStdin(), args[1])
	var failed *exit.Error
	switch err := errors.Join(errA, errB); {
	case errors.As(err, &failed):
		return nil, nil, failed
	case err != nil:
		return nil, nil, &exit.Error{Code: exit.BadInput, Text: strings.TrimSpace(err.Error())}
	}
	return a, b, nil
}
