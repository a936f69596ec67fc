package forecast

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/target"
	"interregnum/cmd/simulate/internal/usual"
	"interregnum/elector/machine"
	"interregnum/internal/forecast"
)

// defaultReplicas is how many replicas there are unless a flag says so.
const defaultReplicas = 2

// flags are the flags of simulate forecast.
type flags struct {
	target.Flags
	behaviour  usual.Behaviour
	replicas   int
	thresholds usual.Thresholds
	effort     usual.Effort
	length     time.Duration

	shard, resume string
	merge         []string

	compare cliflag.Parsed[[]machine.Timings]
	plot    usual.Plot
	html    string

	brief, require bool
	output         string
	// write writes the form that output names.
	write writer
}

// register adds the flags to the command.
func (f *flags) register(c *cobra.Command) {
	set := c.Flags()
	set.SortFlags = false
	f.behaviour.Register(c)
	set.IntVar(&f.replicas, "replicas", defaultReplicas, fmt.Sprintf("there are `N` candidates, up to %d; without it, as many as the file of a target says", forecast.MaxReplicas))
	cliflag.Group(set, usual.Title, "replicas")
	f.thresholds.Register(c)
	f.effort.Register(c)
	set.DurationVar(&f.length, "for", 0, "go on for so long at most for each target; 0s is no limit")
	f.registerKept(c)
	cliflag.Group(set, usual.HowPrecise, "for", "shard", "resume", "merge")
	f.Flags.Register(c)
	set.Lookup("request-timeout").Usage = "timeout of the client for each request: half (of the renew deadline), none or such as 5s; " +
		"for what is not known. Without it, or with either, the forecast counts none, and the gate the worse of none and half"
	set.BoolVar(&f.require, "require", false, "a file or folder in which there is nothing to judge is bad input")
	set.BoolVar(&f.brief, "brief", false, "one line for each target")
	f.registerCompare(c)
	set.StringVar(&f.html, "html", "", "write a page with the distributions drawn to `FILE`")
	f.plot.Register(c, "losses and gaps of all targets")
	set.Lookup("force").Usage = "--html and --plot replace files that exist"
	forms.Register(c, &f.output)
	cliflag.Group(set, target.ManyTargets, "require", "brief", compareFlag, "html", "plot", "force", "output")
	f.Lock.PrecisionFlag = "column-precision"
	f.Lock.Register(c, "; for files that do not say")
	cliflag.Group(set, cliflag.OtherLocks, "max-clock-offset")
}

// check returns an error if flags and arguments contradict each other, whatever the files say, if a value is out of range, or if
// nothing says what is usual. It sets f.write, and f.Also to the timings of --compare.
func (f *flags) check(c *cobra.Command, args []string) error {
	if err := f.Check(c, args, f.behaviour.File); err != nil {
		return err
	}
	if err := target.OfFiles(c, args, "require"); err != nil {
		return err
	}
	command := c.CommandPath()
	switch {
	case f.replicas < 1 || f.replicas > forecast.MaxReplicas:
		return exit.Usage(command, "--replicas %d: want 1 to %d", f.replicas, forecast.MaxReplicas)
	case f.length < 0:
		return exit.Usage(command, "--for %v: want a duration of zero or more", f.length)
	}
	if err := cmp.Or(f.effort.Check(c), f.plot.Check(c), outfile.Apart(c, args, "html")); err != nil {
		return err
	}
	var err error
	if f.write, err = forms.Chosen(c, f.output); err != nil {
		return err
	}
	if err = cmp.Or(f.checkCompare(c, args), f.checkKept(c)); err != nil {
		return err
	}
	return f.behaviour.Check(c, true)
}
