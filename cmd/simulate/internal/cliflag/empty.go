package cliflag

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/cmd/simulate/internal/exit"
)

// RefuseEmpty returns an error for the first flag that is given with an empty text, as by --overrides "$FILE" without the
// variable. Such a flag would otherwise count as not given.
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
