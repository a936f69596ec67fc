package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// lateAck is a split brain.
const lateAck = `name: late-ack
about: The lease is counted from a late answer.
horizon: 60s
defaults: {jitter: 0.5}
candidates: [{id: a}, {id: b, startAt: 100ms}]
faults:
  - {kind: delay, at: 20s, until: 22s, on: [a], response: 9.9s}
  - {kind: partition, at: 22s, on: [a]}
`

const expectations = "expect: {single-work: violated, single-belief: violated, safety-window: violated}\n"

const calm = `{"name": "calm", "horizon": "10s", "candidates": [{"id": "a"}]}`

// folder is a directory with scenario files, in which the test runs.
func folder(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"late-ack.yaml":    lateAck + expectations,
		"unexpected.yaml":  lateAck,
		"it's 1 file.yaml": lateAck,
		"calm.json":        calm,
		"calm":             calm,
		"bad.yaml":         "name: bad\nhorizon: 10s\ncandidates: [{id: a}]\nfautls: []\n",
		"empty.yaml":       "",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "healthy-failover"), 0o777))
	t.Chdir(dir)
	return dir
}

type ran struct {
	code           int
	stdout, stderr string
}

func simulate(stdin string, args ...string) ran {
	var stdout, stderr bytes.Buffer
	code := execute(args, strings.NewReader(stdin), &stdout, &stderr)
	return ran{code, stdout.String(), stderr.String()}
}

// TestBadInput: one line on standard error, nothing on standard output.
func TestBadInput(t *testing.T) {
	folder(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "simulate: no command given; see 'simulate --help'"},
		{[]string{"rnu"}, `unknown command "rnu"; did you mean run?; see 'simulate --help'`},
		{[]string{"run"}, "no scenario given: want files, names or --all; see 'simulate run --help'"},
		{[]string{"run", "--all", "calm"}, `--all runs every scenario that ships: want no "calm" beside it`},
		{[]string{"run", "--frobnicate"}, "unknown flag: --frobnicate; see 'simulate run --help'"},
		{[]string{"run", "calm", "--seed", "x"}, `--seed "x": want a whole number, 0 to 18446744073709551615; see 'simulate run --help'`},
		{[]string{"run", "calm", "--seed", "-1"}, `--seed "-1": want a whole number, 0 to `},
		{[]string{"run", "calm", "--width", "1e2"}, `--width "1e2": want a whole number`},
		{[]string{"search", "--for", "10"}, `--for "10": want a duration such as 15s`},
		{[]string{"tune", "--max-qps", "few"}, `--max-qps "few": want a number`},
		{[]string{"run", "--all=maybe"}, `--all "maybe": want true or false`},
		{[]string{"help", "rnu"}, `unknown command "rnu"; did you mean run?; see 'simulate --help'`},
		{[]string{"help", "report", "mrege"}, `unknown command "mrege"; did you mean merge?; see`},
		{[]string{"run", "calm", "-o", "xml"}, `--output "xml": want text, json, junit or markdown`},
		{[]string{"run", "calm", "--width", "39"}, "--width 39: want 40 to 1000"},
		{[]string{"run", "calm", "late-ack.yaml", "--trace", "t"}, "want exactly one scenario"},
		{[]string{"run", "--all", "--trace", "t"}, "want exactly one scenario"},
		{[]string{"run", "calm", "--trace", ""}, "--trace: want FILE, got nothing"},
		{[]string{"run", "calm", "--trace", "calm"}, "would overwrite the scenario"},
		{[]string{"run", "calm", "--trace", "healthy-failover"}, "is a directory"},
		{[]string{"run", "calm", "--trace", "no/such"}, "simulate: --trace no/such: no such file or directory"},
		{[]string{"run", "bad.yaml"}, "simulate: bad.yaml:4: "},
		{[]string{"run", "late-ack.yaml", "bad.yaml"}, "simulate: bad.yaml:4: "},
		{[]string{"run", "empty.yaml"}, "simulate: empty.yaml:"},
		{[]string{"run", "missing.yaml"}, "simulate: missing.yaml: no such file or directory"},
		{[]string{"run", "./missing"}, "simulate: ./missing: no such file or directory"},
		{[]string{"run", "healthy-failver"}, "did you mean healthy-failover"},
		{[]string{"run", "-"}, "simulate: <stdin>:1: "},
		{[]string{"run", "x*"}, `simulate: no scenario that ships matches "x*"`},
		{[]string{"run", "h0[", "calm"}, `simulate: "h0[" is not a pattern`},
		{[]string{"run", "h0*", "--trace", "t"}, "scenarios match: want exactly one"},
		{[]string{"list", "release", "frobnicate"}, `no scenario is left by "frobnicate": want a word of a name or a text, or a pattern of names`},
		{[]string{"list", "-o", "xml"}, "want text or json"},
	} {
		got := simulate("nonsense", c.args...)
		assert.Equal(t, exit.BadInput, got.code, "%q", c.args)
		assert.Empty(t, got.stdout, "%q", c.args)
		assert.Contains(t, got.stderr, c.want, "%q", c.args)
		assert.True(t, strings.HasPrefix(got.stderr, "simulate: "), got.stderr)
		assert.Equal(t, 1, strings.Count(got.stderr, "\n"), got.stderr)
	}
	left, err := filepath.Glob("*.tmp")
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestEveryBadFileIsTold(t *testing.T) {
	folder(t)
	got := simulate("", "run", "bad.yaml", "late-ack.yaml", "missing.yaml", "nobody")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Equal(t, 3, strings.Count(got.stderr, "\n"), got.stderr)
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"run", "--help"}, {"list", "-h"}, {"help", "run"}} {
		got := simulate("", args...)
		assert.Equal(t, exit.AsExpected, got.code)
		assert.Contains(t, got.stdout, "Examples:")
		assert.Empty(t, got.stderr)
	}
	for _, args := range [][]string{{"help", "report", "merge"}, {"report", "merge", "--help"}} {
		assert.Contains(t, simulate("", args...).stdout, "simulate report merge [flags]")
	}
	got := simulate("", "--version")
	assert.Equal(t, exit.AsExpected, got.code)
	assert.True(t, strings.HasPrefix(got.stdout, "simulate "), got.stdout)
}

func TestList(t *testing.T) {
	got := simulate("", "list")
	assert.Equal(t, exit.AsExpected, got.code)
	assert.Regexp(t, `(?m)^  healthy-failover  +\S`, got.stdout)
	assert.Regexp(t, `(?m)^hazards\n  h01-late-ack `, got.stdout)
	some := simulate("", "list", "Release", "h0*")
	assert.Contains(t, some.stdout, "\n  h03-release-before-stop ")
	assert.NotContains(t, some.stdout, "h01")
	assert.NotContains(t, some.stdout, "kv-release-before-stop")
	got = simulate("", "list", "-o", "json")
	assert.Regexp(t, `(?m)^\{"name":"healthy-failover","about":".+","group":"one leader, and what becomes of it"\}$`, got.stdout)
}

// brokenPipe takes so many bytes.
type brokenPipe int

func (p *brokenPipe) Write(b []byte) (int, error) {
	if *p -= brokenPipe(len(b)); *p < 0 {
		return 0, errors.New("broken pipe")
	}
	return len(b), nil
}

func TestStandardOutputFails(t *testing.T) {
	folder(t)
	for _, args := range [][]string{{"run", "calm"}, {"run", "calm", "-o", "json"},
		{"run", "calm", "late-ack.yaml"}, {"run", "unexpected.yaml"}, {"list"}, {"list", "-o", "json"},
		{"--help"}, {"--version"}} {
		for _, room := range []brokenPipe{0, 10} {
			var stderr bytes.Buffer
			assert.Equal(t, exit.HarnessFailed, execute(args, strings.NewReader(""), &room, &stderr), "%q", args)
			assert.Equal(t, "simulate: standard output: broken pipe\n", stderr.String(), "%q", args)
		}
	}
}
