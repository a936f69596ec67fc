// Package suggest finds the commands or flags that may have been meant by a mistyped one.
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

// suggestionDistance is the highest edit distance to a name that is suggested.
const suggestionDistance = 2

// nearest returns those of names that were perhaps meant by what was typed: those that cobra would suggest for a command, and
// those that differ only by words and a dash at the beginning.
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

// didYouMean returns the end of an error message that suggests the names; "" if there are no names.
func didYouMean(near []string) string {
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + phrase.Or(near) + "?"
}

// KnownCommand returns nil if there are no arguments, otherwise an error: the first argument names no command below c. The error
// suggests commands that were perhaps meant.
func KnownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return exit.Usage(c.CommandPath(), "unknown command %q%s", args[0], didYouMean(nearest(args[0], commandNames(c))))
}

// commandNames returns the names of the commands directly below a command, without those that its help does not show.
func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// UnknownFlag returns the error for a flag that does not exist, with suggestions. Several letters after a single dash count as
// one name, since hardly any flags have one letter. A single letter gets no suggestions. If the command itself is mistyped, the
// error is about the command.
func UnknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	if !c.HasParent() {
		if wrong := KnownCommand(c, c.Flags().Args()); wrong != nil {
			return wrong
		}
	}
	typed, text := err.GetSpecifiedName(), err.Error()
	if group, _, _ := strings.Cut(err.GetSpecifiedShortnames(), "="); len(group) > 1 {
		typed, text = group, "unknown flag: -"+group
	} else if group != "" {
		return exit.Usage(c.CommandPath(), "%s", text)
	}
	return unknown(c, typed, text)
}

// Unknown returns the error for a flag of that name, without dashes, that does not exist, with suggestions.
func Unknown(c *cobra.Command, name string) error { return unknown(c, name, "unknown flag: --"+name) }

// unknown returns an error with that text, and with suggestions for the flag that was typed.
func unknown(c *cobra.Command, typed, text string) error {
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

// OrCommand returns the message for an argument that cannot be opened because of err. If no such file exists, the message
// suggests commands below c that were perhaps meant.
func OrCommand(c *cobra.Command, arg string, err error) string {
	var near []string
	if errors.Is(err, fs.ErrNotExist) {
		for _, name := range nearest(arg, commandNames(c)) {
			near = append(near, c.CommandPath()+" "+name)
		}
	}
	return err.Error() + didYouMean(near)
}
