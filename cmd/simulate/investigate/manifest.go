package investigate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
	"interregnum/reports"
)

// known sets the timings in f.options that no flag gives to those of the manifest, if there is one. It sets v.Timings to where the
// timings come from; "" if neither flags nor a manifest give them. It returns an error if the manifest cannot be read, or has no
// timings or several.
func (f *flags) known(c *cobra.Command, v *reports.Investigation) error {
	timings := map[string]*time.Duration{"lease-duration": &f.options.LeaseDuration, "renew-deadline": &f.options.RenewDeadline, "retry-period": &f.options.RetryPeriod}
	for flag := range timings {
		if c.Flags().Changed(flag) {
			v.Timings = "as flags say"
		}
	}
	if !c.Flags().Changed("manifest") {
		return nil
	}
	in := files.Load(files.Place{Path: f.manifest}, c.InOrStdin()).Read()
	if len(in.Problems) > 0 {
		return exit.With(exit.BadInput, fmt.Errorf("--manifest: %w", in.Problems[0]))
	}
	t, err := f.target(in.Targets)
	if err != nil {
		return exit.With(exit.BadInput, err)
	}
	for flag, d := range map[string]time.Duration{"lease-duration": t.LeaseDuration, "renew-deadline": t.RenewDeadline, "retry-period": t.RetryPeriod} {
		if !c.Flags().Changed(flag) {
			*timings[flag] = d
		}
	}
	from := "as " + t.Position.String() + " has it"
	if len(t.Defaulted) > 0 {
		from += ", with the defaults of " + phrase.And(t.Defaulted)
	}
	if v.Timings != "" {
		from = v.Timings + ", else " + from
	}
	v.Timings = from
	return nil
}

// target returns the first target of a manifest. It returns an error if there is none, or if another target has other timings.
func (f *flags) target(all []files.Target) (*files.Target, error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("--manifest %s: want settings of leader election, as simulate gate reads them; got none", phrase.OneLine(f.manifest))
	}
	first := &all[0]
	for i := range all {
		t := &all[i]
		if t.LeaseDuration != first.LeaseDuration || t.RenewDeadline != first.RenewDeadline || t.RetryPeriod != first.RetryPeriod {
			var at []string
			for k := range all {
				at = append(at, all[k].Position.String())
			}
			slices.Sort(at)
			return nil, fmt.Errorf("--manifest %s: want one set of timings, got several: %s", phrase.OneLine(f.manifest), strings.Join(at[:min(len(at), 5)], "; "))
		}
	}
	return first, nil
}
