package main

import (
	"errors"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/reports"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// reportFlags are the flags of simulate report.
type reportFlags struct {
	output, html      string
	force             bool
	width, tableWidth int
}

func newReport() *cobra.Command {
	f := &reportFlags{}
	c := &cobra.Command{
		Use:   "report [flags] RESULT…",
		Short: "Show what saved results say",
		Long: `Show what saved results say.

A RESULT is what simulate run -o json has written, a result on each line, or a file of simulate search --resume; - is
standard input. A single run is told in full, without a timeline, for which its events are missing; several as a table. Of a
search the worst failures are made small again. --html writes the page of a search.

Exit codes: 0 it is shown, whatever it says, 2 bad input, 3 the harness itself failed.`,
		Example: `  simulate report results.jsonl
  simulate report results.jsonl --html search.html
  simulate run --all -o json | simulate report - -o markdown`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeResults,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c, args); err != nil {
				return err
			}
			return f.run(c, args)
		},
	}
	outputFlag(c, &f.output, resultForms)
	c.Flags().StringVar(&f.html, "html", "", "write the page of a search to `FILE`")
	c.Flags().BoolVar(&f.force, "force", false, "--html replaces a file that exists")
	widthFlag(c, &f.width)
	c.AddCommand(newDiff(), newMerge())
	return c
}

func newDiff() *cobra.Command {
	var output string
	var width int
	c := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Compare two runs, event by event",
		Long: `Compare two runs, event by event.

A and B are traces (simulate run --trace), scenario files, which are run, or names of scenarios that ship. Shown are
the verdicts of both, the first event that differs with what comes before and after it, and both timelines on one
axis. Candidates are the same where they have the same id.

Exit codes: 0 the same events, 1 they differ, 2 bad input, 3 the harness itself failed.`,
		Example: `  simulate report diff before.jsonl after.jsonl
  simulate report diff h02-retry-on-top my-scenario.yaml`,
		ValidArgsFunction: completeScenarios(2, anyScenario, append(yamlFiles, "jsonl")...),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError(c.CommandPath(), "want two runs to compare, got %d", len(args))
			}
			if err := checkOutput(c, output, plainForms); err != nil {
				return err
			}
			width, _, err := chosenWidth(c, width)
			if err != nil {
				return err
			}
			a, b, err := bothSides(c, args)
			if err != nil {
				return err
			}
			if err := writeDiff(c, a, b, output, width); err != nil {
				return err
			}
			if reports.Compare(a, b) != nil {
				return &exitError{code: notAsExpected}
			}
			return nil
		},
	}
	outputFlag(c, &output, plainForms)
	widthFlag(c, &width)
	return c
}

// bothSides reads, or runs, what the two arguments name. Its error tells of both where both are bad.
func bothSides(c *cobra.Command, args []string) (a, b *reports.Side, err error) {
	a, errA := readSide(c.InOrStdin(), args[0])
	b, errB := readSide(c.InOrStdin(), args[1])
	var failed *exitError
	switch err := errors.Join(errA, errB); {
	case errors.As(err, &failed):
		return nil, nil, failed
	case err != nil:
		return nil, nil, &exitError{code: badInput, text: strings.TrimSpace(err.Error())}
	}
	return a, b, nil
}

// writeDiff prints the comparison of two runs, as text or JSON.
func writeDiff(c *cobra.Command, a, b *reports.Side, output string, width int) error {
	if output == outputJSON {
		return finding.DiffJSON(c.OutOrStdout(), a, b)
	}
	color := terminalOf(c.OutOrStdout()).color
	a.Timeline.Color, b.Timeline.Color = color, color
	return text.Diff(c.OutOrStdout(), a, b, width)
}

func widthFlag(c *cobra.Command, width *int) {
	c.Flags().IntVar(width, "width", reports.DefaultWidth, "text is `N` columns wide; on a terminal, as wide as that")
}

// chosenWidth is the width for text, and that for tables: the one of --width, else that of the terminal. Elsewhere
// tables have no limit, so that a row is one line: programs look for lines.
func chosenWidth(c *cobra.Command, width int) (text, tables int, err error) {
	switch out := terminalOf(c.OutOrStdout()); {
	case !c.Flags().Changed("width") && out.width == 0:
		return reports.DefaultWidth, math.MaxInt, nil
	case !c.Flags().Changed("width"):
		return out.columns(), out.columns(), nil
	case width < reports.MinWidth || width > maxWidth:
		return 0, 0, usageError(c.CommandPath(), "--width %d: want %d to %d", width, reports.MinWidth, maxWidth)
	}
	return width, width, nil
}
