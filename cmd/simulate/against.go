package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/side"
	"interregnum/elector/machine"
	"interregnum/scenarios"
)

// checkProfiles refuses profiles that there are not, and comparisons of more than one scenario.
func (f *runFlags) checkProfiles(c *cobra.Command, args []string) error {
	for _, flag := range []struct{ name, value string }{{"profile", f.profile}, {"against", f.against}} {
		if _, known := machine.ProfileNamed(flag.value); !known && c.Flags().Changed(flag.name) {
			return exit.Usage(c.CommandPath(), "--%s %q: want one of %s", flag.name, flag.value,
				strings.Join(machine.ProfileNames(), ", "))
		}
	}
	switch {
	case f.against == "":
		return nil
	case f.all || len(args) != 1:
		return exit.Usage(c.CommandPath(), "--against compares two runs of one scenario: want exactly one")
	case f.trace != "" || f.perfetto != "" || f.html != "":
		return exit.Usage(c.CommandPath(), "--against shows two runs: --trace, --perfetto and --html are of one")
	}
	return cliflag.CheckOutput(c, f.output, cliflag.PlainForms)
}

// withProfile gives all candidates the profile of that name. Where that changes one of them, all properties are
// expected to hold from then on, since the scenario's expectations are of its own profiles. It returns an error where a
// candidate cannot have the profile, as a coordinated one cannot have every one.
func withProfile(s *scenarios.Scenario, name string) error {
	p, _ := machine.ProfileNamed(name)
	for i := range s.Candidates {
		if s.Candidates[i].Profile != p {
			s.Candidates[i].Profile = p
			s.Expect = nil
		}
	}
	return s.Validate()
}

// compare runs the scenario of a job, and the same with the profile of --against, and prints the two runs side by side.
// The exit code depends on the first run alone.
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
	a, err := side.Run(strings.Join([]string{j.arg, name}, ", "), j.scenario)
	if err != nil {
		return err
	}
	b, err := side.Run(strings.Join([]string{j.arg, f.against}, ", "), &other)
	if err != nil {
		return err
	}
	if err := side.Write(c, a, b, f.output, f.width); err != nil {
		return err
	}
	if !a.Result.AsExpected {
		return &exit.Error{Code: exit.NotAsExpected}
	}
	return nil
}
