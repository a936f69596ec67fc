package gate

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/target"
	"interregnum/internal/gate"
)

// listFlags are the flags of baselines, and --max-overlap.
type listFlags struct {
	baseline, writeBaseline string
	maxOverlap              cliflag.Once
}

// register adds the flags to the command.
func (f *listFlags) register(c *cobra.Command) {
	flags := c.Flags()
	f.maxOverlap = cliflag.Once{Text: "0s", Kind: "DURATION", Check: cliflag.AtLeast(0)}
	flags.Var(&f.maxOverlap, "max-overlap", "two leaders may work at once for so long")
	flags.StringVar(&f.baseline, "baseline", "", "`FILE` with findings that are accepted; new ones, and worse ones, count")
	flags.StringVar(&f.writeBaseline, "write-baseline", "", "write the findings of this run into `FILE`; they are accepted")
	cliflag.Group(flags, target.ManyTargets, "max-overlap", "baseline", "write-baseline")
}

// accept marks findings in r as accepted: overlaps up to --max-overlap, and those in the file of --baseline. With
// --write-baseline it writes all findings to a file and accepts them too; if force is true, it replaces a file that exists. It
// returns an error if a file cannot be read or written, or if the file to write is one that is judged.
func (f *listFlags) accept(c *cobra.Command, r *gate.Report, force bool) error {
	r.Tolerate(f.maxOverlap.Duration())
	if f.baseline != "" {
		b, err := gate.ReadBaseline(f.baseline, c.InOrStdin())
		if err != nil {
			return target.BadFile(err)
		}
		r.Accept(b)
	}
	if f.writeBaseline == "" {
		return nil
	}
	if slices.ContainsFunc(r.Files(), func(path string) bool { return input.Same(path, f.writeBaseline) }) {
		return exit.With(exit.BadInput, fmt.Errorf("--write-baseline %s: want a file that is not judged", f.writeBaseline))
	}
	if err := outfile.Write("--write-baseline", f.writeBaseline, force, r.WriteBaseline); err != nil {
		return err
	}
	r.Accept(r.Baseline(f.writeBaseline))
	return nil
}
