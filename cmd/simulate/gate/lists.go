package gate

import (
	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/gate"
)

// manyTargets is the title of the flags about many targets in the help.
const manyTargets = "Many targets, and CI"

// listFlags are the flags that name files about targets (overrides, baselines), and --max-overlap.
type listFlags struct {
	overrides, baseline, writeBaseline string
	maxOverlap                         cliflag.Once
}

// register adds the flags to the command.
func (f *listFlags) register(c *cobra.Command) {
	flags := c.Flags()
	f.maxOverlap = cliflag.Once{Text: "0s", Kind: "DURATION", Check: cliflag.AtLeast(0)}
	flags.StringVar(&f.overrides, "overrides", "", "`FILE` with what counts for single targets: environment, requestTimeout, "+
		"drain, releaseOnCancel, by name")
	flags.Var(&f.maxOverlap, "max-overlap", "two leaders may work at once for so long")
	flags.StringVar(&f.baseline, "baseline", "", "`FILE` with findings that are let be; new ones, and worse ones, count")
	flags.StringVar(&f.writeBaseline, "write-baseline", "", "write the findings of this run into `FILE`; they are let be")
	cliflag.Group(flags, manyTargets, "overrides", "max-overlap", "baseline", "write-baseline")
}

// check refuses --overrides, --baseline and --write-baseline if they name no file, or if no files are judged.
func (f *listFlags) check(c *cobra.Command, args []string) error {
	command := c.CommandPath()
	for _, list := range [][2]string{
		{"overrides", f.overrides}, {"baseline", f.baseline}, {"write-baseline", f.writeBaseline},
	} {
		switch {
		case !c.Flags().Changed(list[0]):
		case list[1] == "":
			return exit.Usage(command, "--%s: want the name of a file", list[0])
		case len(args) == 0:
			return exit.Usage(command, "--%s is about files: want one", list[0])
		}
	}
	return nil
}

// readOverrides reads the file of --overrides; nil if the flag is not given.
func (f *listFlags) readOverrides(c *cobra.Command) (*gate.Overrides, error) {
	if f.overrides == "" {
		return nil, nil
	}
	o, err := gate.ReadOverrides(f.overrides, c.InOrStdin())
	if err != nil {
		return nil, badFile(err)
	}
	return o, nil
}

// accept marks findings in r as accepted: overlaps up to --max-overlap, and those in the file of --baseline. With
// --write-baseline it writes all findings to a file and accepts them too. If force is true, that file may exist already.
func (f *listFlags) accept(c *cobra.Command, r *gate.Report, force bool) error {
	r.Tolerate(f.maxOverlap.Duration())
	if f.baseline != "" {
		b, err := gate.ReadBaseline(f.baseline, c.InOrStdin())
		if err != nil {
			return badFile(err)
		}
		r.Accept(b)
	}
	if f.writeBaseline == "" {
		return nil
	}
	if err := outfile.Write("--write-baseline", f.writeBaseline, force, r.WriteBaseline); err != nil {
		return err
	}
	r.Accept(r.Baseline(f.writeBaseline))
	return nil
}
