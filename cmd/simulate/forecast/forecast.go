// Package forecast has the command simulate forecast.
package forecast

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/cmd/simulate/internal/usual"
	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/picture"
	"interregnum/reports/page"
)

// New returns the command simulate forecast.
func New() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "forecast [flags] [FILE or FOLDER…]",
		Short: "How often is leadership lost, and for how long is nobody leading?",
		Long: `How often is leadership lost, for how long is nobody leading, and how likely is it that two lead at once?

The configuration is that of the flags, or what is found in files, as with simulate gate: manifests, component
configurations, Helm values, Lease objects, scenario files; a folder stands for all YAML and JSON in it, - for standard
input. What usually happens at the site is in the file of --behaviour or, for a first answer, in flags: percentiles of
round trips, errors, and episodes such as outages. Beside the figures stands what the gate says: the worst overlap
within the environment, whatever happens. The environment may be in the file of --behaviour too.

An EPISODE is LENGTH/TIME: --outage 20s/7d is an outage of 20s, once in 7d on average. LENGTH can be a range, 10s-40s.
A brownout begins with a factor: --brownout 5x/10m/1d. Crashes and shutdowns may have a count in place of a length, and
are then back as --restart says: --crash 2/30d. @leader, @one or @everybody at the end says whom it is on; without it
that is everybody for outages, stalls and brownouts, else one replica, whichever it is. Units are ms, s, m, h, d, w, y.

--compare 30/20/4,60/40/5 makes forecasts of these timings too, with the same random numbers, and says how they differ
from the first one; --compare better chooses safe timings that tolerate longer outages; beside files, --compare targets compares what was found in them. A configuration is named that nobody
should choose, since another one is as good in all of worst overlap, losses, gaps and requests, and better in one; perhaps, if
the intervals do not say so.

Every figure has a 95 % interval. It is simulated until losses, and the time without a leader, are as narrow as
--precision, or until --max-windows or --for are over. With --resume windows are kept in a file, and the same command goes on there,
also with a smaller --precision. --shard 0/4 simulates a fourth of them, on a machine of its own; --merge makes one forecast of
all shards, the same as without them. A threshold is met if the whole interval keeps to it, violated if
the whole interval does not, and otherwise undecided. A month is 30 days, a year 365.

Exit codes: 0 all thresholds are met, or there are none; 1 one is violated or undecided, or a target is refused; 2 bad
input (the rest is forecast all the same); 3 it was interrupted, or the forecast itself failed.`,
		Example: `  simulate forecast --lease-duration 15s --p50 20ms --p99 800ms --max 5s --outage 20s/7d --replicas 2
  simulate forecast --lease-duration 15s --p99 800ms --outage 20s/7d --compare 30/20/4,60/40/5
  simulate forecast --lease-duration 15s --p99 800ms --outage 20s/7d --compare better
  simulate forecast deploy --behaviour site.yaml --environment environment.yaml --brief
  simulate forecast manager.yaml --behaviour site.yaml --max-losses 0.1/30d --min-availability 99.99% -o junit
  simulate forecast manager.yaml --behaviour site.yaml --precision 1% --shard 0/2 --resume shard-0.jsonl
  simulate forecast manager.yaml --behaviour site.yaml --precision 1% --merge shard-0.jsonl,shard-1.jsonl`,
		ValidArgsFunction: completion.Files(completion.YAML...),
		RunE:              func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.register(c)
	return c
}

// run makes the forecasts, writes the files of --plot, --html and --resume, and prints the report. It returns an error with the
// exit code, nil if all is as expected.
func (f *flags) run(c *cobra.Command, args []string) error {
	if err := f.check(c, args); err != nil {
		return err
	}
	site, err := f.behaviour.Site(c, f.replicas, f.thresholds.All())
	if err != nil {
		return err
	}
	e, err := f.behaviour.Environment(c, &f.Flags.Environment)
	if err != nil {
		return err
	}
	if err := f.choose(c, &e); err != nil {
		return err
	}
	judged, err := f.Judge(c, args, e)
	if err != nil {
		return err
	}
	if f.require {
		judged.Require()
	}
	ctx, stop := terminal.Interruptible(context.Background())
	defer stop()
	m := outlook.Maker{
		Site: site, Options: f.effort.Options(), Limit: f.length, Run: forecast.Run,
		Start: func(name string) (func(*forecast.Forecast), func()) {
			p := usual.NewProgress(c.ErrOrStderr(), name, f.effort.MaxWindows)
			return p.Update, p.Done
		},
	}
	if f.compare.Text != "" {
		m.Compare = forecast.Compare
	}
	if err := f.keep(c, m.Options, site.Questions(judged)); err != nil {
		return err
	}
	r := m.Make(ctx, judged)
	if err := f.tellKept(c, m.Options); err != nil {
		return err
	}
	if err := f.plot.Write(func(w io.Writer) error { return picture.Outlook(w, r.Points(), f.plot.Form()) }); err != nil {
		return err
	}
	if err := outfile.Write("--html", f.html, f.plot.Force, func(w io.Writer) error { return page.Forecast(w, r) }); err != nil {
		return err
	}
	if err := f.write(c.OutOrStdout(), r, f.brief); err != nil {
		return err
	}
	return f.finish(c, r, ctx.Err() != nil, args)
}

// finish prints the problems and failures of the report and, if the forecast was interrupted, how to go on. It returns an error
// with the exit code, nil if all is as expected.
func (f *flags) finish(c *cobra.Command, r *outlook.Report, interrupted bool, args []string) error {
	code := exit.AsExpected
	for _, t := range r.Targets {
		if t.Fails() {
			code = exit.NotAsExpected
		}
	}
	for _, p := range r.Gate.Problems {
		code = exit.BadInput
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s\n", p.Error())
	}
	for _, err := range r.Gate.Failures {
		code = exit.HarnessFailed
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %v\n", err)
	}
	if interrupted {
		code = exit.HarnessFailed
		fmt.Fprintf(c.ErrOrStderr(), "simulate: interrupted: %d of %d targets have a forecast; the last of them may have wider intervals than "+
			"--precision asks for%s\n", len(r.Targets), len(r.Gate.Targets), f.goOn(c, args))
	}
	if code == exit.AsExpected {
		return nil
	}
	return &exit.Error{Code: code}
}
