package cliflag

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/internal/phrase"
)

// Given returns the command line, without arguments, with the flags that were given. instead maps names of flags to values. Such
// a value takes the place of the flag's, or adds the flag; "" leaves the flag out.
func Given(c *cobra.Command, instead map[string]string) string {
	var b strings.Builder
	b.WriteString(c.CommandPath())
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		value, changed := instead[flag.Name]
		if !changed && flag.Changed {
			value = flag.Value.String()
		}
		switch {
		case value == "" && (changed || !flag.Changed):
		case flag.Value.Type() == "bool" && value == "true":
			b.WriteString(" --" + flag.Name)
		default:
			b.WriteString(" --" + flag.Name + "=" + phrase.ShellWord(value))
		}
	})
	return b.String()
}
