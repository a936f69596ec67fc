package investigate

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/cluster"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/leasewatch"
	"interregnum/reports"
)

// watchFlags are the flags of a watch.
type watchFlags struct {
	kubeconfig, context, namespace, metrics string
	inCluster                               bool
	lasting                                 cliflag.Once
}

// ofWatch are the flags that are only for a watch.
var ofWatch = []string{"kubeconfig", "context", "in-cluster", "namespace", "metrics"}

// register adds the flags to the command.
func (f *watchFlags) register(c *cobra.Command) {
	set := c.Flags()
	f.lasting = cliflag.Once{Kind: "DURATION", Check: cliflag.AtLeast(time.Second)}
	set.Var(&f.lasting, "watch", "watch the Leases of a server for so long, in place of logs")
	set.StringVar(&f.kubeconfig, "kubeconfig", "", "watch the server of this `FILE`")
	set.StringVar(&f.context, "context", "", "watch the server of this `CONTEXT` of the kubeconfig")
	set.BoolVar(&f.inCluster, "in-cluster", false, "watch the server of the cluster that this process runs in")
	set.StringVar(&f.namespace, "namespace", "", "only Leases of this `NAMESPACE` (default: any)")
	set.StringVar(&f.metrics, "metrics", "", "meanwhile, serve metrics for Prometheus at this `ADDRESS`, such as 127.0.0.1:9464")
	cliflag.Group(set, "For a server", append([]string{"watch"}, ofWatch...)...)
}

// watches tells whether --watch is given, so that a server is watched in place of logs.
func (f *watchFlags) watches() bool { return f.lasting.Text != "" }

// check returns an error if flags and arguments contradict each other, or if there is neither a log nor --watch.
func (f *watchFlags) check(c *cobra.Command, args []string) error {
	for _, name := range ofWatch {
		if c.Flags().Changed(name) && !f.watches() {
			return exit.Usage(c.CommandPath(), "--%s is about a server: want --watch DURATION", name)
		}
	}
	switch {
	case !f.watches() && len(args) == 0:
		return exit.Usage(c.CommandPath(), "want a log")
	case f.watches() && len(args) > 0:
		return exit.Usage(c.CommandPath(), "--watch and %q: want logs or a server, not both", args[0])
	case f.watches() && (c.Flags().Changed("scenario") || c.Flags().Changed("behaviour")):
		return exit.Usage(c.CommandPath(), "--scenario and --behaviour are about logs: a watch does not see when the server applied a write, or how long that took")
	case f.inCluster && (f.kubeconfig != "" || f.context != ""):
		return exit.Usage(c.CommandPath(), "--in-cluster: want no kubeconfig and no context beside it")
	}
	return nil
}

// watchServer watches the Leases of a server for the time of --watch, or until Ctrl-C. It sets v.Evidence to what it has seen, in
// the form of logs, and prints problems that did not end the watch. It returns an error if there is no such server, if its
// Leases cannot be listed, or if their metrics cannot be served.
func (f *flags) watchServer(c *cobra.Command, v *reports.Investigation) error {
	config, _, err := cluster.Config(f.kubeconfig, f.context, f.inCluster)
	if err != nil {
		return &exit.Error{Code: exit.BadInput, Text: cluster.WithoutPassword(err.Error())}
	}
	errs := c.ErrOrStderr()
	w := &leasewatch.Watch{Config: config, Namespace: f.namespace, For: f.lasting.Duration()}
	if namespace, name, ok := strings.Cut(f.lock, "/"); ok {
		w.Namespace, w.Name = namespace, name
	}
	w.Began = func(n int) {
		leases := "Leases"
		if n == 1 {
			leases = "Lease"
		}
		fmt.Fprintf(errs, "simulate: watching %d %s of %s for %s; Ctrl-C ends it and tells what was seen\n", n, leases, cluster.WithoutPassword(config.Host), f.lasting.Text)
	}
	stopMetrics, err := f.serve(c, w)
	if err != nil {
		return err
	}
	defer stopMetrics()
	ctx, stop := terminal.Interruptible(c.Context())
	defer stop()
	seen, err := w.Run(ctx)
	if err != nil {
		return &exit.Error{Code: exit.BadInput, Text: cluster.WithoutPassword(err.Error())}
	}
	v.Evidence = &seen.Evidence
	for _, p := range seen.Problems {
		fmt.Fprintf(errs, "simulate: %s\n", cluster.WithoutPassword(p))
	}
	if seen.Interruptions > 0 {
		fmt.Fprintf(errs, "simulate: the watch began again %d times; writes between may be missing\n", seen.Interruptions)
	}
	return nil
}

// serve starts to serve the metrics of a watch at the address of --metrics, until stop is called. Without that flag it serves
// nothing, and stop does nothing. It returns an error if nobody can listen at that address.
func (f *watchFlags) serve(c *cobra.Command, w *leasewatch.Watch) (stop func(), err error) {
	if f.metrics == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", f.metrics)
	if err != nil {
		return nil, exit.Usage(c.CommandPath(), "--metrics %s: want an address to listen at: %v", f.metrics, err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", w)
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintf(c.ErrOrStderr(), "simulate: metrics are no longer served: %v\n", err)
		}
	}()
	fmt.Fprintf(c.ErrOrStderr(), "simulate: metrics are at http://%s/metrics\n", l.Addr())
	return func() { _ = s.Close() }, nil
}
