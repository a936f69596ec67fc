package main

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/elector"
	"interregnum/elector/kubelock"
	"interregnum/internal/version"
)

// newRoot returns elector's root command, with its flags and its subcommand version.
func (p *program) newRoot() *cobra.Command {
	o := &options{}
	root := &cobra.Command{
		Use:   "elector [flags] [-- PROGRAM [ARG…]]",
		Short: "Take part in a leader election, and run a command only while leading",
		Long: `Take part in a leader election, and run a command only while leading.

The lock is a Lease in Kubernetes, a row in SQLite or PostgreSQL, or a key in
etcd. The command gets the variable INTERREGNUM_FENCING_TOKEN, a number that
grows with each leader. When the lease is lost, or elector dies, the command and
all of its process group get SIGTERM, and after --grace SIGKILL: before another
candidate may lead. On Linux all that it has started gets that, wherever it is.

When the command ends by itself elector gives the lock up and ends with the
command's status, or, with --restart, stands for election again. On SIGTERM,
SIGINT and SIGHUP it stops the command, gives the lock up and ends with 0.

Exit codes: 2 bad input, 3 elector failed, 4 not leading within --wait, else the
command's (128 + N for signal N).`,
		Example: `  elector --lock sqlite:///var/lib/job.lock --wait 0s --exec 'backup --full'
  elector --lock kubernetes --name reports --namespace jobs -- /reports --serve
  ELECTOR_LOCK=postgres://app@db/app elector --name nightly -- ./nightly
  elector --lock etcd://127.0.0.1:2379/locks/nightly -- ./nightly
  elector --lock kubernetes --name reports --observe`,
		Version:      version.Read("elector").String(),
		SilenceUsage: true, SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			switch dash := c.ArgsLenAtDash(); {
			case len(args) > 0 && dash != 0:
				return badInput("unexpected argument %q: a program and its arguments follow --", args[0])
			case len(args) == 0 && dash == 0:
				return badInput("expected a program and its arguments after --, got none")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.args, o.set = args, c.Flags().Changed
			return p.elect(c.Context(), o)
		},
	}
	root.SetVersionTemplate("{{.Version}}")
	root.AddCommand(&cobra.Command{
		Use: "version", Short: "What this program was built of",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return badInput("version: expected no argument, got %q", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(c.OutOrStdout(), root.Version)
			return err
		},
	})
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return badInput("%v", err) })
	o.flags(root)
	// Of any terminal.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	return root
}

// flags registers all flags of the command c, with their defaults and completions. Their values go into o.
func (o *options) flags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.Var(&once{to: &o.lock}, "lock", "kubernetes, sqlite:///PATH, postgres://USER@HOST/DB, etcd://HOST:PORT/KEY or "+
		"etcds://… (TLS); default $"+lockVariable+", else kubernetes. Passwords belong into the variable")
	f.StringVar(&o.name, "name", "", "the lock's name: of the Lease, or the key in the table; etcd's key is in --lock")
	f.StringVar(&o.id, "id", "", "this candidate's identity (default $POD_NAME, else host and process)")
	f.Var(&once{to: &o.exec}, "exec",
		"a command line for /bin/sh -c, to run while leading; or a program after --, without a shell")
	f.BoolVar(&o.restart, "restart", false, "when the command ends by itself, give the lock up and stand again")
	f.DurationVar(&o.grace, "grace", 0,
		"from SIGTERM to SIGKILL, below --lease-duration less --renew-deadline (default half of that; 0s: at once)")
	f.Lookup("grace").DefValue = "0s" // Not shown.
	f.StringSliceVar(&o.passEnv, "pass-env", nil, "give the command "+lockVariable+
		", or PGPASSWORD or PGSSLPASSWORD of a lock in PostgreSQL, which are elector's own otherwise")
	f.DurationVar(&o.wait, "wait", -1,
		"how long to wait for the lock before giving up with exit code 4 (default for ever)")
	f.Lookup("wait").DefValue = "0s" // Not shown.
	f.DurationVar(&o.lease, "lease-duration", 15*time.Second, "how long a lease lasts")
	f.DurationVar(&o.renew, "renew-deadline", 10*time.Second, "how long a leader tries to renew before it stops")
	f.DurationVar(&o.retry, "retry-period", 2*time.Second, "the wait between two attempts")
	f.StringVar(&o.profile, "profile", string(elector.Strict), "strict, or client-go (no command then)")
	f.StringVar(&o.lockKind, "lock-kind", kubelock.LeasesResourceLock,
		"in Kubernetes: "+strings.Join(lockKinds, ", "))
	f.StringVar(&o.kubeconfig, "kubeconfig", "", "a kubeconfig file (default $KUBECONFIG, else in-cluster)")
	f.StringVar(&o.namespace, "namespace", "",
		"in Kubernetes (default $POD_NAMESPACE, else the pod's or the kubeconfig's)")
	f.StringVar(&o.table, "table", defaultTable, "in SQLite and PostgreSQL, the table")
	f.BoolVar(&o.createTable, "create-table", false,
		"in PostgreSQL, make the table where there is none; in SQLite it always is")
	f.StringVar(&o.etcdCA, "etcd-ca", "", "for etcds: a file with the CA (default the system's)")
	f.StringVar(&o.etcdCert, "etcd-cert", "", "for etcds: a file with the client's certificate")
	f.StringVar(&o.etcdKey, "etcd-key", "", "for etcds: a file with the client's key")
	f.StringVar(&o.listen, "listen", "", "HOST:PORT for /healthz, /readyz, /metrics and /leader (default none)")
	f.BoolVar(&o.observe, "observe", false, "take no part: print each change of leader, a JSON object a line")
	f.StringVar(&o.logLevel, "log-level", "",
		"debug, info (each term and holder), warn or error (default info in Kubernetes, else warn)")
	for flag, choices := range map[string][]string{
		"profile": {string(elector.Strict), string(elector.ClientGo)}, "lock-kind": lockKinds,
		"log-level": {"debug", "info", "warn", "error"},
	} {
		// It fails for a flag that there is not.
		_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
	}
}

// once is a string flag that can be given only once: of two locks, one would be ignored.
type once struct {
	to    *string
	given bool
}

// Set implements pflag.Value: it stores the flag's value, text. It returns an error if the flag was given before.
func (f *once) Set(text string) error {
	if f.given {
		return errors.New("it was given before")
	}
	*f.to, f.given = text, true
	return nil
}

// String implements pflag.Value. It always returns "", which is the default.
func (f *once) String() string { return "" }

// Type implements pflag.Value: it returns the name of the flag's type, which help shows.
func (f *once) Type() string { return "string" }
