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

// Form is a form of output: its name, and the function that writes it.
type Form[W any] struct {
	Name  string
	Write W
}

// Forms are the forms of output of a command, in the order of its help. Help, completion, the error for an unknown form and
// the choice of the writer all come from this list, so that they cannot differ.
type Forms[W any] []Form[W]

// Register adds the flag --output to the command. The flag stores its value in output.
func (f Forms[W]) Register(c *cobra.Command, output *string) {
	c.Flags().StringVarP(output, "output", "o", Text, "`FORM` of the results: "+phrase.Or(f.names()))
	completion.Words(c, "output", f.names())
}

// Chosen returns the writer of the form called output, which is the value of --output. It returns an error for an unknown name.
func (f Forms[W]) Chosen(c *cobra.Command, output string) (write W, err error) {
	i := slices.IndexFunc(f, func(one Form[W]) bool { return one.Name == output })
	if i < 0 {
		return write, exit.Usage(c.CommandPath(), "--output %q: want %s%s", output, phrase.Or(f.names()), phrase.DidYouMean(output, f.names()))
	}
	return f[i].Write, nil
}

// names returns the names of the forms, in order.
func (f Forms[W]) names() (names []string) {
	for _, one := range f {
		names = append(names, one.Name)
	}
	return names
}
