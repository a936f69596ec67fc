package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefused: each wrong flag is named, with exit code 2.
func TestRefused(t *testing.T) {
	t.Parallel()
	for args, want := range map[string][]string{
		"":               {"--name: expected the name of the lock object in Kubernetes, where the lock is without --lock; got none"},
		"--name=x --id=": {"--id: expected a name, got an empty one"},
		"--bad":          {"unknown flag: --bad"},
		"backup":         {`unexpected argument "backup": a program and its arguments follow --`},
		"--lock=redis://h": {
			`--lock: expected kubernetes, or a URL that begins with sqlite:///`, `got one that begins with "redis"`,
		},
		"--lock=sqlite://h": {"--lock: expected sqlite:// and an absolute path"},
		"--lock=etcd://h/k": {"--lock: expected etcd://HOST:PORT/KEY"},
		"--name=x --lease-duration=10s --grace=9s --lock-kind=leasez --profile=x --log-level=loud --restart": {
			"--lease-duration 10s, --renew-deadline 10s, --retry-period 2s:", "--lock-kind: expected one of leases,",
			"--profile: expected strict or client-go", "--log-level: expected debug", "--restart: expected a command",
		},
		"--name=x --grace=5s": {
			"--grace: expected 0s or more, and less than --lease-duration less --renew-deadline, 5s, got 5s",
		},
		"--name=x --wait=1s": {"--wait: expected at least --lease-duration and --retry-period, 17s"},
		"--lock=sqlite:///a --lock=sqlite:///b": {
			`invalid argument "sqlite:///b" for "--lock" flag: it was given before`,
		},
		"--name=x --exec= ": {`--exec: expected a command line, got ""`},
		"--name=x --":       {"expected a program and its arguments after --, got none"},
		"--name=x -- /no/such/program": {
			"--: expected a program that can be run: exec:", "no such file or directory",
		},
		"--name=x -- no-such-program": {"--: expected a program that can be run: exec:", "not found in $PATH"},
		"--name=x --id=" + strings.Repeat("i", 300): {
			`--id: expected at most 255 characters of UTF-8 without a NUL, got "` + strings.Repeat("i", 60) + `", 300`,
		},
		"--name=x --id=\xff":                {`--id: expected at most 255 characters of UTF-8 without a NUL, got "\xff", 1`},
		"--lock=sqlite:///a --name=\xff":    {`--name: expected at most 255 characters of UTF-8 without a NUL, got "\xff", 1`},
		"--lock=etcd://h:1/%ff":             {`the key in --lock: expected at most 255 characters of UTF-8 without a NUL`},
		"--name=x --grace=-1s -- /bin/true": {"--grace: expected 0s or more"},
		"--name=x --profile=client-go --lease-duration=900ms --renew-deadline=500ms --retry-period=100ms": {
			"--lease-duration: expected at least 1s, since client-go cuts it to whole seconds and the API server takes no 0",
		},
		"--name=x --wait=-1s": {"--wait: expected 0s or more, got -1s"},
		"--name=Bad_Name": {
			`--name: expected the name of an object in Kubernetes, got "Bad_Name": a lowercase`,
		},
		"--name=x --listen=nowhere": {
			`--listen: expected HOST:PORT, as in :8080, got "nowhere": address nowhere: missing port`,
		},
		"--name=x --listen=:99999": {
			`--listen: expected HOST:PORT, as in :8080, got ":99999": address 99999: invalid port`,
		},
		"--name=x --exec=a -- b":            {"--exec: expected it or a program after --, got both"},
		"--name=x --profile=client-go -- b": {"--profile: a command needs strict"},
		"--name=x --observe -- b":           {"--observe: it takes no part"},
		"--name=x --observe --wait=1m":      {"--wait: it has no meaning with --observe"},
		"--lock=sqlite:///a --namespace=n": {
			"--namespace: it has a meaning for --lock kubernetes only, got --lock sqlite",
		},
		"--name=x --table=t": {
			"--table: it has a meaning for --lock sqlite postgres only, got --lock kubernetes",
		},
		"--name=x --observe --lock-kind=configmapsleases": {
			"--observe: --lock-kind configmapsleases is two objects", "--lock-kind leases or configmaps",
		},
		"--name=x --etcd-ca=f":                         {"they are for --lock etcds://… only"},
		"--lock=etcds://h:1/k --etcd-cert=f":           {"--etcd-cert, --etcd-key: expected both or neither"},
		"--lock=etcd://h:1/k --name=n":                 {"--name: etcd's key is the path in --lock"},
		"--lock=etcd://h:1/k --lease-duration=15500ms": {"--lease-duration: expected whole seconds"},
		"--lock=postgres://h":                          {"--lock: expected postgres://USER@HOST/DATABASE"},
		"--lock=sqlite:///a --table=Interregnum_File":  {"--table: expected another than interregnum_file"},
		"--lock=sqlite:///a --table=Main.Interregnum_File": {
			"--table: expected another than interregnum_file",
		},
		"--lock=sqlite:///a --table=temp.t": {"--table: expected a table in SQLite's file, got \"temp.t\""},
	} {
		code, stdout, stderr := tell(strings.Fields(args)...)
		require.Equal(t, exitBadInput, code, args)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "see 'elector --help'")
		for _, w := range want {
			require.Contains(t, stderr, w, args)
		}
	}
}

// TestCompletion: shells complete commands, flags and the values that are a choice.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"__complete vers": "version\t", "__complete --ren": "--renew-deadline\t",
		"__complete --lock-kind conf": "configmaps\n",
		"completion bash":             "__start_elector", "version": "elector ", "--version": "elector ",
	} {
		code, stdout, _ := tell(strings.Fields(args)...)
		require.Zero(t, code)
		require.Contains(t, stdout, want, args)
	}
}

// TestVerified: no way to a server elsewhere that does not verify it.
func TestVerified(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"postgres://u@h/d?sslmode=require", "postgres://u@h/d?sslmode=disable", "postgres://u@127.0.0.1,h/d?sslmode=prefer",
		"postgres://u@localhost/d?host=h&sslmode=disable", "etcd://u:p@h:1/k",
	} {
		_, err := parsePlace(bad)
		require.Error(t, err, bad)
	}
	for text, want := range map[string]string{
		"postgres://u@h/d": "sslmode=verify-full", "postgres://u@h,127.0.0.1/d": "sslmode=verify-full",
		"postgres://u@[::1]:5/d?sslmode=disable": "sslmode=disable",
	} {
		p, err := parsePlace(text)
		require.NoError(t, err)
		require.Contains(t, p.dsn, want)
	}
	file := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(file, []byte(`{apiVersion: v1, kind: Config, current-context: c,
contexts: [{name: c, context: {cluster: c, user: u}}], users: [{name: u, user: {token: tok4711}}],
clusters: [{name: c, cluster: {server: "https://h", insecure-skip-tls-verify: true}}]}`), 0o600))
	code, _, stderr := tell("--name=x", "--kubeconfig", file)
	require.Equal(t, exitBadInput, code)
	require.Contains(t, stderr, "insecure-skip-tls-verify")
	require.NotContains(t, stderr, "tok4711")
}

// TestNoSecrets: whatever is wrong with a connection string, nothing tells its password.
func TestNoSecrets(t *testing.T) {
	t.Parallel()
	for _, lock := range []string{
		"postgres://u:cret4711@h", "postgres://u:cret%4711@h/d", "postgres://u:cret4711@h:x/d", "mysql://u:cret4711@h/d",
		"postgres://u:cret4711@h/d?sslmode=require", "postgres://u:cret4711@127.0.0.1:1/d", "etcd://u:cret4711@h:1/k",
		"etcd://u:cret4711@127.0.0.1:1/k?a", "sqlite://u:cret4711@/x", "postgres://u@127.0.0.1:1/d?password=cret4711",
		"postgres://u:cret4711@127.0.0.1:1/d?pool_max_conns=cret4711&sslmode=cret4711", "cret4711://h", "u:cret4711@h",
	} {
		p := spawn(t, nil, "--lock", lock, "--wait=0s", "--lease-duration=1s", "--renew-deadline=600ms",
			"--retry-period=100ms", "--log-level=debug", "--exec=exit 0")
		require.NotZero(t, p.End(t), lock)
		said := strings.ReplaceAll(p.Err.String(), `got one that begins with "cret4711"`, "")
		require.NotContains(t, said, "cret4711", lock)
	}
}
