// Package cliflag has the flags that several commands of simulate share.
package cliflag

import (
	"slices"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/phrase"
)

// The forms of output that several commands have.
const (
	Text     = "text"
	JSON     = "json"
	JUnit    = "junit"
	Markdown = "markdown"
)

// Form is a form of output: its name, and what writes it.
type Form[W any] struct {
	Name  string
	Write W
}

// Forms are the forms of output of a command, in the order in which its help names them. No form is offered that is not
// written: help, completion, the error for another name, and the choice of what writes all come from this one list.
type Forms[W any] []Form[W]

// Register adds the flag --output.
func (f Forms[W]) Register(c *cobra.Command, output *string) {
	c.Flags().StringVarP(output, "output", "o", Text, "`FORM` of the results: "+phrase.Or(f.names()))
	completion.Words(c, "output", f.names())
}

// Chosen returns what writes the form that --output names. It refuses a name that is none of these.
func (f Forms[W]) Chosen(c *cobra.Command, output string) (write W, err error) {
	i := slices.IndexFunc(f, func(one Form[W]) bool { return one.Name == output })
	if i < 0 {
		return write, exit.Usage(c.CommandPath(), "--output %q: want %s", output, phrase.Or(f.names()))
	}
	return f[i].Write, nil
}

func (f Forms[W]) names() (names []string) {
	for _, one := range f {
		names = append(names, one.Name)
	}
	return names
}
