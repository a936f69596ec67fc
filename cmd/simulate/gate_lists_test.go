package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// gateTree has a folder to judge: two deployments, a broken file, one of something else.
func gateTree(t *testing.T) {
	t.Chdir(t.TempDir())
	named := func(name, lease string) string {
		return strings.NewReplacer("name: foo", "name: "+name, "=15s", "="+lease).Replace(deployment)
	}
	for name, text := range map[string]string{
		"deploy/b/unsafe.yaml": named("unsafe", "15s"), "deploy/a/safe.yml": named("safe", "60s"),
		"deploy/service.json": `{"kind": "Service", "apiVersion": "v1"}`, "deploy/.git/x.yaml": named("hidden", "15s"),
		"deploy/readme.md": "--leader-elect", "site.yaml": "maxRoundTrip: 500ms\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

const unsafeOne, safeOne = "deploy/b/unsafe.yaml: Deployment bar/unsafe: container manager", "deploy/a/safe.yml: Deployment bar/safe: container manager"

// TestGateFolder: in the order of names, a line each; what has no leader election is counted.
func TestGateFolder(t *testing.T) {
	gateTree(t)
	got := simulate("", "gate", "deploy", "--request-timeout", "none")
	assert.Equal(t, exit.NotAsExpected, got.code, got.stderr)
	lines := strings.Split(got.stdout, "\n")
	assert.Regexp(t, `^deploy/a/safe\.yml:4: Deployment bar/safe: container manager: SAFE, margin [0-9.]+s, if the client closes no connection, and if the program does not release the lock: `+
		`60s/10s/2s; client-go on a Lease \(assumed\); request timeout none `+
		`\(--request-timeout\); the client closes no connection while a request is under way \(.*: then unsafe by 10s, see --client\); `+
		`no release \(assumed; with one unsafe by 10s, see --release-on-cancel\)$`, lines[0])
	assert.Regexp(t, `^deploy/b/unsafe\.yaml:4: Deployment bar/unsafe: container manager: UNSAFE by [0-9.]+m?s: 15s/10s/2s; client-go on a Lease \(assumed\); request`, lines[1])
	assert.Equal(t, []string{"", "2 judged: 1 safe, 1 unsafe, 0 refused; 1 file without leader election", "", "environment"}, lines[2:6])
	assert.Equal(t, got, simulate("", "gate", "./deploy/", "--request-timeout", "none"))
	explained := simulate("", "gate", "deploy", "--explain").stdout
	assert.Contains(t, explained, "Each of these alone makes it safe:")
	assert.Contains(t, simulate("", "gate", "deploy/b").stdout, "Each of these alone makes it safe:", "one target is told in full")

	require.NoError(t, os.WriteFile("deploy/broken.yaml", []byte("a: [\n"), 0o600))
	got = simulate("", "gate", "deploy")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "simulate: deploy/broken.yaml:1: not YAML")
	assert.Contains(t, got.stdout, "2 judged: 1 safe, 1 unsafe, 0 refused; 1 could not be; 1 file without leader election")
}

func TestGateFolderRequired(t *testing.T) {
	gateTree(t)
	require.NoError(t, os.MkdirAll("empty", 0o700))
	require.NoError(t, os.WriteFile("empty/x.yaml", []byte("a: 1\n"), 0o600))
	assert.Equal(t, exit.NotAsExpected, simulate("", "gate", "deploy", "--require").code, "a file without is no fault of a folder")
	assert.Equal(t, exit.AsExpected, simulate("", "gate", "empty").code)
	got := simulate("", "gate", "deploy/a", "empty", "--require")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "empty: no file in it has settings of leader election")
}

// TestGateJoined: a container and the ConfigMap that it mounts are in two files. The container alone would be safe.
func TestGateJoined(t *testing.T) {
	t.Chdir(t.TempDir())
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  x.yaml: |\n    leaderElection: {renewDeadline: 59s}\n"
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: m\n    args: [--leader-elect-lease-duration=60s, --config=/c/x.yaml]\n" +
		"    volumeMounts: [{name: c, mountPath: /c}]\n  volumes: [{name: c, configMap: {name: c}}]\n"
	require.NoError(t, os.WriteFile("config.yaml", []byte(config), 0o600))
	require.NoError(t, os.WriteFile("pod.yaml", []byte(pod), 0o600))
	for _, paths := range [][]string{{"."}, {"pod.yaml", "config.yaml"}, {"config.yaml", "pod.yaml"}} {
		k, got := judged(t, "", append(paths, "--require")...)
		require.Len(t, k.Targets, 1, got.stderr)
		assert.Equal(t, "unsafe", k.Verdict)
		assert.NotContains(t, got.stderr, ".yaml", "no file is named as a problem")
	}
	alone := simulate("", "gate", "pod.yaml")
	assert.Contains(t, alone.stdout, "SAFE")
	assert.Contains(t, alone.stderr+alone.stdout, "--config names a file that was not found here")
}

// TestGateOverrides: environment, timeout, drain and release of single targets, by name.
func TestGateOverrides(t *testing.T) {
	gateTree(t)
	list := func(text string) {
		require.NoError(t, os.WriteFile("overrides.yaml", []byte("targets:\n"+text), 0o600))
	}
	with := []string{"deploy", "--overrides", "overrides.yaml"}
	list("- name: '*unsafe.yaml: Deployment bar/*'\n  environment: {maxRoundTrip: 100ms, maxDriftPPM: 0}\n  requestTimeout: none\n")
	k, got := judged(t, "", with...)
	assert.Equal(t, "safe", k.Verdict, got.stderr)
	assert.Contains(t, k.Targets[1].Assumes, "answers within 100ms")
	assert.Contains(t, k.Targets[1].Assumes, "request timeout none (overrides.yaml:2)")
	assert.Contains(t, k.Targets[0].Assumes, "answers within 1s")
	assert.Contains(t, simulate("", append([]string{"gate"}, with...)...).stdout, "answers within 100ms or lost")

	list("- {name: '" + safeOne + "', drain: 70s}\n- {name: '*', requestTimeout: half}\n- {name: 'deploy/gone*', drain: 1s}\n")
	k, got = judged(t, "", with...)
	assert.Equal(t, []string{"unsafe", "unsafe"}, []string{k.Targets[0].Verdict, k.Targets[1].Verdict})
	assert.Equal(t, "half", k.Targets[1].RequestTimeoutIs)
	require.Len(t, k.Notes, 1)
	assert.Equal(t, "stale", k.Notes[0].Kind)
	assert.Equal(t, exit.NotAsExpected, got.code)
	_, got = judged(t, "", append(with, "--require")...)
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, `overrides.yaml:4: "deploy/gone*" is the name of no target`)

	list("- {name: '*', releaseOnCancel: true}\n")
	k, _ = judged(t, "", with...)
	assert.True(t, k.Targets[0].ReleaseOnCancel)

	for text, want := range map[string]string{
		"- {drain: 1s}\n":                                 "overrides.yaml:2: name: want the name of a target",
		"- {name: x, drain: 1}\n":                         "overrides.yaml:2: drain: unit missing in 1",
		"- {name: x, requestTimeout: 3}\n":                "overrides.yaml:2: requestTimeout: unit missing in 3: want half, none, either or",
		"- {name: x, environment: {maxRoundTrips: 1s}}\n": "overrides.yaml:2: maxRoundTrips: unknown field",
		"- {name: x, releaseOnCancel: maybe}\n":           `want true or false, got "maybe"`,
		"- {name: x, lease: 1s}\n":                        "lease: unknown field; an entry has name, environment, drain",
		"- x\n":                                           "overrides.yaml:2: want targets: and a list of entries",
	} {
		list(text)
		got := simulate("", append([]string{"gate"}, with...)...)
		assert.Equal(t, exit.BadInput, got.code, text)
		assert.Contains(t, got.stderr, want)
		assert.Empty(t, got.stdout)
	}
}

// TestGateUnmatchedOverride: an entry for no target is told, unless it is about a file that is there and was not read.
func TestGateUnmatchedOverride(t *testing.T) {
	gateTree(t)
	require.NoError(t, os.WriteFile("other.yaml", []byte(deployment), 0o600))
	for name, told := range map[string]bool{
		"bar/unsafe": true, "Deployment bar/unsafe: container manager": true, "b/unsafe.yaml: Deployment*": true, "/deploy/b/*": true,
		"deploy/*: Nothing*": true, "other.yaml: Deployment*": false, "oth*": true, "./deploy/../deploy/b/unsafe.yaml: *": false,
	} {
		require.NoError(t, os.WriteFile("overrides.yaml", []byte("targets: [{name: '"+name+"', drain: 1s}]\n"), 0o600))
		k, got := judged(t, "", "deploy", "--overrides", "overrides.yaml")
		assert.Equal(t, exit.NotAsExpected, got.code)
		assert.Len(t, k.Notes, map[bool]int{true: 1}[told], name)
	}
}

// TestGateOverridePath: an entry is about a file however its path is written.
func TestGateOverridePath(t *testing.T) {
	gateTree(t)
	require.NoError(t, os.WriteFile("overrides.yaml", []byte("targets: [{name: 'deploy/b/*', environment: {maxRoundTrip: 1ms}, requestTimeout: none}]\n"), 0o600))
	whole, err := filepath.Abs("deploy/b/unsafe.yaml")
	require.NoError(t, err)
	for _, path := range []string{"deploy/b/unsafe.yaml", "./deploy/b/unsafe.yaml", "deploy//b/unsafe.yaml", whole, "./deploy/b"} {
		k, got := judged(t, "", path, "--overrides", "overrides.yaml")
		assert.Equal(t, "safe", k.Verdict, "%s: %s", path, got.stderr)
	}
}

// TestGateBaselineSameName: of several targets of one name each wants an entry of its own, and another problem of a name is new.
func TestGateBaselineSameName(t *testing.T) {
	t.Chdir(t.TempDir())
	list := func(deadlines ...string) []string {
		text := "containers:\n"
		for _, d := range deadlines {
			text += "- {name: m, args: [--leader-elect-lease-duration=15s, --leader-elect-renew-deadline=" + d + ", --leader-elect-retry-period=2s]}\n"
		}
		require.NoError(t, os.WriteFile("a.yaml", []byte(text), 0o600))
		return []string{"gate", "a.yaml", "--baseline", "baseline.yaml"}
	}
	list("9s", "10s")
	require.Equal(t, exit.AsExpected, simulate("", "gate", "a.yaml", "--write-baseline", "baseline.yaml").code)
	assert.Equal(t, exit.AsExpected, simulate("", list("10s", "9s")...).code)
	assert.Equal(t, exit.AsExpected, simulate("", list("10s")...).code)
	assert.Equal(t, exit.NotAsExpected, simulate("", list("10s", "10s")...).code)
	assert.Equal(t, exit.NotAsExpected, simulate("", list("9s", "10s", "9s")...).code)
	list("x")
	require.Equal(t, exit.AsExpected, simulate("", "gate", "a.yaml", "--write-baseline", "baseline.yaml", "--force").code)
	assert.Equal(t, exit.AsExpected, simulate("", list("x")...).code)
	assert.Equal(t, exit.BadInput, simulate("", list("y")...).code)
	got := simulate("", "gate", "a.yaml", "--write-baseline", "./a.yaml", "--force")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "--write-baseline ./a.yaml: want a file that is not judged")
}

// TestGateFolders: links to folders are read, a circle of them once, what is no file is a problem, and a folder without anything to judge is one with
// --require.
func TestGateFolders(t *testing.T) {
	gateTree(t)
	require.NoError(t, os.Symlink("deploy", "link"))
	require.NoError(t, os.Symlink("..", "deploy/b/circle"))
	require.NoError(t, os.Symlink("../../deploy/b", "deploy/a/again"))
	direct, _ := judged(t, "", "deploy")
	linked, got := judged(t, "", "link")
	assert.Equal(t, exit.NotAsExpected, got.code)
	assert.Len(t, linked.Targets, len(direct.Targets))
	require.NoError(t, os.Mkdir("empty", 0o700))
	assert.Equal(t, exit.AsExpected, simulate("", "gate", "empty").code)
	got = simulate("", "gate", "empty", "--require")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "empty: no file in it has settings of leader election; want something to judge")
	require.NoError(t, os.Symlink("/dev/zero", "empty/p.yaml"))
	got = simulate("", "gate", "empty")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "empty/p.yaml: want a file, got a device")
}

// TestGateMaxOverlap: so much is let be; what may be longer than computed is not.
func TestGateMaxOverlap(t *testing.T) {
	gateTree(t)
	k, got := judged(t, "", "deploy", "--max-overlap", "30s")
	assert.Equal(t, exit.AsExpected, got.code)
	assert.Equal(t, "accepted", k.Verdict)
	assert.Equal(t, "unsafe", k.Targets[1].Verdict)
	assert.Equal(t, "max-overlap", k.Targets[1].Accepted)
	_, got = judged(t, "", "deploy", "--max-overlap", "10ms")
	assert.Equal(t, exit.NotAsExpected, got.code)
	endless := []string{"gate", "--lease-duration", "60s", "--release-on-cancel", "--profile", "client-go-v0.24", "--request-timeout", "none"}
	assert.Equal(t, exit.NotAsExpected, simulate("", append(endless, "--max-overlap", "8760h")...).code)
	assert.Equal(t, exit.NotAsExpected, simulate("", "gate", "--lease-duration", "10s", "--max-overlap", "1h").code, "refused stays so")
}

// TestGateBaseline: old findings are let be, new and worse ones fail, stale entries are told.
func TestGateBaseline(t *testing.T) {
	gateTree(t)
	require.NoError(t, os.WriteFile("deploy/value.yaml", []byte("containers: [{name: m, env: [{name: LEADER_ELECTION_LEASE_DURATION, "+
		"valueFrom: {secretKeyRef: {name: s, key: k}}}]}]\n"), 0o600))
	assert.Equal(t, exit.BadInput, simulate("", "gate", "deploy").code)
	k, got := judged(t, "", "deploy", "--write-baseline", "baseline.yaml")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Equal(t, "accepted", k.Verdict)
	text, err := os.ReadFile("baseline.yaml")
	require.NoError(t, err)
	assert.Regexp(t, `(?s)^# .*\nfindings:\n- name: "`+unsafeOne+`"\n  verdict: unsafe\n  overlap: [0-9.]+s\n- name: "deploy/value.yaml: container m"\n`+
		`  verdict: unknown\n  problem: "LEADER_ELECTION_LEASE_DURATION: .*"\n$`, string(text))
	got = simulate("", "gate", "deploy", "--write-baseline", "baseline.yaml")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "baseline.yaml: exists already; --force replaces it")

	with := []string{"deploy", "--baseline", "baseline.yaml"}
	k, got = judged(t, "", with...)
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Equal(t, "baseline", k.Targets[1].Accepted)
	assert.Contains(t, simulate("", append([]string{"gate"}, with...)...).stdout, ", accepted (in the baseline if the client closes no connection, and if the program does not release the lock): 15s/10s/2s; ")
	_, got = judged(t, "", append(with, "--max-round-trip", "2s")...)
	assert.Equal(t, exit.NotAsExpected, got.code, "worse than it was")

	require.NoError(t, os.WriteFile("deploy/new.yaml", []byte(deployment), 0o600))
	_, got = judged(t, "", with...)
	assert.Equal(t, exit.NotAsExpected, got.code, "new")
	require.NoError(t, os.Remove("deploy/new.yaml"))

	require.NoError(t, os.Remove("deploy/b/unsafe.yaml"))
	k, got = judged(t, "", with...)
	assert.Equal(t, exit.AsExpected, got.code)
	require.NotEmpty(t, k.Notes)
	last := k.Notes[len(k.Notes)-1]
	assert.Equal(t, []string{"stale", "baseline.yaml"}, []string{last.Kind, last.File})
	assert.Contains(t, last.Text, unsafeOne+" is no longer unsafe; take the entry out")
	k, _ = judged(t, "", "deploy/a/safe.yml", "--baseline", "baseline.yaml")
	assert.Empty(t, k.Notes, "what was not read is not stale")

	for text, want := range map[string]string{
		"findings: [{name: x}]\n":                              "baseline.yaml:1: want name and verdict",
		"findings: [{name: x, verdict: bad}]\n":                `want unsafe, refused or unknown, got "bad"`,
		"findings: [{name: x, verdict: unsafe, overlap: 3}]\n": "overlap: unit missing in 3",
		"findings: [{name: x, verdict: unsafe, verdict: x}]\n": "verdict: given twice",
		"other: []\n": "want findings: and a list of entries",
		"":            "there is nothing in the file",
		"{":           "not YAML",
	} {
		require.NoError(t, os.WriteFile("baseline.yaml", []byte(text), 0o600))
		got := simulate("", append([]string{"gate"}, with...)...)
		assert.Equal(t, exit.BadInput, got.code, text)
		assert.Contains(t, got.stderr, want, text)
	}
}

func TestGateListsBadInput(t *testing.T) {
	gateTree(t)
	for args, want := range map[string]string{
		"deploy --overrides=":                     "--overrides: want FILE, got nothing",
		"deploy --baseline=":                      "--baseline: want FILE, got nothing",
		"--lease-duration 15s --baseline b.yaml":  "--baseline is about files: want one",
		"--lease-duration 15s --overrides b.yaml": "--overrides is about files: want one",
		"deploy --baseline missing.yaml":          "missing.yaml: cannot be read: no such file or directory",
		"deploy --overrides missing.yaml":         "missing.yaml: cannot be read: no such file or directory",
		"- --overrides -":                         "standard input can be read only once",
		"deploy --max-overlap -1s":                "want a duration of zero or more",
		"deploy --request-timeout soon":           `want half, none, either or a duration such as 5s, got "soon"`,
		"deploy --request-timeout=":               "want half, none, either or a duration such as 5s",
		"deploy --request-timeout 5":              "unit missing in 5: want half, none, either or a duration such as 5s",
	} {
		got := simulate("", append([]string{"gate"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.BadInput, got.code, args)
		assert.Contains(t, got.stderr, want, args)
		assert.Empty(t, got.stdout, args)
	}
}
