package forecast

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/target"
	"interregnum/internal/behaviour"
	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
)

// The titles of the flags in the help.
const (
	howPrecise = "How precise"
	thresholds = "Thresholds"
)

// The defaults of flags.
const (
	defaultReplicas   = 2
	defaultPrecision  = "5%"
	defaultMaxWindows = 200_000
	defaultRestart    = "10s"
	// noRestart is the value of --restart for a process that does not exit.
	noRestart = "none"
)

// maxReplicas is how many replicas a forecast takes.
const maxReplicas = 20

// flags are the flags of simulate forecast.
type flags struct {
	target.Flags
	behaviour  behaviourFlags
	replicas   int
	restart    cliflag.Once
	precision  cliflag.Once
	maxWindows int
	length     time.Duration
	seed       uint64
	parallel   int

	compare cliflag.Once

	maxLosses, maxGapP99, minAvailability, maxOverlaps cliflag.Once

	brief, require bool
	output         string
	// write writes the form that output names.
	write writer
}

// register adds the flags to the command.
func (f *flags) register(c *cobra.Command) {
	set := c.Flags()
	set.SortFlags = false
	f.behaviour.register(c)
	f.restart = cliflag.Once{Text: defaultRestart, Kind: "TIME", Check: checkRestart}
	set.IntVar(&f.replicas, "replicas", defaultReplicas, fmt.Sprintf("there are `N` candidates, up to %d", maxReplicas))
	set.Var(&f.restart, "restart", "a process that has lost the lock exits, and is back after that: such as 5s or 5s-30s; "+
		noRestart+": it does not exit, and stands for election again at once")
	cliflag.Group(set, usual, "replicas", "restart")
	f.registerThresholds(c)
	f.precision = cliflag.Once{Text: defaultPrecision, Kind: "PERCENT", Check: checkPrecision}
	set.Var(&f.precision, "precision", "go on until intervals are that narrow, up and down")
	set.IntVar(&f.maxWindows, "max-windows", defaultMaxWindows, "simulate at most `N` windows of time for each target")
	set.DurationVar(&f.length, "for", 0, "go on for so long at most for each target; 0s is no limit")
	set.Uint64Var(&f.seed, "seed", 1, "`N` from which all random numbers come")
	set.IntVar(&f.parallel, "parallel", 0, "simulate `N` windows at once (default: one for each core)")
	cliflag.Group(set, howPrecise, "precision", "max-windows", "for", "seed", "parallel")
	f.Flags.Register(c)
	set.Lookup("request-timeout").Usage = "timeout of the client for each request: half (of the renew deadline), none or such as 5s; " +
		"for what is not known. Without it, or with either, the forecast counts none, and the gate the worse of none and half"
	set.BoolVar(&f.require, "require", false, "a file or folder in which there is nothing to judge is bad input")
	set.BoolVar(&f.brief, "brief", false, "one line for each target")
	f.registerCompare(c)
	forms.Register(c, &f.output)
	cliflag.Group(set, target.ManyTargets, "require", "brief", compareFlag, "output")
	f.Lock.PrecisionFlag = "column-precision"
	f.Lock.Register(c, "; for files that do not say")
	cliflag.Group(set, cliflag.OtherLocks, "max-clock-offset")
}

// registerThresholds adds the flags of thresholds.
func (f *flags) registerThresholds(c *cobra.Command) {
	rate := func(text string) error { _, err := outlook.ParseRate(text); return err }
	duration := func(text string) error { _, err := outlook.ParseTime(text); return err }
	share := func(text string) error { _, err := outlook.ParseShare(text); return err }
	set := c.Flags()
	f.maxLosses = cliflag.Once{Kind: "RATE", Check: rate}
	f.maxGapP99 = cliflag.Once{Kind: "DURATION", Check: duration}
	f.minAvailability = cliflag.Once{Kind: "PERCENT", Check: share}
	f.maxOverlaps = cliflag.Once{Kind: "RATE", Check: rate}
	set.Var(&f.maxLosses, outlook.MaxLosses, "leadership is lost so often at most, such as 0.1/30d")
	set.Var(&f.maxGapP99, outlook.MaxGapP99, "of 100 times in which nobody leads, 99 last so long at most, such as 40s")
	set.Var(&f.minAvailability, outlook.MinAvailability, "somebody leads in that part of all time at least, such as 99.99%")
	set.Var(&f.maxOverlaps, outlook.MaxOverlaps, "two lead at once so often at most, such as 1/10y")
	cliflag.Group(set, thresholds, outlook.MaxLosses, outlook.MaxGapP99, outlook.MinAvailability, outlook.MaxOverlaps)
}

// check refuses flags and arguments that contradict each other, whatever the files say.
func (f *flags) check(c *cobra.Command, args []string) error {
	if err := f.Check(c, args, f.behaviour.file); err != nil {
		return err
	}
	command := c.CommandPath()
	switch {
	case len(args) == 0 && f.require:
		return exit.Usage(command, "--require is about files: want one")
	case f.replicas < 1 || f.replicas > maxReplicas:
		return exit.Usage(command, "--replicas %d: want 1 to %d", f.replicas, maxReplicas)
	case f.maxWindows < 1:
		return exit.Usage(command, "--max-windows %d: want 1 or more", f.maxWindows)
	case f.length < 0:
		return exit.Usage(command, "--for %v: want a duration of zero or more", f.length)
	case f.parallel < 0 || c.Flags().Changed("parallel") && f.parallel == 0:
		return exit.Usage(command, "--parallel %d: want 1 or more", f.parallel)
	}
	var err error
	if f.write, err = forms.Chosen(c, f.output); err != nil {
		return err
	}
	if err = f.checkCompare(c, args); err != nil {
		return err
	}
	return f.behaviour.check(c)
}

// options returns how forecasts are made.
func (f *flags) options() *forecast.Options {
	precision, _ := outlook.ParseShare(f.precision.Text) // it was checked when it was set
	o := &forecast.Options{Seed: f.seed, Precision: precision, MaxWindows: f.maxWindows, Workers: f.parallel}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o
}

// readSite returns what counts for all targets.
func (f *flags) readSite(c *cobra.Command) (*outlook.Site, error) {
	s := &outlook.Site{
		Replicas: f.replicas, RestartText: f.restart.Text, RestartAssumed: !c.Flags().Changed("restart"), Thresholds: f.thresholds(),
	}
	back, _ := parseLength(defaultRestart)
	if f.restart.Text != noRestart {
		back, _ = parseLength(f.restart.Text) // it was checked when it was set
		s.Restart = &back
	}
	var err error
	s.Behaviour, s.From, err = f.behaviour.read(c, back)
	return s, err
}

// thresholds returns the thresholds of the flags, which were checked when they were set.
func (f *flags) thresholds() outlook.Thresholds {
	t := outlook.Thresholds{Texts: map[string]string{
		outlook.MaxLosses: f.maxLosses.Text, outlook.MaxGapP99: f.maxGapP99.Text,
		outlook.MinAvailability: f.minAvailability.Text, outlook.MaxOverlaps: f.maxOverlaps.Text,
	}}
	if f.maxLosses.Text != "" {
		rate, _ := outlook.ParseRate(f.maxLosses.Text)
		t.MaxLosses = &rate
	}
	if f.maxGapP99.Text != "" {
		d, _ := outlook.ParseTime(f.maxGapP99.Text)
		t.MaxGapP99 = &d
	}
	if f.minAvailability.Text != "" {
		share, _ := outlook.ParseShare(f.minAvailability.Text)
		t.MinAvailability = &share
	}
	if f.maxOverlaps.Text != "" {
		rate, _ := outlook.ParseRate(f.maxOverlaps.Text)
		t.MaxOverlaps = &rate
	}
	return t
}

// checkPrecision returns an error unless text is a percentage above zero.
func checkPrecision(text string) error {
	share, err := outlook.ParseShare(text)
	if err == nil && share == 0 {
		return fmt.Errorf("want a percentage above 0%%, got %s", text)
	}
	return err
}

// checkRestart returns an error unless text is a value of --restart.
func checkRestart(text string) error {
	if text == noRestart {
		return nil
	}
	_, err := parseLength(text)
	return err
}

// parseLength parses how long something lasts: a time, or a range such as 10s-40s.
func parseLength(text string) (behaviour.Distribution, error) {
	from, to, ranged := strings.Cut(text, "-")
	if from == "" || !ranged {
		d, err := outlook.ParseTime(text)
		return behaviour.Constant(d), err
	}
	least, err := outlook.ParseTime(from)
	if err != nil {
		return behaviour.Distribution{}, err
	}
	most, err := outlook.ParseTime(to)
	if err == nil && most < least {
		err = fmt.Errorf("want a range that does not fall, got %s", text)
	}
	return behaviour.Uniform(least, most), err
}
