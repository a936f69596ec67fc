package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"interregnum/elector"
	"interregnum/elector/kubelock"
	"interregnum/elector/machine"
)

// options are what the command line says, and what follows from it: see complete.
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
	// args are the arguments after --.
	args []string
	// at is the place that lock stands for. command is the command to run, nil for none.
	at      place
	command []string
}

// defaultName and defaultTable are those of a lock in SQL.
const (
	defaultName  = "elector"
	defaultTable = "elector_locks"
)

// maxText is how many characters an identity or a name may have at most. The table of package sqllock takes no more.
const maxText = 255

// lockVariable is the environment variable that takes the place of --lock: every user of a host can read a command
// line.
const lockVariable = "ELECTOR_LOCK"

// secrets returns the names of the environment variables that the command does not get, since they hold the lock's password, or
// perhaps do. Those that --pass-env names are left out of the list.
func (o *options) secrets() []string {
	names := []string{lockVariable}
	if o.at.kind == onPostgreSQL {
		names = append(names, "PGPASSWORD", "PGSSLPASSWORD") // What the driver reads.
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(o.passEnv, name) })
}

// pair tells whether a lock of that kind is on two objects, such as configmapsleases.
func pair(kind string) bool {
	return kind != kubelock.LeasesResourceLock && strings.HasSuffix(kind, "leases")
}

var lockKinds = []string{
	kubelock.LeasesResourceLock, kubelock.ConfigMapsLeasesResourceLock, kubelock.EndpointsLeasesResourceLock,
	kubelock.ConfigMapsResourceLock, kubelock.EndpointsResourceLock,
}

// complete fills in the defaults that depend on the environment, sets o.at and o.command, and checks all options. Its error names
// every flag that is wrong.
func (o *options) complete(env func(string) string) error {
	var wrong []error
	refuse := func(what string, values ...any) { wrong = append(wrong, fmt.Errorf(what, values...)) }
	var err error
	if o.at, err = parsePlace(cmp.Or(o.lock, env(lockVariable), "kubernetes")); err != nil {
		refuse("--lock: %w", err)
	}
	if o.set("id") && o.id == "" {
		refuse("--id: expected a name, got an empty one; leave the flag out for the default")
	}
	o.id = cmp.Or(o.id, env("POD_NAME"), hostAndProcess())
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

// meant lists the flags that are only for some kinds of lock, with those kinds.
var meant = []struct{ flag, kinds string }{
	{"lock-kind", onKubernetes}, {"kubeconfig", onKubernetes}, {"namespace", onKubernetes},
	{"table", onSQLite + " " + onPostgreSQL}, {"create-table", onPostgreSQL},
}

// checkIgnored calls refuse for flags that would be ignored: those in meant if the lock is of another kind, and --wait, --grace
// and --create-table with --observe. checkLock and checkCommand refuse other flags.
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

// checkElection calls refuse for an unknown profile, and for timings that the profile does not take. If the timings are right,
// it also sets the default of --grace, and calls refuse for a grace that is negative or does not fit into the window.
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

// checkLock calls refuse for flags about the lock, --lease-duration and --wait included, that are missing or invalid, or that
// contradict each other or the kind of lock. For a lock in SQL it sets the default of --name.
func (o *options) checkLock(refuse func(string, ...any)) {
	kubernetes := o.at.kind == onKubernetes
	switch {
	case !slices.Contains(lockKinds, o.lockKind):
		refuse("--lock-kind: expected one of %s, got %q", strings.Join(lockKinds, ", "), o.lockKind)
	case o.observe && kubernetes && pair(o.lockKind):
		refuse("--observe: --lock-kind %s is two objects, which every candidate writes: expected one of them, "+
			"--lock-kind leases or %s", o.lockKind, strings.TrimSuffix(o.lockKind, "leases"))
	}
	if o.set("name") && o.name == "" {
		refuse("--name: expected a name, got an empty one; leave the flag out for the default")
	}
	if o.at.kind == onSQLite {
		o.table = sqliteTable(o.table)
		switch {
		case o.table == "interregnum_file":
			refuse("--table: expected another than interregnum_file, which elector keeps for itself")
		case strings.Contains(o.table, "."):
			refuse("--table: expected a table in SQLite's file, got %.100q", o.table)
		}
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
		refuse("--name: expected the name of the lock object in Kubernetes, where the lock is without --lock; got none")
	case o.name == "":
		o.name = cmp.Or(o.at.key, defaultName)
	}
}

// sqliteTable returns the one name of a table in SQLite of those that mean the same table: without main before it, and without
// capital letters of ASCII. All electors have to tell each other the same name: see announce.
func sqliteTable(name string) string {
	name = strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
	return strings.TrimPrefix(name, "main.")
}

// checkCommand sets the command to run, from --exec or from what follows --; nil for none. It calls refuse for a program that
// cannot be found, for an invalid --pass-env, and for flags that contradict the command, or that need a command if there is
// none.
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

// checkText calls refuse for a text that has more than maxText characters, is not UTF-8, or has a NUL in it: the text becomes a
// column, a label of metrics and a field of the log. what names the text in the error.
func checkText(refuse func(string, ...any), what, text string) {
	if n := utf8.RuneCountInString(text); n > maxText || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		refuse("%s: expected at most %d characters of UTF-8 without a NUL, got %.60q, %d characters", what, maxText, text, n)
	}
}

// hostAndProcess returns the default identity: the name of the host, "unknown" if the system does not tell it, an underscore,
// and the number of this process.
func hostAndProcess() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s_%d", host, os.Getpid())
}

// requestTimeout returns how long one request to the lock may take. Two such requests, and a --retry-period between them, fit
// into --renew-deadline.
func (o *options) requestTimeout() time.Duration { return (o.renew - o.retry) / 2 }
