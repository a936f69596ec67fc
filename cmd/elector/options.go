package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"interregnum/elector"
	"interregnum/elector/kubelock"
	"interregnum/elector/machine"
	"interregnum/internal/version"
)

// options is the command line.
type options struct {
	lock, lockKind, kubeconfig, namespace, name, id string
	table                                           string
	createTable                                     bool
	etcdCA, etcdCert, etcdKey                       string
	lease, renew, retry, grace, wait                time.Duration
	profile                                         string
	exec                                            string
	passEnv                                         []string
	restart, observe                                bool
	listen, logLevel                                string

	// set tells whether a flag was given.
	set func(flag string) bool
	// args is what follows --.
	args []string
	// at is what lock means. command is what to run, nil for nothing.
	at      place
	command []string
}

// maxText is how many characters an identity or a name may have. The table of package sqllock takes no more.
const maxText = 255

// lockVariable is the environment variable for --lock: a command line can be read by every user of a host.
const lockVariable = "ELECTOR_LOCK"

// secrets are the names of the environment variables that the command does not get, since they hold the lock's password
// or may; --pass-env makes exceptions.
func (o *options) secrets() []string {
	names := []string{lockVariable}
	if o.at.kind == onPostgreSQL {
		names = append(names, "PGPASSWORD", "PGSSLPASSWORD") // What the driver reads.
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(o.passEnv, name) })
}

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
command's status, or, with --restart, stands for election again. On SIGTERM and
SIGINT it stops the command, gives the lock up and ends with 0.

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

// flags registers all flags, with their defaults and completions.
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
	f.StringVar(&o.table, "table", "elector_locks", "in SQLite and PostgreSQL, the table")
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

// once is a string flag that is given once: of two locks, one would not be taken.
type once struct {
	to    *string
	given bool
}

// Set implements pflag.Value.
func (f *once) Set(text string) error {
	if f.given {
		return errors.New("it was given before")
	}
	*f.to, f.given = text, true
	return nil
}

// String implements pflag.Value.
func (f *once) String() string { return "" }

// Type implements pflag.Value.
func (f *once) Type() string { return "string" }

// pair tells whether a kind of lock is two objects, such as configmapsleases.
func pair(kind string) bool {
	return kind != kubelock.LeasesResourceLock && strings.HasSuffix(kind, "leases")
}

var lockKinds = []string{
	kubelock.LeasesResourceLock, kubelock.ConfigMapsLeasesResourceLock, kubelock.EndpointsLeasesResourceLock,
	kubelock.ConfigMapsResourceLock, kubelock.EndpointsResourceLock,
}

// complete fills in the defaults that depend on the environment, and checks all options. Its error names every flag
// that is wrong.
func (o *options) complete(env func(string) string) error {
	var wrong []error
	refuse := func(what string, values ...any) { wrong = append(wrong, fmt.Errorf(what, values...)) }
	var err error
	if o.at, err = parsePlace(first(o.lock, env(lockVariable), "kubernetes")); err != nil {
		refuse("--lock: %w", err)
	}
	o.id = first(o.id, env("POD_NAME"), hostAndProcess())
	checkText(refuse, "--id", o.id)
	o.checkIgnored(refuse)
	o.checkElection(refuse)
	o.checkLock(refuse)
	o.checkCommand(refuse)
	if o.listen != "" {
		if _, err := net.ResolveTCPAddr("tcp", o.listen); err != nil {
			refuse("--listen: expected HOST:PORT, as in :8080, got %.100q: %w", o.listen, err)
		}
	}
	if !o.set("log-level") {
		// A pod's log is where people look. What a normal run says elsewhere is for cron to send, each time.
		o.logLevel = "warn"
		if o.at.kind == onKubernetes {
			o.logLevel = "info"
		}
	}
	if _, err := levelOf(o.logLevel); err != nil {
		refuse("--log-level: expected debug, info, warn or error, got %q", o.logLevel)
	}
	if len(wrong) > 0 {
		return badInput("%v", errors.Join(wrong...))
	}
	return nil
}

// meant says where a flag has a meaning.
var meant = []struct{ flag, kinds string }{
	{"lock-kind", onKubernetes}, {"kubeconfig", onKubernetes}, {"namespace", onKubernetes},
	{"table", onSQLite + " " + onPostgreSQL}, {"create-table", onPostgreSQL},
}

// checkIgnored refuses flags that would be ignored: those of another kind of lock, and those that mean nothing with
// --observe.
func (o *options) checkIgnored(refuse func(string, ...any)) {
	for _, m := range meant {
		if o.at.kind != "" && o.set(m.flag) && !strings.Contains(m.kinds, o.at.kind) {
			refuse("--%s: it has a meaning for --lock %s only, got --lock %s", m.flag, m.kinds, o.at.kind)
		}
	}
	for _, flag := range []string{"wait", "grace", "create-table"} {
		if o.observe && o.set(flag) {
			refuse("--%s: it has no meaning with --observe, which takes no part", flag)
		}
	}
}

// checkElection refuses an unknown profile, and timings that the profile does not take. It sets the default of --grace,
// and refuses a grace that does not fit.
func (o *options) checkElection(refuse func(string, ...any)) {
	profile := elector.Profile(o.profile)
	timings := machine.Timings{LeaseDuration: o.lease, RenewDeadline: o.renew, RetryPeriod: o.retry}
	err := timings.ValidateStrict()
	switch profile {
	case elector.Strict:
	case elector.ClientGo:
		err = timings.Validate()
	default:
		refuse("--profile: expected %s or %s, got %q", elector.Strict, elector.ClientGo, o.profile)
	}
	if err != nil {
		refuse("--lease-duration %v, --renew-deadline %v, --retry-period %v: %w", o.lease, o.renew, o.retry, err)
		return
	}
	window := o.lease - o.renew
	if !o.set("grace") {
		o.grace = window / 2
	}
	if o.grace < 0 || o.grace >= window {
		refuse("--grace: expected 0s or more, and less than --lease-duration less --renew-deadline, %v, got %v",
			window, o.grace)
	}
}

// checkLock refuses flags about the lock that contradict each other or its kind, and sets the default of --name.
func (o *options) checkLock(refuse func(string, ...any)) {
	kubernetes := o.at.kind == onKubernetes
	switch {
	case !slices.Contains(lockKinds, o.lockKind):
		refuse("--lock-kind: expected one of %s, got %q", strings.Join(lockKinds, ", "), o.lockKind)
	case o.observe && kubernetes && pair(o.lockKind):
		refuse("--observe: --lock-kind %s is two objects, which every candidate writes: expected one of them, "+
			"--lock-kind leases or %s", o.lockKind, strings.TrimSuffix(o.lockKind, "leases"))
	}
	checkText(refuse, "--name", o.name)
	checkText(refuse, "the key in --lock", o.at.key)
	if problems := validation.IsDNS1123Subdomain(o.name); kubernetes && o.name != "" && len(problems) > 0 {
		refuse("--name: expected the name of an object in Kubernetes, got %.100q: %s", o.name, strings.Join(problems, "; "))
	}
	if kubernetes && o.profile == string(elector.ClientGo) && o.lease < time.Second {
		refuse("--lease-duration: expected at least 1s, since %s cuts it to whole seconds and the API server takes no 0, "+
			"got %v", elector.ClientGo, o.lease)
	}
	if o.set("wait") && o.wait < 0 {
		refuse("--wait: expected 0s or more, got %v; without it the wait is for ever", o.wait)
	}
	if kubernetes && o.wait >= 0 && o.wait < o.lease+o.retry {
		refuse("--wait: expected at least --lease-duration and --retry-period, %v: in Kubernetes a lease is taken over only "+
			"after it has been watched for that long; got %v", o.lease+o.retry, o.wait)
	}
	if o.at.kind == onEtcd && o.lease%time.Second != 0 {
		refuse("--lease-duration: expected whole seconds, as etcd's leases have, got %v", o.lease)
	}
	if (o.etcdCA != "" || o.etcdCert != "" || o.etcdKey != "") && !(o.at.kind == onEtcd && o.at.tls) {
		refuse("--etcd-ca, --etcd-cert, --etcd-key: they are for --lock etcds://… only")
	}
	if (o.etcdCert == "") != (o.etcdKey == "") {
		refuse("--etcd-cert, --etcd-key: expected both or neither")
	}
	switch {
	case o.at.kind == onEtcd && o.name != "":
		refuse("--name: etcd's key is the path in --lock")
	case o.name == "" && kubernetes:
		refuse("--name: expected the name of the lock object, got none")
	case o.name == "":
		o.name = first(o.at.key, "elector")
	}
}

// checkCommand sets the command to run, from --exec or from what follows --, and refuses flags that contradict it.
func (o *options) checkCommand(refuse func(string, ...any)) {
	switch {
	case o.set("exec") && len(o.args) > 0:
		refuse("--exec: expected it or a program after --, got both")
	case o.set("exec") && strings.TrimSpace(o.exec) == "":
		refuse("--exec: expected a command line, got %q", o.exec)
	case o.set("exec"):
		o.command = []string{"/bin/sh", "-c", o.exec}
	default:
		o.command = o.args
	}
	if len(o.command) > 0 {
		// Now, not when it has become the leader one day.
		if _, err := exec.LookPath(o.command[0]); err != nil {
			refuse("--: expected a program that can be run: %w", err)
		}
	}
	none := len(o.command) == 0
	for _, name := range o.passEnv {
		if !slices.Contains([]string{lockVariable, "PGPASSWORD", "PGSSLPASSWORD"}, name) {
			refuse("--pass-env: expected %s, PGPASSWORD or PGSSLPASSWORD, got %.60q; the command has all other variables "+
				"anyway", lockVariable, name)
		}
	}
	switch {
	case none && len(o.passEnv) > 0:
		refuse("--pass-env: expected a command, by --exec or after --")
	case none && o.restart:
		refuse("--restart: expected a command, by --exec or after --")
	case !none && o.observe:
		refuse("--observe: it takes no part, so there is no command to run")
	case !none && o.profile == string(elector.ClientGo):
		refuse("--profile: a command needs %s; %s gives the lock up before the command has ended",
			elector.Strict, elector.ClientGo)
	}
}

// checkText refuses a text that is longer than maxText, no UTF-8, or has a NUL in it: it becomes a column, a label of
// metrics and a field of the log. The word what names it in the error.
func checkText(refuse func(string, ...any), what, text string) {
	if n := utf8.RuneCountInString(text); n > maxText || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		refuse("%s: expected at most %d characters of UTF-8 without a NUL, got %.60q, %d characters", what, maxText, text, n)
	}
}

// hostAndProcess is the default identity: the name of the host and the number of this process, joined.
func hostAndProcess() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s_%d", host, os.Getpid())
}

// first is the first of the texts that is not empty, "" for none.
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
