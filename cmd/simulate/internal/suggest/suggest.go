// Package suggest tells who has mistyped a command or a flag which one was perhaps meant.
package suggest

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/phrase"
)

// suggestionDistance is how many letters may be wrong in what is still taken for a flag or a command.
const suggestionDistance = 2

// nearest are those of the names that somebody who typed another may have meant: as cobra suggests commands, and those that
// what was typed ends with, or the other way round.
func nearest(typed string, names []string) (near []string) {
	c := &cobra.Command{SuggestionsMinimumDistance: suggestionDistance}
	for _, name := range names {
		if strings.HasSuffix(typed, "-"+name) || strings.HasSuffix(name, "-"+typed) {
			near = append(near, name)
			continue
		}
		c.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	return append(near, c.SuggestionsFor(typed)...)
}

// didYouMean is the end of an error message that suggests the names, "" for none.
func didYouMean(near []string) string {
	switch len(near) {
	case 0:
		return ""
	case 1:
		return "; did you mean " + near[0] + "?"
	}
	return "; did you mean " + phrase.Or(near) + "?"
}

// KnownCommand refuses arguments that are left over once no command has matched, and suggests commands.
func KnownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return exit.Usage(c.CommandPath(), "unknown command %q%s", args[0], didYouMean(nearest(args[0], commandNames(c))))
}

// commandNames are those of the commands that are one step below a command.
func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// UnknownFlag is the error of a flag that does not exist, with suggestions. Several letters after a single dash are
// taken for one name: there are too few flags of one letter for a group of them.
func UnknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	typed, text := err.GetSpecifiedName(), err.Error()
	if group, _, _ := strings.Cut(err.GetSpecifiedShortnames(), "="); len(group) > 1 {
		typed, text = group, "unknown flag: -"+group
	} else if group != "" {
		return exit.Usage(c.CommandPath(), "%s", text)
	}
	var names []string
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	near := nearest(typed, names)
	for i, name := range near {
		near[i] = "--" + name
	}
	return exit.Usage(c.CommandPath(), "%s%s", text, didYouMean(near))
}

// OrCommand adds to the error of an argument that cannot be opened which command below c was perhaps meant.
func OrCommand(c *cobra.Command, arg string, err error) string {
	var near []string
	if errors.Is(err, fs.ErrNotExist) {
		for _, name := range nearest(arg, commandNames(c)) {
			near = append(near, c.CommandPath()+" "+name)
		}
	}
	return err.Error() + didYouMean(near)
}
