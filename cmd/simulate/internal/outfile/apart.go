package outfile

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
)

// Apart returns an error, with the exit code for bad input, if one of the flags outs names a file that one of args or another flag
// of the command names, too: writing the file would overwrite what is read, or written, there. Of the other flags those count that
// are set and whose value is a FILE, by their usage.
func Apart(c *cobra.Command, args []string, outs ...string) (err error) {
	for _, out := range outs {
		path := c.Flags().Lookup(out).Value.String()
		for _, arg := range args {
			if input.Same(arg, path) {
				return exit.Usage(c.CommandPath(), "--%s %s would overwrite a file that is read", out, path)
			}
		}
		c.Flags().Visit(func(other *pflag.Flag) {
			if kind, _ := pflag.UnquoteUsage(other); err != nil || other.Name == out || !strings.HasPrefix(kind, "FILE") {
				return
			}
			for _, name := range valuesOf(other) {
				if input.Same(name, path) {
					err = exit.Usage(c.CommandPath(), "--%s and --%s name the same file", out, other.Name)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// valuesOf returns the values of a flag, of which it has one or several.
func valuesOf(f *pflag.Flag) []string {
	if several, ok := f.Value.(pflag.SliceValue); ok {
		return several.GetSlice()
	}
	return []string{f.Value.String()}
}
