package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// known is what a verdict says of what it assumes.
type known struct {
	Verdict string
	Targets []struct {
		Name, Verdict, Component, Program, ProgramSource, Assumes, Accepted string
		RequestTimeoutIs, RequestTimeoutSource, ReleaseSource               string
		RequestTimeoutNs, LeaseDurationNs, RenewDeadlineNs, RetryPeriodNs   time.Duration
		WorstOverlapNs, MarginNs                                            time.Duration
		ReleaseOnCancel                                                     bool
		Defaulted                                                           []string
	}
	Notes, Problems []struct{ Name, File, Kind, Text string }
	SkippedFiles    int
}

func judged(t *testing.T, stdin string, args ...string) (known, ran) {
	got := simulate(stdin, append([]string{"gate", "-o", "json"}, args...)...)
	var k known
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &k), got.stderr)
	return k, got
}

// one is a container with an image, and the flag that turns election on.
func one(image string, args ...string) string {
	quoted, _ := json.Marshal(append([]string{"--leader-elect=true"}, args...))
	return "containers: [{name: manager, image: \"" + image + "\", args: " + string(quoted) + "}]\n"
}

const scheduler = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nleaderElection: {leaderElect: true}\n"

// TestGateTimeouts: nobody is judged with the kindest timeout where nobody says which it is.
func TestGateTimeouts(t *testing.T) {
	for _, c := range []struct {
		file string
		args []string
		is   string
		of   time.Duration
	}{
		{one("example.com/a"), nil, "either", 5 * time.Second},
		{one("example.com/a"), []string{"--request-timeout", "none"}, "none", 0},
		{one("example.com/a"), []string{"--request-timeout", "0s"}, "none", 0},
		{one("example.com/a"), []string{"--request-timeout", "half"}, "half", 5 * time.Second},
		{one("example.com/a"), []string{"--request-timeout", "1500ms"}, "fixed", 1500 * time.Millisecond},
		{scheduler, nil, "half", 5 * time.Second},
		{scheduler, []string{"--request-timeout", "1s"}, "half", 5 * time.Second},
		{one("registry.k8s.io/kube-controller-manager:v1.34.0"), []string{"--request-timeout", "none"}, "half", 5 * time.Second},
		{one("registry.k8s.io/sig-storage/csi-attacher:v4"), []string{"--request-timeout", "half"}, "none", 0},
		{one("example.com/a", "--leader-elect-renew-deadline=1500ms", "--leader-elect-retry-period=1s"), []string{"--request-timeout", "half"}, "half", time.Second},
		{"name: x\nhorizon: 60s\ncandidates: [{id: a}]\n", []string{"--request-timeout", "half"}, "none", 0},
		{"name: x\nhorizon: 60s\ncandidates: [{id: a, requestTimeout: 3s}]\n", nil, "fixed", 3 * time.Second},
	} {
		k, got := judged(t, c.file, append(c.args, "-", "--max-round-trip", "500ms")...)
		require.Len(t, k.Targets, 1, got.stderr)
		target := k.Targets[0]
		assert.Equal(t, c.is, target.RequestTimeoutIs, "%s %q", c.file, c.args)
		assert.Equal(t, c.of, target.RequestTimeoutNs, "%s %q", c.file, c.args)
		assert.Contains(t, target.Assumes, "request timeout ", c.file)
		if target.Verdict == "unsafe" { // the command that is told gives the same verdict
			again := simulate("", append(strings.Fields(got.stderr)[1:], "-o", "json")...)
			assert.Equal(t, target.MarginNs, time.Duration(*answer(t, again).Targets[0].MarginNs), got.stderr)
		}
	}
}

// TestGateWorseTimeout: what is not known is as bad as the worse of none and half; a change is one that helps with both.
func TestGateWorseTimeout(t *testing.T) {
	timings := []string{"--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s"}
	for _, trip := range []string{"0s", "100ms", "500ms", "1s", "3s", "7s", "20s"} {
		overlap := map[string]time.Duration{}
		for _, timeout := range []string{"none", "half", "either"} {
			k, _ := judged(t, "", append(timings, "--max-round-trip", trip, "--request-timeout", timeout)...)
			overlap[timeout] = -k.Targets[0].MarginNs
		}
		assert.Equal(t, max(overlap["none"], overlap["half"]), overlap["either"], trip)
	}
	for _, timeout := range []string{"none", "half"} {
		k, _ := judged(t, "", "--lease-duration", "20s", "--renew-deadline", "10s", "--retry-period", "2s", "--request-timeout", timeout)
		assert.Equal(t, "safe", k.Verdict, "lease-duration 20s is what the gate proposes at 15s")
	}
	assert.Contains(t, simulate("", append([]string{"gate", "--request-timeout", "either"}, timings...)...).stdout, "lease-duration   15s   to 20s")
}

// TestGatePrograms: what programs do by themselves counts, with its source, and nothing is said of those that nobody knows.
func TestGatePrograms(t *testing.T) {
	for _, c := range []struct {
		image         string
		args          []string
		timings       string
		release       bool
		program, from string
	}{
		{"ghcr.io/fluxcd/source-controller:v1.7.0", nil, "35s/30s/5s", true, "a Flux controller", "the code of"},
		{"xpkg.crossplane.io/crossplane/crossplane:v2", nil, "1m0s/50s/2s", true, "Crossplane", "the code of"},
		{"quay.io/jetstack/cert-manager-controller:v1.18.2", nil, "1m0s/40s/15s", true, "cert-manager", "assumed of"},
		{"registry.k8s.io/descheduler/descheduler:v0.34.0", nil, "2m17s/1m47s/26s", true, "descheduler", "the code of"},
		{"rancher/mirrored-sig-storage-csi-resizer:v1", nil, "15s/10s/5s", false, "a CSI sidecar", "the code of"},
		{"nvcr.io/nvidia/gpu-operator:v25.3.0", []string{"--leader-lease-renew-deadline=60s"}, "1m5s/1m0s/2s", false, "NVIDIA's operators", "the code of"},
		{"ghcr.io/kube-vip/kube-vip:v1", nil, "5s/3s/1s", true, "kube-vip", "the code of"},
		{"example.com/mine", nil, "15s/10s/2s", false, "", "assumed"},
	} {
		k, got := judged(t, one(c.image, c.args...), "-")
		require.Len(t, k.Targets, 1, got.stderr)
		target := k.Targets[0]
		is := target.LeaseDurationNs.String() + "/" + target.RenewDeadlineNs.String() + "/" + target.RetryPeriodNs.String()
		assert.Equal(t, c.timings, is, c.image)
		assert.Equal(t, c.release, target.ReleaseOnCancel, c.image)
		assert.Equal(t, c.program, target.Program)
		assert.Equal(t, c.program == "", target.ProgramSource == "", c.image)
		assert.Contains(t, target.Assumes, c.from, c.image)
	}
	k, _ := judged(t, one("quay.io/jetstack/cert-manager-controller:v1.18.2"), "-")
	assert.GreaterOrEqual(t, k.Targets[0].WorstOverlapNs, 96*time.Second)
	k, _ = judged(t, one("registry.k8s.io/descheduler/descheduler:v0.34.0"), "-")
	assert.GreaterOrEqual(t, k.Targets[0].WorstOverlapNs, 241*time.Second)
	assert.NotContains(t, simulate(one("example.com/source"), "gate", "-").stdout, "default of")
	assert.Contains(t, simulate(one("example.com/source"), "gate", "-").stdout, "assumed, as is customary")
	k, _ = judged(t, one("ghcr.io/fluxcd/source-controller:v1", "--leader-election-release-on-cancel=false"), "-")
	assert.False(t, k.Targets[0].ReleaseOnCancel)
	assert.Equal(t, "the file", k.Targets[0].ReleaseSource)
}

// TestGateNothing: nothing judged is not safe.
func TestGateNothing(t *testing.T) {
	gateFolder(t)
	got := simulate("", "gate", "service.yaml")
	assert.Equal(t, exit.AsExpected, got.code)
	assert.Contains(t, got.stdout, "\nnothing judged\n")
	assert.NotContains(t, got.stdout, "safe")
	k, got := judged(t, "", "service.yaml")
	assert.Equal(t, "nothing", k.Verdict)
	assert.Equal(t, exit.AsExpected, got.code)
	k, got = judged(t, "", "service.yaml", "--require")
	assert.Equal(t, "unknown", k.Verdict)
	assert.Equal(t, exit.BadInput, got.code)
}

// TestGateUnread: leader election in a form that is not read is warned of.
func TestGateUnread(t *testing.T) {
	k, got := judged(t, "apiVersion: example.com/v1\nkind: Thing\nspec: {options: 'renew-deadline 20s'}\n", "-")
	assert.Equal(t, exit.AsExpected, got.code)
	assert.Equal(t, "nothing", k.Verdict)
	require.Len(t, k.Notes, 1)
	assert.Equal(t, "unread", k.Notes[0].Kind)
	assert.Contains(t, k.Notes[0].Text, "renew-deadline is mentioned")
	_, got = judged(t, "spec: {options: 'renew-deadline 20s'}\n---\n"+scheduler, "-", "--require")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, simulate("x: {y: 'renew-deadline 20s'}\n", "gate", "-", "-o", "sarif").stdout, `"ruleId": "unread"`)
}

// TestGateWords: what happens to the reader comes first.
func TestGateWords(t *testing.T) {
	got := simulate("", "gate", "--lease-duration", "15s", "--request-timeout", "none").stdout
	lines := strings.Split(got, "\n")
	assert.Contains(t, lines[0], "flags: UNSAFE: two leaders can work at once for ")
	assert.Regexp(t, `^  Worst case: the old leader works until [0-9.]+m?s, a new one may start at 15s\.$`, lines[1])
	assert.Contains(t, got, "look the same")
	released := simulate("", "gate", "--lease-duration", "60s", "--renew-deadline", "15s", "--retry-period", "5s", "--release-on-cancel")
	assert.Contains(t, released.stdout, "  Worst case: a new leader starts, and the old one works on for ")
	safe := simulate("", "gate", "--lease-duration", "60s", "--request-timeout", "none").stdout
	assert.Regexp(t, `(?m)^  Worst case: the old leader works until [0-9.]+s, a new one may start at 60s\.$`, safe)
}

// TestGateConfigMapsOfOtherFiles: a variable may come from a ConfigMap of another file of the same input.
func TestGateConfigMapsOfOtherFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a-deploy.yaml": "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: d, namespace: n}\nspec: {template: {spec: {containers: [" +
			"{name: m, envFrom: [{configMapRef: {name: timings}}]}]}}}\n",
		"b-timings.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: timings, namespace: n}\ndata: {LEADER_ELECTION_RENEW_DEADLINE: 20s,\n" +
			" LEADER_ELECTION_LEASE_DURATION: 90s, LEADER_ELECTION_RETRY_PERIOD: 3s}\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	k, got := judged(t, "", ".")
	require.Len(t, k.Targets, 1, got.stderr)
	assert.Equal(t, "a-deploy.yaml: Deployment n/d: container m", k.Targets[0].Name)
	assert.Equal(t, []time.Duration{90 * time.Second, 20 * time.Second, 3 * time.Second},
		[]time.Duration{k.Targets[0].LeaseDurationNs, k.Targets[0].RenewDeadlineNs, k.Targets[0].RetryPeriodNs})
	k, _ = judged(t, "", "b-timings.yaml")
	assert.Len(t, k.Targets, 1, "alone it is judged as it is")
	k, got = judged(t, "", "a-deploy.yaml")
	assert.Equal(t, "nothing", k.Verdict)
	assert.Equal(t, exit.AsExpected, got.code)
}

// TestGatePageFigures: the figures in the text of docs/gate.md and in its notes on programs are those of the gate.
func TestGatePageFigures(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/gate.md")
	require.NoError(t, err)
	for _, c := range []struct {
		text   string
		args   string
		margin time.Duration
	}{
		{"two leaders stay half a second apart", "15s 10s 2s --max-round-trip 500ms", 500 * time.Millisecond},
		{"can overlap for 4s with half", "15s 10s 2s --max-round-trip 500ms --request-timeout half", -4 * time.Second},
		{"15s/10s/2s are unsafe by one second", "15s 10s 2s --max-round-trip 1s", -time.Second},
		{"would be safe by a second", "60s 40s 15s --max-round-trip 1s", time.Second},
		{"at once for 96s", "60s 40s 15s --max-round-trip 1s --release-on-cancel", -96 * time.Second},
	} {
		assert.Contains(t, strings.ReplaceAll(string(page), "\n", " "), c.text)
		args := strings.Fields(c.args)
		k, _ := judged(t, "", append([]string{
			"--lease-duration", args[0], "--renew-deadline", args[1], "--retry-period", args[2],
		}, args[3:]...)...)
		require.Len(t, k.Targets, 1)
		assert.Equal(t, c.margin, k.Targets[0].MarginNs, c.text)
	}
}
