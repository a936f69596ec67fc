package gate

import (
	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/target"
)

// gateFlags are the flags of simulate gate.
type gateFlags struct {
	target.Flags
	lists                   listFlags
	require, explain, force bool
	witness, output         string
	// write writes the form that output names.
	write writer
}

// register adds the flags to the command.
func (f *gateFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	f.Flags.Register(c)
	f.lists.register(c)
	flags.BoolVar(&f.require, "require", false, "a file or folder in which there is nothing to judge is bad input")
	flags.BoolVar(&f.explain, "explain", false, "the sum behind each verdict, and what would help, for many targets too")
	flags.StringVar(&f.witness, "witness", "", "write the scenario of each unsafe verdict into `DIR`, as NAME.yaml")
	flags.BoolVar(&f.force, "force", false, "--witness and --write-baseline replace files that exist")
	forms.Register(c, &f.output)
	cliflag.Group(flags, target.ManyTargets, "require", "explain", "witness", "force", "output")
	f.Lock.Register(c, "; for files that do not say")
	cliflag.Group(flags, cliflag.OtherLocks, "max-clock-offset")
}

// check returns an error if flags and arguments contradict each other, whatever the files say. It sets f.write.
func (f *gateFlags) check(c *cobra.Command, args []string) error {
	if err := f.Check(c, args, f.lists.baseline); err != nil {
		return err
	}
	if err := target.OfFiles(c, args, "require", "baseline", "write-baseline"); err != nil {
		return err
	}
	// A baseline may be written anew, since it is read before. Files that are judged are looked at later, since folders have more.
	if !input.Same(f.lists.baseline, f.lists.writeBaseline) {
		if err := outfile.Apart(c, nil, "write-baseline"); err != nil {
			return err
		}
	}
	var err error
	f.write, err = forms.Chosen(c, f.output)
	return err
}
