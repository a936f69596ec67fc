package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/version"
	"interregnum/scenarios"
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: foo, namespace: bar}
spec: {template: {spec: {containers: [{name: manager, args: [
  --leader-elect, --leader-elect-lease-duration=15s, --leader-elect-renew-deadline=10s,
  --leader-elect-retry-period=2s]}]}}}
`

// gateFolder has files to judge, and the test runs in it.
func gateFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"deploy.yaml":      deployment,
		"safe.yaml":        strings.ReplaceAll(deployment, "=15s", "=60s"),
		"refused.yaml":     strings.ReplaceAll(deployment, "=15s", "=10s"),
		"half.yaml":        deployment[:200],
		"service.yaml":     "apiVersion: v1\nkind: Service\n",
		"environment.yaml": "maxRoundTrip: 500ms\nmaxPause: 100ms\n",
		"bad.yaml":         "maxRoundTrip: 500\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
}

// gateAnswer is what the contract promises of the JSON form.
type gateAnswer struct {
	Verdict string
	Targets []struct {
		Name, Verdict, Lock                                          string
		MarginNs, WorstOverlapNs, WorstFailoverNs, ToleratedOutageNs *int64
		Terms                                                        []struct {
			Name string
			Ns   int64
		}
		Witness json.RawMessage
	}
}

func answer(t *testing.T, r ran) gateAnswer {
	var a gateAnswer
	require.Equal(t, 1, strings.Count(r.stdout, "\n"), r.stdout+r.stderr)
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &a))
	return a
}

var slowAnswers = []string{"gate", "--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s",
	"--max-round-trip", "5s"}

// TestGateJSON: the contract's example, and the witness run by simulate run.
func TestGateJSON(t *testing.T) {
	gateFolder(t)
	got := simulate("", append(slowAnswers, "-o", "json")...)
	assert.Equal(t, exit.NotAsExpected, got.code)
	a := answer(t, got)
	assert.Equal(t, "unsafe", a.Verdict)
	require.Len(t, a.Targets, 1)
	target := a.Targets[0]
	assert.Equal(t, []string{"flags", "unsafe"}, []string{target.Name, target.Verdict})
	assert.Equal(t, []int64{-10e9, 10e9}, []int64{*target.MarginNs, *target.WorstOverlapNs})
	assert.Positive(t, *target.WorstFailoverNs)
	assert.NotNil(t, target.ToleratedOutageNs)
	sum := int64(0)
	for _, term := range target.Terms {
		sum += term.Ns
	}
	assert.Equal(t, *target.WorstOverlapNs, sum)

	run := simulate(string(target.Witness), "run", "-", "-o", "json")
	assert.Equal(t, exit.AsExpected, run.code, run.stderr)
	var result scenarios.Result
	require.NoError(t, json.Unmarshal([]byte(run.stdout), &result))
	for _, p := range result.Properties {
		if p.Name == "single-work" {
			assert.InDelta(t, 10e9, p.OverlapNs, 1e6)
		}
	}
}

func TestGateSafeJSON(t *testing.T) {
	got := simulate("", "gate", "--lease-duration", "60s", "--renew-deadline", "15s", "--retry-period", "5s", "-o", "json")
	assert.Equal(t, exit.AsExpected, got.code)
	a := answer(t, got)
	assert.Equal(t, "safe", a.Verdict)
	assert.Zero(t, *a.Targets[0].WorstOverlapNs)
	assert.Empty(t, a.Targets[0].Witness)
	assert.Empty(t, got.stderr)
}

// TestGateAgain: the last line is a command, and gives the same verdict.
func TestGateAgain(t *testing.T) {
	gateFolder(t)
	command := "simulate gate --lease-duration 15s --renew-deadline 10s --retry-period 2s --profile client-go --max-round-trip 5s"
	for _, args := range [][]string{slowAnswers, {"gate", "deploy.yaml", "--max-round-trip", "5s"}} {
		got, command := simulate("", args...), command
		if args[1] == "deploy.yaml" { // whose client nobody knows
			command = strings.Replace(command, " --max", " --request-timeout either --max", 1)
		}
		assert.Equal(t, exit.NotAsExpected, got.code)
		assert.True(t, strings.HasSuffix(got.stdout, "\n\n"+command+"\n"), got.stdout)
		assert.Contains(t, got.stdout, "two leaders can work at once for 10s")
		assert.Empty(t, got.stderr)
	}
	again := simulate("", strings.Fields(command)[1:]...)
	assert.Equal(t, exit.NotAsExpected, again.code)
	row := simulate("", append(slowAnswers, "--lock", "sql-ttl", "--precision", "1us", "--drain", "6s", "-o", "json")...)
	again = simulate("", append(strings.Fields(row.stderr)[1:], "-o", "json")...)
	assert.Equal(t, row, again)
	assert.Equal(t, command+"\n", simulate("", append(slowAnswers, "-o", "json")...).stderr)

	long := append([]string{}, slowAnswers...)
	long = append(long, "--release-on-cancel", "--request-timeout", "4s", "--max-drift-ppm", "200", "--drain", "1s", "-o", "junit")
	assert.Contains(t, simulate("", long...).stderr,
		"--release-on-cancel --request-timeout 4s --max-round-trip 5s --max-drift-ppm 200 --drain 1s\n")
}

// TestGateAgainClosed: where closings of the connection make an upper bound of a known program, the command says what its client is.
func TestGateAgainClosed(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("pod.yaml", []byte(`apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: kube-controller-manager, image: registry.k8s.io/kube-controller-manager:v1.33.0, command: [kube-controller-manager,
  --leader-elect-lease-duration=68s, --leader-elect-renew-deadline=30s, --leader-elect-retry-period=20s]}]}
`), 0o600))
	got := simulate("", "gate", "pod.yaml", "-o", "json")
	again := simulate("", append(strings.Fields(got.stderr)[1:], "-o", "json")...)
	for _, r := range []ran{got, again} {
		assert.Equal(t, exit.NotAsExpected, r.code)
		assert.Contains(t, r.stdout, `"worstOverlapNs":12000000000`)
	}
}

func TestGateWitnessFile(t *testing.T) {
	gateFolder(t)
	got := simulate("", "gate", "deploy.yaml", "safe.yaml", "--witness", "new/folder")
	assert.Equal(t, exit.NotAsExpected, got.code)
	command := "simulate run new/folder/gate-deploy-yaml-deployment-bar-foo-container-manager.yaml"
	assert.True(t, strings.HasSuffix(got.stdout, "\n\n"+command+"\n"), got.stdout)
	assert.Equal(t, exit.AsExpected, simulate("", strings.Fields(command)[1:]...).code)
	got = simulate("", "gate", "deploy.yaml", "--witness", "deploy.yaml")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "simulate: --witness deploy.yaml: ")
}

// TestGateExit: the worst of all, whatever the order, and everything else is judged all the same.
func TestGateExit(t *testing.T) {
	gateFolder(t)
	for _, c := range []struct {
		args    []string
		code    int
		verdict string
		targets int
	}{
		{[]string{"safe.yaml"}, exit.AsExpected, "safe", 1},
		{[]string{"service.yaml"}, exit.AsExpected, "nothing", 0},
		{[]string{"service.yaml", "--require"}, exit.BadInput, "unknown", 0},
		{[]string{"service.yaml", "safe.yaml", "--require"}, exit.BadInput, "unknown", 1},
		{[]string{"safe.yaml", "deploy.yaml"}, exit.NotAsExpected, "unsafe", 2},
		{[]string{"refused.yaml", "safe.yaml"}, exit.NotAsExpected, "refused", 2},
		{[]string{"refused.yaml", "deploy.yaml"}, exit.NotAsExpected, "unsafe", 2},
		{[]string{"half.yaml", "deploy.yaml", "safe.yaml"}, exit.BadInput, "unsafe", 2},
		{[]string{"safe.yaml", "missing.yaml"}, exit.BadInput, "unknown", 1},
		{[]string{"-", "safe.yaml"}, exit.NotAsExpected, "unsafe", 2},
		{[]string{"deploy.yaml", "--environment", "environment.yaml", "--request-timeout", "none"}, exit.AsExpected, "safe", 1},
		{[]string{"deploy.yaml", "--environment", "environment.yaml"}, exit.NotAsExpected, "unsafe", 1},
		{[]string{"deploy.yaml", "--environment", "environment.yaml", "--max-round-trip", "1s"}, exit.NotAsExpected, "unsafe", 1},
		{[]string{"deploy.yaml", "--profile", "strict"}, exit.AsExpected, "safe", 1},
	} {
		got := simulate(deployment, append([]string{"gate", "-o", "json"}, c.args...)...)
		assert.Equal(t, c.code, got.code, "%q: %s", c.args, got.stderr)
		a := answer(t, got)
		assert.Equal(t, c.verdict, a.Verdict, "%q", c.args)
		assert.Len(t, a.Targets, c.targets, "%q", c.args)
	}
}

func TestGateEnvironmentIsTold(t *testing.T) {
	gateFolder(t)
	got := simulate("", "gate", "safe.yaml", "--environment", "environment.yaml", "--drain", "2s")
	assert.Equal(t, exit.AsExpected, got.code)
	assert.Contains(t, got.stdout, `environment
  max-round-trip     500ms   environment.yaml:1
  max-drift-ppm      0       default: all clocks run true
  max-pause          100ms   environment.yaml:2
  drain              2s      --drain
  max-clock-offset   0s      default: wall clocks agree (sql-ttl, java, csharp)
`)
}

// TestGateBadInput: one line on standard error, nothing on standard output.
func TestGateBadInput(t *testing.T) {
	gateFolder(t)
	for _, c := range []struct{ args, want string }{
		{"", "nothing to judge: want files, or at least one of --lease-duration, --renew-deadline and --retry-period"},
		{"--max-round-trip 5s", "nothing to judge"},
		{"--lease-duration 15", `--lease-duration "15": unit missing in 15: want a duration such as 15s`},
		{"--lease-duration -15s", "want a duration above zero, got -15s"},
		{"--retry-period 0s", "want a duration above zero, got 0s"},
		{"--renew-deadline NaN", `want a duration such as 15s, 1500ms or 1m30s, got "NaN"`},
		{"--lease-duration 99999h", "want a year (8760h) at most, got 99999h"},
		{"--lease-duration 99999999h", "want a duration such as 15s"},
		{"--lease-duration 15s --lease-duration 20s", "contradictory: it was 15s before; want one value"},
		{"--lease-duration 15s deploy.yaml", `--lease-duration and "deploy.yaml": want timings from flags or from files, not both`},
		{"--lease-duration 15s --max-round-trip -1s", "want a duration of zero or more, got -1s"},
		{"--lease-duration 15s --max-drift-ppm 1000000", "parts per million from 0 to 900000"},
		{"--lease-duration 15s --max-drift-ppm x", "parts per million from 0 to 900000"},
		{"--lease-duration 15s --profile strct", "unknown profile; want client-go, client-go-next, client-go-v0.24, csharp, fabric8, java, python, rust, strict"},
		{"--lease-duration 15s --profile client-go-v0.17", "no bound is known for this profile"},
		{"--lease-duration 15s --require", "--require is about files"},
		{"--lease-duration 15s -o xml", `--output "xml": want text, json, junit, markdown or sarif`},
		{"deploy.yaml --environment bad.yaml", "simulate: bad.yaml:1: maxRoundTrip: unit missing in 500: want a duration such as 500s"},
		{"deploy.yaml --environment missing.yaml", "missing.yaml: cannot be read: no such file or directory"},
		{"deploy.yaml --environment=", "--environment: want FILE, got nothing"},
		{"deploy.yaml --witness=", "--witness: want DIR, got nothing"},
		{"- -", "standard input can be read only once"},
		{"- --environment -", "standard input can be read only once"},
		{"deploy.yaml --lease-durtion 15s", "unknown flag: --lease-durtion"},
	} {
		got := simulate("", append([]string{"gate"}, strings.Fields(c.args)...)...)
		assert.Equal(t, exit.BadInput, got.code, c.args)
		assert.Empty(t, got.stdout, c.args)
		assert.Contains(t, got.stderr, c.want, c.args)
		assert.Equal(t, 1, strings.Count(got.stderr, "\n"), got.stderr)
	}
}

func TestGateForms(t *testing.T) {
	gateFolder(t)
	assert.Contains(t, simulate("", "gate", "deploy.yaml", "-o", "junit").stdout, `<failure message="two leaders can work`)
	assert.Contains(t, simulate("", "gate", "deploy.yaml", "-o", "markdown").stdout, "### Leader election: unsafe, two")
	got := simulate("", "gate", "deploy.yaml", "-o", "sarif")
	assert.Equal(t, exit.NotAsExpected, got.code)
	assert.Contains(t, got.stdout, `"uri": "deploy.yaml"`)
	assert.Contains(t, got.stdout, `"version": "`+version.This().Version+`"`)
	assert.True(t, strings.HasPrefix(got.stderr, "simulate gate --lease-duration 15s"), got.stderr)
}

func TestGateToAClosedPipe(t *testing.T) {
	gateFolder(t)
	for _, form := range []string{"text", "json", "junit", "markdown", "sarif"} {
		for _, room := range []brokenPipe{0, 10} {
			var stderr strings.Builder
			code := execute([]string{"gate", "deploy.yaml", "-o", form}, strings.NewReader(""), &room, &stderr)
			assert.Equal(t, exit.HarnessFailed, code)
			assert.Equal(t, "simulate: standard output: broken pipe\n", stderr.String())
		}
	}
}

// TestNothingIsOverwritten: a witness and a plot replace what is there only when they are asked to.
func TestNothingIsOverwritten(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("gate-flags.yaml", []byte("mine"), 0o666))
	require.NoError(t, os.WriteFile("plot.svg", []byte("mine"), 0o666))
	for file, args := range map[string][]string{
		"gate-flags.yaml": {"gate", "--lease-duration", "15s", "--max-round-trip", "5s", "--witness", "."},
		"plot.svg":        {"tune", "--plot", "plot.svg"},
	} {
		ran := simulate("", args...)
		assert.Equal(t, exit.BadInput, ran.code)
		assert.Contains(t, ran.stderr, file+": exists already; --force replaces it\n")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, "mine", string(text))
		ran = simulate("", append(args, "--force")...)
		assert.NotEqual(t, exit.BadInput, ran.code, ran.stderr)
		text, err = os.ReadFile(file)
		require.NoError(t, err)
		assert.Greater(t, len(text), 100)
	}
}
