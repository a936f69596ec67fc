package report

import (
	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
)

// reportFlags are the flags of simulate report.
type reportFlags struct {
	output, html      string
	force             bool
	width, tableWidth int
	// form is the one that output names.
	form form
}

// check returns an error if flags and arguments contradict each other or have no meaning together. It sets the widths and f.form.
func (f *reportFlags) check(c *cobra.Command, args []string) error {
	command := c.CommandPath()
	switch {
	case len(args) == 0:
		return exit.Usage(command, "want files of results, or diff or merge")
	case f.html != "" && len(args) > 1:
		return exit.Usage(command, "--html shows one search: want exactly one file of results")
	case f.html != "" && input.Same(args[0], f.html):
		return exit.Usage(command, "--html %s would overwrite the results", f.html)
	}
	var err error
	if f.width, f.tableWidth, err = cliflag.ChosenWidth(c, f.width); err != nil {
		return err
	}
	f.form, err = forms.Chosen(c, f.output)
	return err
}
