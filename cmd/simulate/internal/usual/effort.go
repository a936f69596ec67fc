package usual

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
)

// HowPrecise is the title of the flags about precision in the help.
const HowPrecise = "How precise"

// The defaults of flags.
const (
	defaultPrecision  = "5%"
	defaultMaxWindows = 200_000
)

// Effort has the flags that say how precise a forecast is.
type Effort struct {
	// PrecisionFlag is the name of the flag of the precision; "" is precision.
	PrecisionFlag string
	precision     cliflag.Parsed[float64]
	// MaxWindows is the value of --max-windows. Before Register it is the flag's default, or 0 for the usual default.
	MaxWindows int
	seed       uint64
	parallel   int
}

// Register adds the flags to the command.
func (f *Effort) Register(c *cobra.Command) {
	set := c.Flags()
	f.PrecisionFlag = cmp.Or(f.PrecisionFlag, "precision")
	f.precision.Text = defaultPrecision
	cliflag.Parse(set, &f.precision, f.PrecisionFlag, "PERCENT", parsePrecision, "go on until intervals are that narrow, up and down")
	set.IntVar(&f.MaxWindows, "max-windows", cmp.Or(f.MaxWindows, defaultMaxWindows), "simulate at most `N` windows of time for each target")
	set.Uint64Var(&f.seed, "seed", 1, "`N` from which all random numbers come")
	set.IntVar(&f.parallel, "parallel", 0, "simulate `N` windows at once (default: one for each core)")
	cliflag.Group(set, HowPrecise, f.PrecisionFlag, "max-windows", "seed", "parallel")
}

// Check returns an error if the value of --max-windows or --parallel is out of range.
func (f *Effort) Check(c *cobra.Command) error {
	switch command := c.CommandPath(); {
	case f.MaxWindows < 1:
		return exit.Usage(command, "--max-windows %d: want 1 or more", f.MaxWindows)
	case f.parallel < 0 || c.Flags().Changed("parallel") && f.parallel == 0 || f.parallel > cliflag.MostAtOnce:
		return exit.Usage(command, "--parallel %d: want 1 to %d", f.parallel, cliflag.MostAtOnce)
	}
	return nil
}

// Options returns the options of a forecast that the flags ask for. Without --parallel there is a worker for each core.
func (f *Effort) Options() *forecast.Options {
	o := &forecast.Options{Seed: f.seed, Precision: *f.precision.Value, MaxWindows: f.MaxWindows, Workers: f.parallel}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o
}

// parsePrecision parses a percentage, and returns it as a share (0.05 for 5%). It returns an error unless the percentage is above
// zero.
func parsePrecision(text string) (float64, error) {
	share, err := outlook.ParseShare(text)
	if err == nil && share == 0 {
		err = fmt.Errorf("want a percentage above 0%%, got %s", text)
	}
	return share, err
}
