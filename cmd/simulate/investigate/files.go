package investigate

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/calibrate"
	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/internal/investigate/replay"
	"interregnum/internal/phrase"
	"interregnum/reports"
	"interregnum/reports/page"
)

// files writes the files of --html, --behaviour and --scenario, those that are given. It stops at the first error, which has the
// exit code.
func (f *flags) files(c *cobra.Command, args []string, v *reports.Investigation) error {
	write := func(w io.Writer) error { return page.Investigation(w, v, f.again(c, args)) }
	if err := outfile.Write("--html", f.html, f.force, write); err != nil {
		return err
	}
	if f.behaviour != "" {
		if err := f.writeBehaviour(v); err != nil {
			return err
		}
	}
	if f.scenario != "" {
		return f.writeScenario(c, v)
	}
	return nil
}

// again returns the command that writes the page again, with all flags that change what is in it.
func (f *flags) again(c *cobra.Command, args []string) string {
	command := cliflag.Given(c, map[string]string{"behaviour": "", "force": "", "metrics": "", "output": "", "scenario": ""})
	for _, arg := range args {
		command += " " + phrase.ShellPath(arg)
	}
	return command
}

// writeBehaviour writes the file of --behaviour: what is usual at the site, by the requests about all locks in the logs.
func (f *flags) writeBehaviour(v *reports.Investigation) error {
	text, err := calibrate.BehaviourOf(requests(v))
	if err != nil {
		return exit.With(exit.BadInput, fmt.Errorf("--behaviour: %w", err))
	}
	return outfile.Write("--behaviour", f.behaviour, f.force, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// requests returns the requests about all locks, converted for package calibrate. Those are left out whose log has one time for both receipt and
// answer.
func requests(v *reports.Investigation) (all []calibrate.Request) {
	for i := range v.Evidence.Requests {
		if q := &v.Evidence.Requests[i]; !v.Evidence.Sources[q.Source].OneTime {
			all = append(all, measured(q))
		}
	}
	return all
}

// measured returns a request, converted for package calibrate.
func measured(q *evidence.Request) calibrate.Request {
	return calibrate.Request{Verb: q.Verb, Received: q.Received, Answered: q.Answered, Status: q.Status, Client: clientOf(q),
		Lock: q.Lock.Resource + "/" + q.Lock.Namespace + "/" + q.Lock.Name}
}

// clientOf returns a text that is the same for all requests of a client, and for no others.
func clientOf(q *evidence.Request) string { return q.From + "\n" + q.Agent + "\n" + q.User }

// outages sets v.Outages to the times in which the API server refused, failed or was slow, by the requests about all locks. If
// there are too many requests to look for any, it sets v.TooMany.
func outages(v *reports.Investigation) {
	received := reports.NewReceived(v.Evidence.Requests)
	var all []calibrate.Request
	for _, q := range received {
		all = append(all, measured(q))
	}
	episodes, many := calibrate.EpisodesOf(all)
	v.TooMany = many
	for _, e := range episodes {
		its := received
		if e.One {
			its = slices.DeleteFunc(slices.Clone(received), func(q *evidence.Request) bool { return clientOf(q) != e.Client })
		}
		o := its.Outage(e.Kind, e.From, e.Until, e.Slow)
		if e.One {
			o.Of = &reports.Client{Address: its[0].From, Agent: its[0].Agent}
		}
		v.Outages = append(v.Outages, o)
	}
}

// writeScenario writes the file of --scenario, and prints how near its run is to the logs. It returns an error if v has no lock
// or several locks, or if no scenario can be made.
func (f *flags) writeScenario(c *cobra.Command, v *reports.Investigation) error {
	if len(v.Locks) != 1 {
		return exit.Usage(c.CommandPath(), "--scenario: want one lock, and the logs name %d; --lock NAMESPACE/NAME names one", len(v.Locks))
	}
	x := &v.Locks[0]
	r, err := replay.Make(x.Evidence, x.Story, &f.options)
	if err != nil {
		return exit.With(exit.BadInput, fmt.Errorf("--scenario: %w", err))
	}
	if err := outfile.Write("--scenario", f.scenario, f.force, r.Scenario.WriteYAML); err != nil {
		return err
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(c.ErrOrStderr(), "simulate: "+format+"\n", args...)
	}
	for _, what := range r.Denied {
		say("its run denies what is certain by the logs: %s", phrase.OneLine(what))
	}
	say("%s has %d writes, from %s on; each is within %v of when the server applied it", f.scenario, r.Writes, r.From.UTC().Format(time.RFC3339), r.Error)
	if r.Left > 0 {
		say("%d other writes are left out", r.Left)
	}
	if len(r.Assumed) > 0 {
		say("assumed, since neither a flag nor a manifest says it: %s", phrase.OneLine(phrase.And(r.Assumed)))
	}
	for _, what := range r.Differs {
		say("the logs contradict it: %s", phrase.OneLine(what))
	}
	if r.Overlap > 0 && x.Verdict() != investigate.Certain {
		say("in it two work at once for %v, which the logs do not show: it is one course of many that have these writes", r.Overlap)
	}
	say("next: simulate run %s", phrase.ShellPath(f.scenario))
	return nil
}
