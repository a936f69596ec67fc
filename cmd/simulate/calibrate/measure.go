package calibrate

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cluster"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/calibrate"
	"interregnum/internal/phrase"
)

// logs returns what it measures in the audit logs that the arguments name. It reports in r.Problems each log that cannot be read,
// broken lines if there are more than --allow-broken, and, with --behaviour or --recording, requests that are not in the order of
// time; it sets r.untrusted for each of these. Fewer broken lines are in r.Notes, and so is what the logs do not contain.
func (f *calibrateFlags) logs(stdin io.Reader, args []string) *calibration {
	a := &calibrate.Audit{Filter: calibrate.Filter{
		Resource: f.resource, Namespace: f.namespace, Name: f.lease, User: f.user,
	}}
	r := &calibration{Source: "audit", Audit: &auditFacts{Logs: len(args)}, resource: f.resource}
	if len(args) == 1 {
		r.only = phrase.OneLine(args[0])
	}
	for _, arg := range args {
		if err := readLog(a, arg, stdin); err != nil {
			r.Problems = append(r.Problems, err.Error())
			r.untrusted = true
		}
	}
	r.setMeasurement(&a.Measurement)
	r.Audit.Counts = a.Counts
	switch {
	case a.Broken > f.allowBroken:
		r.untrusted = true
		for _, p := range a.Problems {
			r.Problems = append(r.Problems, p.Error())
		}
		if more := a.Broken - int64(len(a.Problems)); more > 0 {
			r.Problems = append(r.Problems, "and "+phrase.Number(more, "more broken line"))
		}
		r.Problems = append(r.Problems, fmt.Sprintf("%s: want %d at most; --allow-broken %d skips them",
			phrase.Number(a.Broken, "broken line"), f.allowBroken, a.Broken))
	case a.Broken > 0:
		r.Notes = append(r.Notes, fmt.Sprintf("%s skipped; the first is %s.", phrase.Number(a.Broken, "broken line"),
			a.Problems[0].Position))
	}
	if a.Backwards != nil && (f.behaviour || f.recording != "") { // without times, how long answers take is as it is
		r.untrusted = true
		r.Problems = append(r.Problems, a.Backwards.Error())
	}
	r.Notes = append(r.Notes, "On the server alone, from when it received a request until it had answered: the network, and "+
		"what a request waits for in the client, are not in it; --add adds for them.")
	return r
}

// readLog adds to a the requests in the audit log that arg names; - is standard input.
func readLog(a *calibrate.Audit, arg string, stdin io.Reader) error {
	if arg == "-" {
		return a.Read(input.Stdin, stdin)
	}
	file, err := input.Open(arg, "an audit log")
	if err != nil {
		return err
	}
	defer file.Close()
	return a.Read(arg, file)
}

// server returns what it measures at an API server with its own requests. It prints what it does. If it fails after some answers,
// it returns both what was measured before and the error; without an answer it returns nil and the error.
func (f *calibrateFlags) server(c *cobra.Command) (*calibration, error) {
	config, namespace, err := cluster.Config(f.kubeconfig, f.context, f.inCluster)
	if err != nil {
		return nil, &exit.Error{Code: exit.BadInput, Text: cluster.WithoutPassword(err.Error())}
	}
	if f.namespace != "" || f.lease == "" && !f.write {
		namespace = f.namespace
	}
	ctx, stop := terminal.Interruptible(c.Context())
	defer stop()
	errs := c.ErrOrStderr()
	progress, done := progressOn(errs, f.lasting.Duration())
	p := &calibrate.Probe{
		Config: config, Namespace: namespace, Name: f.lease, Write: f.write,
		For: f.lasting.Duration(), Interval: f.interval.Duration(), Timeout: f.timeout.Duration(),
		Chosen: func(namespace, name string) {
			what := "reading"
			if f.write {
				what = "writing the own"
			}
			fmt.Fprintf(errs, "simulate: %s Lease %s/%s of %s for %s\n", what, namespace, name, cluster.WithoutPassword(config.Host), f.lasting.Text)
		},
		Progress: progress,
	}
	live, err := p.Run(ctx)
	done()
	if live == nil {
		return nil, &exit.Error{Code: exit.BadInput, Text: cluster.WithoutPassword(err.Error())}
	}
	r := &calibration{Source: "live", Live: &liveFacts{
		Host: cluster.WithoutPassword(config.Host), Namespace: live.Namespace, Lease: live.Name, Write: f.write,
		Lasted: live.Lasted, Interrupted: live.Interrupted, Offset: live.Offset,
	}}
	r.setMeasurement(&live.Measurement)
	r.addLiveNotes(f.lasting.Text, f.timeout.Text)
	if err != nil {
		// What was measured before the error is still shown.
		failed := &exit.Error{Code: exit.NotAsExpected, Text: cluster.WithoutPassword(err.Error())}
		if r.All.Count == 0 {
			return nil, failed
		}
		r.Notes = append(r.Notes, fmt.Sprintf("It ended with an error after %v of %s.", live.Lasted.Round(time.Millisecond),
			f.lasting.Text))
		return r, failed
	}
	return r, nil
}
