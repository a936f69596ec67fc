package cliflag

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/cmd/simulate/internal/exit"
)

// RefuseEmpty refuses flags that are given with an empty text, as --overrides "$FILE" is where the variable is not set. They would
// count as flags that are not given.
func RefuseEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if err != nil || f.Value.String() != "" {
			return
		}
		what, _ := pflag.UnquoteUsage(f)
		if what == f.Value.Type() {
			what = "a value"
		}
		err = exit.Usage(c.CommandPath(), "--%s: want %s, got nothing", f.Name, what)
	})
	return err
}
