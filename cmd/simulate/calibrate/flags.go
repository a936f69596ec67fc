package calibrate

import (
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/internal/phrase"
)

// calibrateFlags are the flags of simulate calibrate.
type calibrateFlags struct {
	// For logs.
	user, resource string
	allowBroken    int64
	// For a server.
	kubeconfig, context             string
	inCluster, write                bool
	lasting, interval, timeout, add cliflag.Once
	// For both.
	namespace, lease  string
	margin            float64
	note, environment string
	recording         string
	behaviour, force  bool
	output            string
	// print prints the form that output names.
	print func(*calibration, io.Writer) error
}

// The flags that are only for logs, and those that are only for a server.
var (
	logFlags    = []string{"user", "resource", "allow-broken"}
	serverFlags = []string{"kubeconfig", "context", "in-cluster", "write", "for", "interval", "request-timeout"}
)

// register adds the flags to the command.
func (f *calibrateFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.namespace, "namespace", "", "only Leases of this `NAMESPACE` (of a server: default: the context's, or "+
		"any to read)")
	flags.StringVar(&f.lease, "lease", "", "only the Lease of this `NAME` (of a server: default: any)")
	flags.StringVar(&f.user, "user", "", "of logs: only requests of this `USER`")
	flags.StringVar(&f.resource, "resource", "leases", "of logs: `RESOURCE` with the records: leases, configmaps or endpoints")
	flags.Int64Var(&f.allowBroken, "allow-broken", 0, "of logs: `N` broken lines at most are skipped with a note")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "measure the server of this `FILE`")
	flags.StringVar(&f.context, "context", "", "measure the server of this `CONTEXT` of the kubeconfig")
	flags.BoolVar(&f.inCluster, "in-cluster", false, "measure the server of the cluster that this process runs in")
	flags.BoolVar(&f.write, "write", false, "of a server: measure writes too, on an own Lease, which is deleted in the end")
	f.lasting, f.interval = cliflag.Duration(time.Minute), cliflag.Duration(time.Second)
	f.timeout = cliflag.Duration(30 * time.Second)
	f.add = cliflag.Once{Text: "0s", Kind: "DURATION", Check: cliflag.AtLeast(0)}
	flags.Var(&f.lasting, "for", "of a server: how long it measures")
	flags.Var(&f.interval, "interval", "of a server: how long from one request to the next")
	flags.Var(&f.timeout, "request-timeout", "of a server: when a request is given up, and counts as lost")
	flags.Float64Var(&f.margin, "margin", 2, "maxRoundTrip is `N` times the slowest answer")
	flags.Var(&f.add, "add", "what maxRoundTrip gets on top, for what is not measured")
	flags.StringVar(&f.environment, "environment", "environment.yaml", "write the environment into this `FILE`")
	flags.BoolVar(&f.behaviour, "behaviour", false, "that file also says what is usual: round trips in percentiles, failures, episodes")
	flags.StringVar(&f.recording, "recording", "", "write the requests one by one into `FILE`, to be replayed; with --behaviour, that is what is usual")
	flags.StringVar(&f.note, "note", "", "`TEXT` for a comment in that file, such as a date or the name of the cluster")
	flags.BoolVar(&f.force, "force", false, "--environment and --recording replace files that exist")
	forms.Register(c, &f.output)
}

// check returns an error if flags and arguments contradict each other or have no meaning together, if a value is out of range, or
// if there is nothing to measure. It sets f.print.
func (f *calibrateFlags) check(c *cobra.Command, args []string) error {
	command, changed := c.CommandPath(), c.Flags().Changed
	server := changed("kubeconfig") || changed("context") || f.inCluster
	for _, name := range serverFlags {
		if len(args) > 0 && changed(name) {
			return exit.Usage(command, "--%s and %q: want a server or logs, not both", name, args[0])
		}
	}
	for _, name := range logFlags {
		if len(args) == 0 && changed(name) {
			return exit.Usage(command, "--%s is about logs: want one", name)
		}
	}
	for i, arg := range args {
		if slices.Contains(args[:i], arg) {
			return exit.Usage(command, "%q is given twice: its requests would count twice", arg)
		}
	}
	switch {
	case len(args) == 0 && !server:
		return exit.Usage(command, "nothing to measure: want audit logs, or --kubeconfig, --context or --in-cluster")
	case f.inCluster && (changed("kubeconfig") || changed("context")):
		return exit.Usage(command, "--in-cluster: want no --kubeconfig and no --context with it")
	case f.write && changed("lease"):
		return exit.Usage(command, "--write and --lease: want one; --write makes a Lease of its own, and touches no other")
	case !slices.Contains([]string{"leases", "configmaps", "endpoints"}, f.resource):
		return exit.Usage(command, "--resource %q: want leases, configmaps or endpoints", f.resource)
	case f.recording != "" && (filepath.Clean(f.recording) == filepath.Clean(f.environment) || input.Same(f.recording, f.environment)):
		return exit.Usage(command, "--recording and --environment: want two files, got %s for both", f.recording)
	case f.allowBroken < 0:
		return exit.Usage(command, "--allow-broken %d: want 0 or more", f.allowBroken)
	case !(f.margin >= 1 && f.margin <= 1000):
		return exit.Usage(command, "--margin %g: want 1 to 1000", f.margin)
	case phrase.OneLine(f.note) != f.note:
		return exit.Usage(command, "--note: want one line of text")
	}
	var err error
	f.print, err = forms.Chosen(c, f.output)
	return err
}
