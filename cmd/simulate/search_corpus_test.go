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

const regressDir = "../../testdata/regress"

func filesOf(t *testing.T, dir string) map[string]string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = string(text)
	}
	return files
}

// TestKeep: each sort of failure is kept once, as a file that expects what it shows and begins with the command that makes
// the run again. Nothing that is there is ever changed.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	mine := "# mine\nname: client-go-liveness\nhorizon: 1m\ndefaults: {profile: strict}\ncandidates: [{id: a}]\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "client-go-liveness.yaml"), []byte(mine), 0o666))
	args := append([]string{"search", "--corpus", dir, "--keep", dir, "--runs=640"}, strings.Fields(searchDefault)...)
	first := simulate("", args...)
	require.Equal(t, exit.NotAsExpected, first.code, first.stderr)
	kept := filesOf(t, dir)
	assert.Equal(t, mine, kept["client-go-liveness.yaml"])
	assert.Contains(t, kept, "client-go-liveness-2.yaml")
	assert.Contains(t, kept, "client-go-safety-window-single-belief-single-work.yaml")
	assert.Contains(t, first.stderr, "simulate: kept "+filepath.Join(dir, "client-go-liveness-2.yaml")+", which violates liveness\n")
	ran := simulate("", "run", "--brief", "-o", "json", filepath.Join(dir, "client-go-liveness-2.yaml"))
	assert.Zero(t, ran.code, ran.stderr)
	for name, text := range kept {
		if text == mine {
			continue
		}
		assert.Contains(t, text, "\nname: "+strings.TrimSuffix(name, ".yaml")+"\n")
		again, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), " | simulate run -\n")
		shown := simulate("", strings.Fields(again)[1:]...)
		require.Zero(t, shown.code, shown.stderr)
		assert.Equal(t, exit.NotAsExpected, simulate(shown.stdout, "run", "-").code, again)
	}
	simulate("", args...)
	after := filesOf(t, dir)
	for name, text := range kept {
		assert.Equal(t, text, after[name])
	}
	third := simulate("", append(args, "--first-seed=64000")...)
	assert.NotContains(t, third.stderr, "-3.yaml", "a set that is known is not kept again")
}

// TestMergeKeeps: shards that start from a corpus keep together what the search keeps alone.
func TestMergeKeeps(t *testing.T) {
	dir, alone, together := t.TempDir(), t.TempDir(), t.TempDir()
	args := append([]string{"--corpus", regressDir, "--runs=1000"}, strings.Fields(searchDefault)...)
	want := simulate("", append([]string{"search", "--keep", alone}, args...)...)
	files := shards(t, dir, 3, args...)
	got := simulate("", append([]string{"report", "merge", "--keep", together}, files...)...)
	assert.Equal(t, want.stdout, got.stdout)
	assert.Equal(t, want.code, got.code)
	assert.NotEmpty(t, filesOf(t, alone))
	assert.Equal(t, filesOf(t, alone), filesOf(t, together))
}

// TestCorpusTells says what became of scenarios that do not fit.
func TestCorpusTells(t *testing.T) {
	ran := simulate("", "search", "--profile=strict", "--runs=64", "--corpus", regressDir)
	assert.Contains(t, ran.stderr, "work-outlives-release.yaml: profile client-go becomes strict, drain cut to 0s\n")
	assert.Zero(t, ran.code, ran.stdout)
	assert.Contains(t, ran.stdout, "128 runs, ")
}

func TestCorpusBadInput(t *testing.T) {
	dir := t.TempDir()
	folder := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.Mkdir(name, 0o777))
		if text != "" {
			require.NoError(t, os.WriteFile(filepath.Join(name, "a.yaml"), []byte(text), 0o666))
		}
		return name
	}
	const tiny = "name: x\nhorizon: 1ms\ncandidates: [{id: a}]\n"
	empty, broken, other, short := folder("empty", ""), folder("broken", "name: ["), folder("other", "a: b"), folder("short", tiny)
	results := filepath.Join(dir, "results")
	require.Zero(t, simulate("", "search", "--profile=strict", "--runs=64", "--corpus", regressDir, "--resume", results).code)
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"--corpus " + dir + "/none", "none: no such folder; want one with scenario files", exit.BadInput},
		{"--corpus " + empty, "empty: no scenario in it (*.yaml, *.yml, *.json); --keep " + empty + " begins one", exit.BadInput},
		{"--corpus " + broken, "a.yaml:1: not YAML", exit.BadInput},
		{"--corpus " + other, "a.yaml:1: a: unknown field", exit.BadInput},
		{"--corpus " + short, "short: none of its scenarios fits", exit.BadInput},
		{"--corpus=", "--corpus: want DIR, got nothing", exit.BadInput},
		{"--corpus " + regressDir + " --first-seed 9223372036854775808", "with --corpus want less than 9223372036854775808", exit.BadInput},
		{"--keep " + dir + "/none", "none: want a folder that is there", exit.BadInput},
		{"--keep " + results, "results: want a folder that is there", exit.BadInput},
		{"--keep " + broken, "a.yaml:1: not YAML", exit.BadInput},
		{"--keep /proc", "--keep /proc: cannot write into it, so nothing has run: ", exit.HarnessFailed},
		{"--keep " + empty + " --shard 0/2", "simulate report merge --keep " + empty, exit.BadInput},
		{"--keep " + empty + " --corpus " + empty + " --for 1s --resume " + dir + "/new", "want --runs instead of --for", exit.BadInput},
		{"--profile strict --runs 64 --resume " + results, "want the results of this campaign", exit.BadInput},
		{"--profile strict --runs 64 --corpus " + short + " --resume " + results, "none of its scenarios fits", exit.BadInput},
	} {
		ran := simulate("", append([]string{"search"}, strings.Fields(c.args)...)...)
		assert.Equal(t, c.code, ran.code, c.args)
		assert.Contains(t, ran.stderr, c.want, c.args)
		assert.Empty(t, ran.stdout, c.args)
	}
	assert.NoFileExists(t, filepath.Join(dir, "new"))
	assert.Empty(t, filesOf(t, empty))
}
