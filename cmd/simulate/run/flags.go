package run

import (
	"slices"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/side"
	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/scenarios"
)

// runFlags are the flags of simulate run.
type runFlags struct {
	all   bool
	brief bool
	// noShortcut is NoShortcut of scenarios.Options.
	noShortcut bool
	output     string
	// form is the form that output names. beside writes a comparison of two runs in that form.
	form   form
	beside side.Writer
	// files are the flags that name a file for the events of a run.
	files []eventFlag
	// profile and against name profiles that replace those of the scenario, "" for none.
	profile, against string
	// leftOut says, for each scenario that matches a pattern and cannot have the profile, why it cannot.
	leftOut []error
	// force tells that the files of the flags may replace files that exist.
	force             bool
	width, tableWidth int
	// color tells that timelines have colours.
	color bool
	seed  uint64
	// seeded tells that a seed was given, which can be 0.
	seeded bool
	// simulate runs a scenario.
	simulate func(*scenarios.Scenario, scenarios.Options) (*scenarios.Result, error)
}

// check returns an error if flags and arguments contradict each other. It reads no files. It sets the widths, f.form and, with
// --against, f.beside.
func (f *runFlags) check(c *cobra.Command, args []string) error {
	command := c.CommandPath()
	switch {
	case len(args) == 0 && !f.all:
		return exit.Usage(command, "no scenario given: want files, names or --all")
	case len(args) > 0 && f.all:
		return exit.Usage(command, "--all runs every scenario that ships: want no %q beside it", args[0])
	}
	err := f.checkFiles(c, args)
	if err != nil {
		return err
	}
	if f.width, f.tableWidth, err = cliflag.ChosenWidth(c, f.width); err != nil {
		return err
	}
	if err := f.checkProfiles(c, args); err != nil {
		return err
	}
	f.form, err = forms.Chosen(c, f.output)
	return err
}

// checkFiles returns an error if a file of events is given for several runs, or one file for two flags.
func (f *runFlags) checkFiles(c *cobra.Command, args []string) error {
	for i, one := range f.files {
		switch {
		case one.path == "":
			continue
		case f.all || len(args) != 1:
			return exit.Usage(c.CommandPath(), "--%s is of one run: want exactly one scenario", one.name)
		}
		for _, before := range f.files[:i] {
			if input.Same(before.path, one.path) {
				return exit.Usage(c.CommandPath(), "--%s and --%s name the same file", before.name, one.name)
			}
		}
	}
	return nil
}

// checkProfiles returns an error for an unknown profile, and for --against with several scenarios or with a file of events. With
// --against it sets f.beside.
func (f *runFlags) checkProfiles(c *cobra.Command, args []string) error {
	for _, flag := range []struct{ name, value string }{{"profile", f.profile}, {"against", f.against}} {
		if _, known := machine.ProfileNamed(flag.value); !known && c.Flags().Changed(flag.name) {
			return exit.Usage(c.CommandPath(), "--%s %q: want one of %s", flag.name, flag.value, phrase.List(machine.ProfileNames(), flag.value))
		}
	}
	switch {
	case f.against == "":
		return nil
	case f.all || len(args) != 1:
		return exit.Usage(c.CommandPath(), "--against compares two runs of one scenario: want exactly one")
	case slices.ContainsFunc(f.files, func(one eventFlag) bool { return one.path != "" }):
		return exit.Usage(c.CommandPath(), "--against shows two runs: %s are of one", fileNames(f.files))
	}
	var err error
	f.beside, err = side.Forms.Chosen(c, f.output)
	return err
}
