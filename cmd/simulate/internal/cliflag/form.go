// Package cliflag has the flags that several commands of simulate share.
package cliflag

import (
	"slices"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/phrase"
)

// The forms of output.
const (
	Text     = "text"
	JSON     = "json"
	JUnit    = "junit"
	Markdown = "markdown"
)

// PlainForms are those of a command that has no more; ResultForms those of runs, and of saved results.
var (
	PlainForms  = []string{Text, JSON}
	ResultForms = []string{Text, JSON, JUnit, Markdown}
)

// Output adds the flag --output, for a command that has these forms of output.
func Output(c *cobra.Command, output *string, forms []string) {
	c.Flags().StringVarP(output, "output", "o", Text, "`FORM` of the results: "+phrase.Or(forms))
	completion.Words(c, "output", forms)
}

// CheckOutput refuses a form of output that is not one of these.
func CheckOutput(c *cobra.Command, output string, forms []string) error {
	if !slices.Contains(forms, output) {
		return exit.Usage(c.CommandPath(), "--output %q: want %s", output, phrase.Or(forms))
	}
	return nil
}
