// Package rules has the command simulate rules.
package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/target"
	"interregnum/internal/gate"
	"interregnum/internal/rules"
	"interregnum/plan"
)

// flags are the flags of simulate rules.
type flags struct {
	target.Flags
	lease, election, pods string
	transitions           int
}

// New returns the command simulate rules.
func New() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "rules [flags] [FILE]",
		Short: "Alerting rules for Prometheus, for the timings of one election",
		Long: `Alerting rules for Prometheus, for the timings of one leader election.

The timings are those of the flags, or the only ones in a file that simulate gate reads. The rules say when updates of
Leases take longer than these timings bear, so that two leaders could work at once or the lead is lost; when nobody
leads; when two say that they do; and when the leader changes too often.

They use metrics of the API server, of client-go (leader_election_master_status) and of kube-state-metrics.

Exit codes: 0 written, 1 the gate calls no round trip safe with these timings (the rules are written all the same), 2 bad input.`,
		Example: `  simulate rules --lease kube-system/my-controller --lease-duration 15s --renew-deadline 10s --retry-period 2s > rules.yaml
  simulate rules --lease shop/manager deploy.yaml --environment environment.yaml > rules.yaml && promtool check rules rules.yaml`,
		ValidArgsFunction: completion.Files(completion.YAML...),
		RunE:              func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	set := c.Flags()
	set.SortFlags = false
	set.StringVar(&f.lease, "lease", "", "the Lease, as `NAMESPACE/NAME`")
	set.StringVar(&f.pods, "pods-namespace", "", "the `NAMESPACE` of the processes, as Prometheus labels their metrics (default: the Lease's)")
	set.StringVar(&f.election, "election", "", "the election's `NAME` in leader_election_master_status (default: the Lease's)")
	set.IntVar(&f.transitions, "max-transitions", 3, "`N` changes of the leader within an hour give no alert")
	f.Register(c)
	f.Lock.Register(c, "; for files that do not say")
	return c
}

// namespaceName and leaseName match the names that Kubernetes takes for a namespace, a DNS label, and for a Lease, a DNS subdomain.
// Lengths are not compared.
var (
	namespaceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	leaseName     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// mostTransitions is the highest value of --max-transitions, in an hour: thousands of changes a second.
const mostTransitions = 10_000_000

// run writes the rules to standard output. It returns an error with the exit code, also if no round trip is safe.
func (f *flags) run(c *cobra.Command, args []string) error {
	namespace, name, ok := strings.Cut(f.lease, "/")
	switch {
	case !ok || namespace == "" || name == "" || strings.Contains(name, "/"):
		return exit.Usage(c.CommandPath(), "--lease %q: want NAMESPACE/NAME", f.lease)
	case !namespaceName.MatchString(namespace) || !leaseName.MatchString(name):
		return exit.Usage(c.CommandPath(), "--lease %q: want names of a-z, 0-9 and -, the Lease's also with dots, as Kubernetes has them", f.lease)
	case f.transitions < 0 || f.transitions > mostTransitions:
		return exit.Usage(c.CommandPath(), "--max-transitions %d: want 0 to %d", f.transitions, mostTransitions)
	}
	if err := f.Check(c, args); err != nil {
		return err
	}
	e, err := f.Environment.Read(c)
	if err != nil {
		return err
	}
	r, err := f.Judge(c, args, e)
	if err != nil {
		return err
	}
	j, err := only(c, r)
	if err != nil {
		return err
	}
	l := &rules.Lease{Namespace: namespace, Name: name, Election: f.election, Pods: cmp.Or(f.pods, namespace), Transitions: f.transitions}
	if l.Election == "" {
		l.Election = name
	}
	bearable := rules.Bearable(j)
	if err := rules.Write(c.OutOrStdout(), l, j, bearable); err != nil {
		return err
	}
	if bearable == 0 {
		return &exit.Error{Code: exit.NotAsExpected}
	}
	return nil
}

// only returns the judgement of a report's only target. It returns an error if there are none or several, if something could not
// be judged, if the lock is not on a Lease, or if the target is refused.
func only(c *cobra.Command, r *gate.Report) (*gate.Judgement, error) {
	switch {
	case len(r.Problems) > 0:
		return nil, exit.With(exit.BadInput, r.Problems[0])
	case len(r.Failures) > 0:
		return nil, exit.With(exit.HarnessFailed, r.Failures[0])
	case len(r.Targets) != 1:
		return nil, exit.Usage(c.CommandPath(), "want one set of timings, got %d: name one file with one, or give --lease-duration, --renew-deadline and --retry-period", len(r.Targets))
	case r.Targets[0].Lock != "" && r.Targets[0].Lock != plan.Lease:
		return nil, &exit.Error{Code: exit.BadInput, Text: fmt.Sprintf("%s: want a lock on a Lease, got %s", r.Targets[0].Position, r.Targets[0].Lock)}
	case r.Targets[0].Verdict == gate.Refused:
		return nil, &exit.Error{Code: exit.BadInput, Text: r.Targets[0].Position.String() + ": refused: " + r.Targets[0].Reason}
	}
	return r.Targets[0], nil
}
