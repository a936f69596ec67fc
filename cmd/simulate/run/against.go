package run

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/side"
	"interregnum/scenarios"
)

// compare runs the scenario of a job twice, the second time with the profile of --against for all candidates, and prints a
// comparison. It returns an error if the first run is not as expected, whatever the second one is.
func (f *runFlags) compare(c *cobra.Command, j *job) error {
	other := *j.scenario
	other.Candidates = append([]scenarios.Candidate{}, other.Candidates...)
	if err := withProfile(&other, f.against); err != nil {
		return &exit.Error{Code: exit.BadInput, Text: fmt.Sprintf("%s cannot have --against %s: %v", j.arg, f.against, err)}
	}
	name := f.profile
	if name == "" {
		name = "as it is"
	}
	a, err := side.Run(strings.Join([]string{j.arg, name}, ", "), j.scenario, f.noShortcut)
	if err != nil {
		return err
	}
	b, err := side.Run(strings.Join([]string{j.arg, f.against}, ", "), &other, f.noShortcut)
	if err != nil {
		return err
	}
	if err := f.beside(c.OutOrStdout(), a, b, f.width); err != nil {
		return err
	}
	if !a.Result.AsExpected {
		return &exit.Error{Code: exit.NotAsExpected}
	}
	return nil
}
