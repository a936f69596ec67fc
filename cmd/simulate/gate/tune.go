package gate

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/target"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/picture"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// tuneFlags are the flags of simulate tune. Flags that simulate gate has too mean the same, except
// --request-timeout, which takes only durations, and --force, which is for --plot.
type tuneFlags struct {
	gateFlags
	outage, maxLease cliflag.Once
	candidates       int
	maxQPS           float64
	plot             string
}

// tuneForms are the forms of output of simulate tune.
var tuneForms = cliflag.Forms[func(io.Writer, *gate.Tuning) error]{
	{Name: cliflag.Text, Write: tuneText}, {Name: cliflag.JSON, Write: finding.TuneJSON},
}

// tuneText writes the result of tuning as text, as wide as the terminal.
func tuneText(w io.Writer, t *gate.Tuning) error { return text.Tune(w, t, terminal.Of(w).MaxLine()) }

// NewTune makes the command simulate tune.
func NewTune() *cobra.Command {
	var f tuneFlags
	c := &cobra.Command{
		Use:   "tune [flags]",
		Short: "The safe configuration with the shortest failover",
		Long: `The configuration with the shortest worst failover that is safe in an environment and tolerates an outage.

Of all configurations in whole seconds, up to --max-lease, it finds the one with the shortest worst failover in
which the work of two leaders never overlaps, no outage of the lock service as long as --tolerate-outage costs
the leadership, and all candidates together make no more than --max-qps requests a second. Of equals it takes
the one with the lowest load, then the longest outage, then the smallest numbers. The client's request timeout
is chosen too, unless --request-timeout says it: without one a single lost message costs the leadership.

It says what each number is for, and what more of an outage would cost.

Exit codes: 0 there is one, 1 there is none, 2 bad input.`,
		Example: `  simulate tune --max-round-trip 1s --max-drift-ppm 200 --tolerate-outage 5s
  simulate tune --profile strict --tolerate-outage 30s --max-qps 1 --candidates 5
  simulate tune --environment environment.yaml --plot frontier.svg`,
		Args: exit.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	f.register(c)
	return c
}

// register adds the flags to the command.
func (f *tuneFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	f.outage = cliflag.Once{Text: "0s", Kind: "DURATION", Check: cliflag.AtLeast(0)}
	f.maxLease = cliflag.Once{Text: gate.FormatDuration(300 * time.Second), Kind: "DURATION", Check: cliflag.AtLeast(1)}
	f.RequestTimeout = cliflag.Once{Text: "", Kind: "DURATION", Check: cliflag.AtLeast(0)}
	f.Profile = cliflag.Once{Text: machine.ClientGo.Name, Kind: "NAME", Check: target.CheckProfile}
	flags.Var(&f.outage, "tolerate-outage", "no outage of the lock service up to this costs the leadership")
	flags.Float64Var(&f.maxQPS, "max-qps", 0, "all candidates make at most `N` requests a second together; 0 is any number")
	flags.IntVar(&f.candidates, "candidates", 3, "there are `N` candidates")
	flags.Var(&f.maxLease, "max-lease", "longest leaseDuration to consider, up to "+gate.FormatDuration(gate.MaxTunedLease))
	flags.Var(&f.Profile, "profile", "variant of the algorithm: "+strings.Join(gate.ProfileNames(), ", "))
	flags.Var(&f.RequestTimeout, "request-timeout", "timeout of the client for each request; 0s is none (default: chosen)")
	flags.BoolVar(&f.ReleaseOnCancel, "release-on-cancel", false, "the lock is released when the work's context ends")
	f.Lock.Register(c, "")
	f.Environment.Register(c, false)
	flags.StringVar(&f.plot, "plot", "", "draw the frontier into `FILE`, which ends in .svg or .png")
	flags.BoolVar(&f.force, "force", false, "--plot replaces a file that exists")
	tuneForms.Register(c, &f.output)
	cliflag.Group(flags, cliflag.OtherLocks, "max-clock-offset")
}

// run finds the configuration with the shortest failover and prints it. Its error has the exit code.
func (f *tuneFlags) run(c *cobra.Command) error {
	form := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.plot)), ".")
	command := c.CommandPath()
	switch {
	case f.candidates < 1 || f.candidates > 1_000_000:
		return exit.Usage(command, "--candidates %d: want 1 to 1000000", f.candidates)
	case !(f.maxQPS > 0 || f.maxQPS == 0) || c.Flags().Changed("max-qps") && f.maxQPS == 0:
		return exit.Usage(command, "--max-qps %s: want a number above 0", strconv.FormatFloat(f.maxQPS, 'g', -1, 64))
	case f.maxLease.Duration() > gate.MaxTunedLease || f.maxLease.Duration() < time.Second:
		return exit.Usage(command, "--max-lease %s: want 1s to %s", f.maxLease.Text, gate.FormatDuration(gate.MaxTunedLease))
	case c.Flags().Changed("plot") && form != "svg" && form != "png":
		return exit.Usage(command, "--plot %q: want a file that ends in .svg or .png", f.plot)
	case c.Flags().Changed("environment") && f.Environment.File == "":
		return exit.Usage(command, "--environment: want the name of a file")
	}
	if err := f.Lock.Check(c); err != nil {
		return err
	}
	write, err := tuneForms.Chosen(c, f.output)
	if err != nil {
		return err
	}
	e, err := f.Environment.Read(c)
	if err != nil {
		return err
	}
	wish := f.wish(c)
	if err := bound.Unknown(&wish.Config); err != nil {
		return exit.Usage(command, "--profile %s --release-on-cancel: %v; want one without the other", f.Profile.Text, err)
	}
	switch p := &wish.Config.Profile; {
	case !wish.Config.Lock.TakenBy(p):
		return exit.Usage(command, "--lock %s: want %s, the only one that is judged with profile %s", wish.Config.Lock, "lease", p.Name)
	case p.EndsInTime():
		return exit.Usage(command, "--profile %s: no timings are looked for, since the outage that its leaders survive is not "+
			"computed; simulate gate judges them", p.Name)
	case !p.TimesOut() && c.Flags().Changed("request-timeout") && wish.Config.RequestTimeout > 0:
		return exit.Usage(command, "--request-timeout: want none, since requests with profile %s have no timeout", p.Name)
	}
	t := gate.NewTuning(wish, e)
	if f.plot != "" {
		draw := func(w io.Writer) error { return picture.Frontier(w, t, form) }
		if err := outfile.Write("--plot", f.plot, f.force, draw); err != nil {
			return err
		}
	}
	if err := write(c.OutOrStdout(), t); err != nil {
		return err
	}
	if t.Best == nil {
		return &exit.Error{Code: exit.NotAsExpected}
	}
	return nil
}

// wish returns what the flags require of the configuration.
func (f *tuneFlags) wish(c *cobra.Command) *gate.Wish {
	unsaid := f.Unsaid()
	return &gate.Wish{
		Config: bound.Config{
			Profile: unsaid.Profile, ReleaseOnCancel: unsaid.ReleaseOnCancel,
			RequestTimeout: f.RequestTimeout.Duration(),
			Lock:           unsaid.Lock, Now: unsaid.Now, Precision: unsaid.Precision,
		},
		ChooseTimeout: !c.Flags().Changed("request-timeout"),
		Outage:        f.outage.Duration(), Candidates: f.candidates, MaxQPS: f.maxQPS,
		MaxLease: f.maxLease.Duration().Truncate(time.Second),
	}
}
