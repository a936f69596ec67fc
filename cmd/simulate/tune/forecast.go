package tune

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/cmd/simulate/internal/usual"
	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
	"interregnum/internal/picture"
)

// checkForecast returns an error if flags about forecasts do not go together, if nothing says what is usual although they need it,
// if there are more candidates than a forecast simulates, or if standard input would be read twice.
func (f *flags) checkForecast(c *cobra.Command) error {
	command, threshold, given := c.CommandPath(), f.thresholds.First(c), f.behaviour.Given(c)
	for _, name := range []string{"restart", f.effort.PrecisionFlag, "max-windows", "seed", "parallel"} {
		if !given && threshold == "" && c.Flags().Changed(name) {
			return exit.Usage(command, "--%s is about forecasts: want --behaviour FILE too, or flags such as --p99 800ms --outage 20s/7d", name)
		}
	}
	switch {
	case threshold != "" && !given:
		return exit.Usage(command, "--%s: nothing says what is usual: want --behaviour FILE, or flags such as --p99 800ms --outage 20s/7d", threshold)
	case given && f.candidates > forecast.MaxReplicas:
		return exit.Usage(command, "--candidates %d: want 1 to %d, since forecasts simulate them", f.candidates, forecast.MaxReplicas)
	case given && f.behaviour.File == "-" && f.Environment.File == "-":
		return exit.Usage(command, "standard input can be read only once")
	}
	return f.behaviour.Check(c, false)
}

// forecast looks for the configuration with the shortest failover that keeps to the thresholds, draws the picture of --plot, and
// prints the outcome with write. It returns an error with the exit code, also if there is no such configuration. If it is
// interrupted, it draws and prints nothing.
func (f *flags) forecast(c *cobra.Command, wish *gate.Wish, e gate.Environment, write writer) error {
	site, err := f.behaviour.Site(c, f.candidates, f.thresholds.All())
	if err != nil {
		return err
	}
	ctx, stop := terminal.Interruptible(context.Background())
	defer stop()
	tuner := outlook.Tuner{
		Wish: wish, Environment: e, Site: site, Options: f.effort.Options(), Compare: forecast.Compare,
		Start: func(name string) (func(*forecast.Forecast), func()) {
			p := usual.NewProgress(c.ErrOrStderr(), name, f.effort.MaxWindows)
			return p.Update, p.Done
		},
	}
	t, err := tuner.Tune(ctx)
	switch {
	case ctx.Err() != nil:
		return &exit.Error{Code: exit.HarnessFailed, Text: "interrupted: nothing is known yet, and nothing is kept to go on with"}
	case err != nil:
		return exit.With(exit.BadInput, err)
	}
	if err := f.plot.Write(func(w io.Writer) error { return picture.Outlook(w, t.Points(), f.plot.Form()) }); err != nil {
		return err
	}
	if err := write.forecast(c.OutOrStdout(), t); err != nil {
		return err
	}
	if t.Best == nil {
		return &exit.Error{Code: exit.NotAsExpected}
	}
	return nil
}
