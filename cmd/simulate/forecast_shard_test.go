package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// sharded is a forecast that is quick, and whose windows differ.
const sharded = "forecast --lease-duration 15s --p99 800ms --outage 20s/7d --compare 30/20/4"

// TestForecastShards: shards merge to the bytes of the forecast without shards, whatever the form; what was killed goes on.
func TestForecastShards(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := strings.Fields(sharded + " --precision 20% -o json")
	want := simulate("", whole...)
	require.Zero(t, want.code, want.stderr)
	for i := range 2 {
		part := append(strings.Fields(sharded+" --precision 20%"), "--shard", fmt.Sprintf("%d/2", i), "--resume", fmt.Sprintf("shard-%d.jsonl", i), "--parallel", fmt.Sprint(i+1))
		got := simulate("", part...)
		require.Zero(t, got.code, got.stderr)
		assert.Contains(t, got.stderr, fmt.Sprintf("this is shard %d/2, which has a part of the windows", i))
	}
	for _, files := range []string{"shard-1.jsonl,shard-0.jsonl", "."} {
		got := simulate("", append(whole, "--merge", files)...)
		assert.Equal(t, want.stdout, got.stdout)
		assert.Zero(t, got.code)
	}
	text, err := os.ReadFile("shard-0.jsonl")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("shard-0.jsonl", text[:2000], 0o600))
	got := simulate("", append(whole, "--merge", ".")...)
	assert.Equal(t, want.stdout, got.stdout)
	assert.Contains(t, got.stderr, "shard-0.jsonl: the last line was not complete, and is left out\n")
	assert.Regexp(t, `simulate: \d+ windows of \d+ were in no shard, and were simulated now\n`, got.stderr)

	kept := append(whole, "--resume", "whole.jsonl")
	for i := range 2 {
		got = simulate("", kept...)
		assert.Equal(t, want.stdout, got.stdout)
		assert.Equal(t, i, strings.Count(got.stderr, "simulate: whole.jsonl: the last line was not complete, and its windows run again\n"))
		require.NoError(t, os.Truncate("whole.jsonl", 3000))
	}
}

// TestForecastShardsBadInput: one line says what is wrong with flags and files about parts of a forecast.
func TestForecastShardsBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	other := "--lease-duration 15s --p99 700ms --precision 50% --shard 0/2 --resume other.jsonl"
	require.Zero(t, simulate("", append([]string{"forecast"}, strings.Fields(other)...)...).code)
	require.NoError(t, os.WriteFile("search.jsonl", []byte("{\"interregnumSearch\":3}\n"), 0o600))
	require.NoError(t, os.WriteFile("cut.jsonl", []byte(`{"interregnumFore`), 0o600))
	require.NoError(t, os.Mkdir("empty", 0o700))
	for args, want := range map[string]string{
		"--shard 0/2":                        "--shard: want --resume FILE, for the windows that --merge reads; see",
		"--shard 2/2 --resume x":             `--shard "2/2": want I/N with I from 0 to N-1, such as 0/4`,
		"--resume=":                          "--resume: want FILE, got nothing",
		"--merge=":                           "--merge: want the files of all shards",
		"--merge a --resume b":               "--merge is in place of --shard and --resume: want it alone",
		"--merge a --for 1s":                 "--for: shards that end by a time do not have the windows of the whole: want --max-windows",
		"--resume a --html a":                "--html and --resume name the same file",
		"--resume a.svg --plot a.svg":        "--plot and --resume name the same file",
		"--merge nope.jsonl":                 "--merge nope.jsonl: no such file or directory",
		"--merge empty":                      "--merge empty: no file in it is called *.jsonl",
		"--merge search.jsonl":               "--merge search.jsonl:1: want the header of a forecast's windows as JSON",
		"--merge cut.jsonl":                  "--merge cut.jsonl:1: want the first line of a forecast's windows, which is not complete",
		"--merge other.jsonl":                "--merge other.jsonl:1: the file is of another forecast: the behaviour, --replicas or --restart is another one",
		"--resume other.jsonl":               "--resume other.jsonl:1: the file is of another forecast: --shard is none, and was 0/2; the behaviour,",
		"--resume search.jsonl":              "--resume search.jsonl:1: want the header of a forecast's windows as JSON",
		"--shard 0/2 --resume empty":         "--resume empty: want a regular file",
		"--shard 0/4294967295 --resume none": "--shard 0/4294967295: want fewer shards",
	} {
		got := simulate("", append(strings.Fields("forecast --lease-duration 15s --p99 800ms"), strings.Fields(args)...)...)
		assert.Equal(t, exit.BadInput, got.code, args)
		assert.Empty(t, got.stdout, args)
		assert.Contains(t, got.stderr, want, args)
		assert.Equal(t, 1, strings.Count(got.stderr, "\n"), "%s: %s", args, got.stderr)
	}
	got := simulate("", append([]string{"forecast"}, strings.Fields(strings.ReplaceAll(other, "--shard 0/2 --resume", "--merge"))...)...)
	assert.Equal(t, "simulate: --merge missing: shard 1/2\n", got.stderr)
}

// TestForecastInterrupted: a forecast that was stopped names the command that goes on.
func TestForecastInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	grown := func() bool { return sizeOf("w.jsonl") > 100_000 }
	got := interrupt(t, grown, os.Interrupt, strings.Fields(sharded+" --precision 0.01% --max-windows 100000000 --resume w.jsonl --plot losses.svg")...)
	assert.Equal(t, exit.HarnessFailed, got.code, got.stderr)
	assert.Contains(t, got.stderr, "; to go on:\n")
	for _, flag := range []string{"simulate forecast ", " --resume=w.jsonl", " --force", " --max-windows=100000000"} {
		assert.Contains(t, lastLine(got.stderr), flag)
	}
}
