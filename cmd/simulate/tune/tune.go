// Package tune has the command simulate tune.
package tune

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/target"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/cmd/simulate/internal/usual"
	"interregnum/elector/machine"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/internal/picture"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// flags are the flags of simulate tune. Flags that simulate gate or forecast has too mean the same, except
// --request-timeout, which cannot be either, and --force, which is for --plot.
type flags struct {
	target.Flags
	outage, maxLease cliflag.Once
	candidates       int
	maxQPS           float64
	plot             usual.Plot
	output           string

	behaviour  usual.Behaviour
	thresholds usual.Thresholds
	effort     usual.Effort
}

// mostWindows is how many windows of time are simulated for each configuration that is looked at, unless a flag says so.
const mostWindows = 50_000

// forms are the forms of output of simulate tune: without a forecast, and with one.
var forms = cliflag.Forms[writer]{
	{Name: cliflag.Text, Write: writer{tuneText, forecastText}}, {Name: cliflag.JSON, Write: writer{finding.TuneJSON, finding.TuneForecastJSON}},
}

// writer writes a tuning in one form: plain is for one without a forecast, and forecast for one with forecasts.
type writer struct {
	plain    func(io.Writer, *gate.Tuning) error
	forecast func(io.Writer, *outlook.Tuning) error
}

// tuneText writes the result of tuning as text, as wide as the terminal.
func tuneText(w io.Writer, t *gate.Tuning) error { return text.Tune(w, t, terminal.Of(w).MaxLine()) }

// forecastText writes the result of tuning with forecasts as text, as wide as the terminal.
func forecastText(w io.Writer, t *outlook.Tuning) error {
	return text.TuneForecast(w, t, terminal.Of(w).MaxLine())
}

// New returns the command simulate tune.
func New() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "tune [flags]",
		Short: "The safe configuration with the shortest failover",
		Long: `The configuration with the shortest worst failover that is safe in an environment and tolerates an outage.

Of all configurations in whole seconds, up to --max-lease, it finds the one with the shortest worst failover in
which the work of two leaders never overlaps, no outage of the lock service as long as --tolerate-outage costs
the leadership, and all candidates together make no more than --max-qps requests a second. Of equals it takes
the one with the lowest load, then the longest outage, then the smallest numbers. The client's request timeout
is chosen too, unless --request-timeout says it, or --client a kind of client that has half of the renew deadline:
without one a single lost message costs the leadership. With --client, --qps or --burst timings must be safe with
that client's limiter, its retries, and the connections that it closes.

With what is usual at the site, from --behaviour or flags such as --outage 20s/7d, the configuration also has to keep to
thresholds, such as --max-losses 0.1/30d: it gets a forecast, as by simulate forecast, with the 95 % interval of each figure,
and counts only if the whole interval keeps to the threshold. If no configuration does, each single wish is named without
which there is one.

It says what each number is for, and what more of an outage would cost.

Exit codes: 0 there is one, 1 there is none, or none that is known, 2 bad input, 3 it was interrupted.`,
		Example: `  simulate tune --max-round-trip 1s --max-drift-ppm 200 --tolerate-outage 5s
  simulate tune --client controller-runtime --max-round-trip 1s --tolerate-outage 5s
  simulate tune --profile strict --tolerate-outage 30s --max-qps 1 --candidates 5
  simulate tune --max-round-trip 2.5s --p99 800ms --outage 20s/7d --max-losses 0.1/30d --max-qps 1
  simulate tune --environment environment.yaml --plot frontier.svg`,
		Args: exit.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	f.register(c)
	return c
}

// register adds the flags to the command.
func (f *flags) register(c *cobra.Command) {
	set := c.Flags()
	set.SortFlags = false
	f.outage = cliflag.Once{Text: "0s", Kind: "DURATION", Check: cliflag.AtLeast(0)}
	f.maxLease = cliflag.Once{Text: gate.FormatDuration(300 * time.Second), Kind: "DURATION", Check: cliflag.AtLeast(1)}
	f.RequestTimeout = cliflag.Once{Kind: "TIMEOUT", Check: checkTimeout}
	f.Profile = cliflag.Once{Text: machine.ClientGo.Name, Kind: "NAME", Check: target.CheckProfile}
	set.Var(&f.outage, "tolerate-outage", "no outage of the lock service up to this costs the leadership")
	set.Float64Var(&f.maxQPS, "max-qps", 0, "all candidates make at most `N` requests a second together; without the flag any number")
	set.IntVar(&f.candidates, "candidates", 3, "there are `N` candidates")
	set.Var(&f.maxLease, "max-lease", "longest leaseDuration to consider, up to "+gate.FormatDuration(gate.MaxTunedLease))
	set.Var(&f.Profile, "profile", "variant of the algorithm: "+strings.Join(gate.ProfileNames(), ", "))
	f.RegisterClientGo(c, "")
	set.Var(&f.RequestTimeout, "request-timeout", "timeout of the client for each request: half (of the renew deadline), none or such as 5s (default: chosen)")
	set.BoolVar(&f.ReleaseOnCancel, "release-on-cancel", false, "the lock is released when the work's context ends")
	f.Lock.Register(c, "")
	f.Environment.Register(c)
	f.Client.Register(c)
	f.plot.Register(c, "the frontier")
	forms.Register(c, &f.output)
	cliflag.Group(set, cliflag.OtherLocks, "max-clock-offset")
	f.behaviour.Register(c)
	f.thresholds.Register(c)
	f.effort.PrecisionFlag = "forecast-precision" // --precision is that of the lock's column
	f.effort.MaxWindows = mostWindows
	f.effort.Register(c)
}

// run finds the configuration with the shortest failover, draws the picture of --plot and prints the outcome. If flags say what is
// usual, it leaves that to forecast. It returns an error with the exit code, also if there is no such configuration.
func (f *flags) run(c *cobra.Command) error {
	command := c.CommandPath()
	switch {
	case f.candidates < 1 || f.candidates > 1_000_000:
		return exit.Usage(command, "--candidates %d: want 1 to 1000000", f.candidates)
	case !(f.maxQPS > 0 || f.maxQPS == 0) || c.Flags().Changed("max-qps") && f.maxQPS == 0:
		return exit.Usage(command, "--max-qps %s: want a number above 0", strconv.FormatFloat(f.maxQPS, 'g', -1, 64))
	case f.maxLease.Duration() > gate.MaxTunedLease || f.maxLease.Duration() < time.Second:
		return exit.Usage(command, "--max-lease %s: want 1s to %s", f.maxLease.Text, gate.FormatDuration(gate.MaxTunedLease))
	}
	for _, check := range []func(*cobra.Command) error{f.plot.Check, f.Lock.Check, f.CheckClient, f.effort.Check, f.checkForecast} {
		if err := check(c); err != nil {
			return err
		}
	}
	write, err := forms.Chosen(c, f.output)
	if err != nil {
		return err
	}
	e, err := f.behaviour.Environment(c, &f.Environment)
	if err != nil {
		return err
	}
	wish := f.wish(c)
	e = wish.Heeded(&e)
	if err := gate.CheckClient(wish.Config.Client, &e.Environment); err != nil {
		return exit.Usage(command, "%s: %v", e.OfClients()[0].Source, err)
	}
	switch p := &wish.Config.Profile; {
	case !wish.Config.Lock.TakenBy(p):
		return exit.Usage(command, "--lock %s: want %s, the only one that is judged with profile %s", wish.Config.Lock, "lease", p.Name)
	case p.EndsInTime() && f.behaviour.Given(c):
		return exit.Usage(command, "--profile %s: timings are not forecast for that profile; want none of the flags of --p99", p.Name)
	case !p.TimesOut() && wish.Timeout.Kind != programs.Unknown && wish.Timeout.Kind != programs.None:
		return exit.Usage(command, "--request-timeout: want none, since requests with profile %s have no timeout", p.Name)
	}
	if f.behaviour.Given(c) {
		return f.forecast(c, wish, e, write)
	}
	t := gate.NewTuning(wish, e)
	if err := f.plot.Write(func(w io.Writer) error { return picture.Frontier(w, t, f.plot.Form()) }); err != nil {
		return err
	}
	if err := write.plain(c.OutOrStdout(), t); err != nil {
		return err
	}
	if t.Best == nil {
		return &exit.Error{Code: exit.NotAsExpected}
	}
	return nil
}

// wish returns what the flags require of the configuration.
func (f *flags) wish(c *cobra.Command) *gate.Wish {
	w := f.Wish(c)
	w.Outage, w.Candidates, w.MaxQPS = f.outage.Duration(), f.candidates, f.maxQPS
	w.MaxLease = f.maxLease.Duration().Truncate(time.Second)
	return w
}

// checkTimeout returns an error unless text is a value of --request-timeout here: half, none or a duration.
func checkTimeout(text string) error {
	t, err := programs.ParseTimeout(text)
	if err == nil && t.Kind != programs.Half && t.Kind != programs.None && t.Kind != programs.Fixed {
		err = fmt.Errorf("want half, none or a duration such as 5s, got %s", phrase.Quote(text))
	}
	return err
}
