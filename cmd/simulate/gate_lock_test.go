package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// TestGateLock: the kind of lock is that of --lock, or of a file that names one, and is part of every form.
func TestGateLock(t *testing.T) {
	gateFolder(t)
	timings := []string{"gate", "--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s", "--request-timeout", "none"}
	for _, c := range []struct {
		args    []string
		verdict string
		margin  int64
	}{
		{[]string{"--lock", "lease"}, "unsafe", -1e9},
		{[]string{"--lock", "configmap"}, "unsafe", -1e9},
		{[]string{"--lock", "endpointsleases", "--profile", "strict"}, "unsafe", -10e9},
		{[]string{"--lock", "kv-ttl"}, "safe", 4e9},
		{[]string{"--lock", "kv-ttl", "--profile", "strict"}, "safe", 5e9},
		{[]string{"--lock", "kv-ttl", "--release-on-cancel"}, "unsafe", -10e9},
		{[]string{"--lock", "sql-ttl", "--max-clock-offset", "6s"}, "unsafe", -2e9},
		{[]string{"--lock", "sql-ttl", "--max-clock-offset", "6s", "--now", "database"}, "safe", 4e9},
		{[]string{"--lock", "sql-ttl", "--precision", "1s"}, "safe", 3e9},
	} {
		got := simulate("", append(append(timings, c.args...), "-o", "json")...)
		a := answer(t, got)
		assert.Equal(t, c.verdict, a.Verdict, "%q: %s", c.args, got.stderr)
		assert.Equal(t, c.margin, *a.Targets[0].MarginNs, "%q", c.args)
		lock := ""
		if c.args[1] != "lease" {
			lock = c.args[1]
		}
		assert.Equal(t, lock, a.Targets[0].Lock)
		if c.verdict == "unsafe" {
			again := strings.Fields(got.stderr)[1:]
			assert.Equal(t, exit.NotAsExpected, simulate("", again...).code, "%q", again)
			assert.Equal(t, lock != "", strings.Contains(got.stderr, " --lock "+c.args[1]), got.stderr)
		}
	}
}

// TestGateLockOfFiles: manifests that name a lock are judged by it.
func TestGateLockOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	flag := func(words string) string {
		return strings.ReplaceAll(deployment, "--leader-elect,", "--leader-elect, "+words+",")
	}
	for name, text := range map[string]string{
		"two.yaml":    flag("--leader-elect-resource-lock=endpointsleases"),
		"spaced.yaml": flag("--leader-elect-resource-lock, configmaps"),
		"leases.yaml": flag("--leader-elect-resource-lock=leases"),
		"wrong.yaml":  flag("--leader-elect-resource-lock=lease"),
		"stanza.yaml": "kind: KubeSchedulerConfiguration\napiVersion: kubescheduler.config.k8s.io/v1\n" +
			"leaderElection: {leaderElect: true, resourceLock: endpoints}\n",
		"scenario.yaml": "name: x\nhorizon: 60s\ncandidates:\n- {id: a, lock: kv-ttl}\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	for name, lock := range map[string]string{
		"two.yaml": "endpointsleases", "spaced.yaml": "configmap", "leases.yaml": "", "stanza.yaml": "endpoints",
		"scenario.yaml": "kv-ttl",
	} {
		got := simulate("", "gate", name, "--lock", "sql-ttl", "-o", "json")
		assert.Equal(t, lock, answer(t, got).Targets[0].Lock, name)
	}
	got := simulate("", "gate", "wrong.yaml")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "--leader-elect-resource-lock: want leases, endpoints, configmaps, endpointsleases or "+
		`configmapsleases, got "lease"`)
}

func TestLockBadInput(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"gate --lease-duration 15s --lock zookeeper", "want " + phrase.Or(plan.LockNames()) + `, got "zookeeper"`},
		{"gate --lease-duration 15s --now database", "--now is of --lock sql-ttl; that is lease"},
		{"gate --lease-duration 15s --lock sql-ttl --precision 2s", `want 1us, 1ms or 1s, got "2s"`},
		{"tune --lock kv-ttl --precision 1s", "--precision is of --lock sql-ttl; that is kv-ttl"},
		{"tune --lock etcd", "want " + phrase.Or(plan.LockNames()) + `, got "etcd"`},
	} {
		r := simulate("", strings.Fields(c.args)...)
		assert.Equal(t, exit.BadInput, r.code, c.args)
		assert.Contains(t, r.stderr, c.want, c.args)
	}
}

// TestTuneLock: what is found for a kind of lock is what the gate takes for it.
func TestTuneLock(t *testing.T) {
	for _, lock := range []string{"configmap", "kv-ttl", "sql-ttl"} {
		r := simulate("", "tune", "--lock", lock, "--tolerate-outage", "5s", "--max-drift-ppm", "200", "--max-lease", "60s")
		require.Equal(t, exit.AsExpected, r.code, r.stderr+r.stdout)
		first, _, _ := strings.Cut(r.stdout, "\n")
		gated := simulate("", append(strings.Fields("gate --max-drift-ppm 200 --lock "+lock), strings.Fields(first)...)...)
		assert.Equal(t, exit.AsExpected, gated.code, "%s %s", first, gated.stdout)
	}
	r := simulate("", "tune", "--lock", "endpointsleases", "--max-lease", "60s")
	assert.Equal(t, exit.NotAsExpected, r.code)
	assert.Contains(t, r.stdout, "--lock endpointsleases: two objects are not written as one")
}
