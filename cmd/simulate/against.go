package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/elector/machine"
	"interregnum/scenarios"
)

// checkProfiles refuses profiles that there are not, and comparisons of more than one scenario.
func (f *runFlags) checkProfiles(c *cobra.Command, args []string) error {
	for _, flag := range []struct{ name, value string }{{"profile", f.profile}, {"against", f.against}} {
		if _, known := machine.ProfileNamed(flag.value); !known && c.Flags().Changed(flag.name) {
			return usageError(c.CommandPath(), "--%s %q: want one of %s", flag.name, flag.value,
				strings.Join(machine.ProfileNames(), ", "))
		}
	}
	switch {
	case f.against == "":
		return nil
	case f.all || len(args) != 1:
		return usageError(c.CommandPath(), "--against compares two runs of one scenario: want exactly one")
	case f.trace != "" || f.perfetto != "" || f.html != "":
		return usageError(c.CommandPath(), "--against shows two runs: --trace, --perfetto and --html are of one")
	}
	return checkOutput(c, f.output, plainForms)
}

// withProfile gives all candidates a profile. What the scenario expects is of its own profiles: where that changes one
// of them, everything is expected to hold. A coordinated candidate, for one, cannot have every profile.
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

// compare shows a run beside one with another profile. It is the first that is judged.
func (f *runFlags) compare(c *cobra.Command, j *job) error {
	other := *j.scenario
	other.Candidates = append([]scenarios.Candidate{}, other.Candidates...)
	if err := withProfile(&other, f.against); err != nil {
		return &exitError{code: badInput, text: fmt.Sprintf("%s cannot have --against %s: %v", j.arg, f.against, err)}
	}
	name := f.profile
	if name == "" {
		name = "as it is"
	}
	a, err := runSide(strings.Join([]string{j.arg, name}, ", "), j.scenario)
	if err != nil {
		return err
	}
	b, err := runSide(strings.Join([]string{j.arg, f.against}, ", "), &other)
	if err != nil {
		return err
	}
	if err := writeDiff(c, a, b, f.output, f.width); err != nil {
		return err
	}
	if !a.Result.AsExpected {
		return &exitError{code: notAsExpected}
	}
	return nil
}
