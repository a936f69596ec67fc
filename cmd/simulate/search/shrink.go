package search

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/internal/search"
	"interregnum/scenarios"
)

// NewShrink returns the command simulate shrink.
func NewShrink() *cobra.Command {
	property := ""
	c := &cobra.Command{
		Use:   "shrink [flags] FILE or NAME",
		Short: "Make a scenario that violates a property as small as it gets",
		Long: `Make a scenario that violates a property as small as it gets.

Elections, candidates and faults are left out, settings are set to their defaults and numbers rounded, as long as the same
property is violated. What is left is written to standard output as a scenario file that expects what it shows.
No single further step would keep the violation. What search makes small itself, it shows whole with --show; what
explore prints has the fewest faults, but more settings and digits than it needs.

Exit codes: 0 done, 2 bad input or nothing is violated, 3 the harness itself failed.`,
		Example: `  simulate shrink noisy.yaml > small.yaml
  simulate shrink h04-release-wipes-successor --property single-belief
  simulate search --lease-duration 15s --renew-deadline 10s --retry-period 2s --show 500 | simulate shrink -
  simulate explore --lease-duration 4s --renew-deadline 3s --retry-period 2s --faults 1 | simulate shrink -`,
		ValidArgsFunction: completion.Scenarios(1, violating, completion.YAML...),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return exit.Usage(c.CommandPath(), "want one scenario, got %d", len(args))
			}
			s, err := input.Scenario(c.InOrStdin(), args[0])
			if err != nil && args[0] == "-" {
				err = fmt.Errorf("%w; explore prints a scenario only where it has found a violation, and not with -o json", err)
			}
			if err != nil {
				return exit.With(exit.BadInput, err)
			}
			return shrink(c, s, property)
		},
	}
	c.Flags().StringVar(&property, "property", "",
		"keep a violation of `PROPERTY` (default: single-work, or else the first that is violated)")
	return c
}

// shrink prints a scenario that violates the property as s does, and that cannot be made smaller; how small it is goes to standard
// error. If property is "", it takes single-work if s violates that, otherwise the first property that s violates. It returns an
// error if s violates none, or not the one that is given.
func shrink(c *cobra.Command, s *scenarios.Scenario, property string) error {
	violated, err := search.Violated(s)
	if err != nil {
		return exit.With(exit.HarnessFailed, err)
	}
	switch {
	case len(violated) == 0:
		return &exit.Error{Code: exit.BadInput, Text: s.Name + ": no property is violated: there is nothing to shrink"}
	case property == "" && slices.Contains(violated, check.SingleWork):
		property = check.SingleWork
	case property == "":
		property = violated[0]
	case !slices.Contains(violated, property):
		problem, near := "it is not violated", ""
		if !slices.Contains(check.Names(), property) {
			problem, near = "unknown property", phrase.DidYouMean(property, violated)
		}
		return &exit.Error{Code: exit.BadInput, Text: fmt.Sprintf("--property %s: %s; want %s%s", property, problem, phrase.Or(violated), near)}
	}
	small, err := search.Shrink(s, property)
	if err != nil {
		return exit.With(exit.HarnessFailed, err)
	}
	fmt.Fprintf(c.ErrOrStderr(), "simulate: %s is violated by %d of %d candidates and %d of %d faults (%d runs)\n",
		property, len(small.Scenario.Candidates), len(s.Candidates), len(small.Scenario.Faults), len(s.Faults),
		small.Runs)
	return small.Scenario.WriteYAML(c.OutOrStdout())
}

// violating tells whether a scenario expects that at least one property is violated.
func violating(s *scenarios.Scenario) bool {
	for _, e := range s.Expect {
		if e == scenarios.ExpectViolated {
			return true
		}
	}
	return false
}
