// Package report has the commands simulate report, simulate report diff and simulate report merge.
package report

import (
	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/completion"
)

// New returns the command simulate report, with the commands diff and merge below it.
func New() *cobra.Command {
	f := &reportFlags{}
	c := &cobra.Command{
		Use:   "report [flags] RESULT…",
		Short: "Show what saved results say",
		Long: `Show what saved results say.

A RESULT is what simulate run -o json has written, a result on each line, or a file of simulate search --resume; - is
standard input. A single run is shown in full, without a timeline, for which its events are missing; several as a table. The
worst failures of a search are shrunk again. --html writes the page of a search.

Exit codes: 0 it is shown, whatever it says, 2 bad input, 3 the harness itself failed.`,
		Example: `  simulate report results.jsonl
  simulate report results.jsonl --html search.html
  simulate run --all -o json | simulate report - -o markdown`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completion.Results,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c, args); err != nil {
				return err
			}
			return f.run(c, args)
		},
	}
	forms.Register(c, &f.output)
	c.Flags().StringVar(&f.html, "html", "", "write the page of a search to `FILE`")
	c.Flags().BoolVar(&f.force, "force", false, "--html replaces a file that exists")
	cliflag.Width(c, &f.width)
	c.AddCommand(newDiff(), newMerge())
	return c
}
