package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/few"
)

// often is the value of INTERREGNUM_TEST_MAIN with which simulate soon says how far it is.
const often = "often"

// TestMain is simulate itself where a test starts this binary as one. In the tests' own process there are no lines of progress, however
// slow the machine is.
func TestMain(m *testing.M) {
	if as := os.Getenv("INTERREGNUM_TEST_MAIN"); as != "" {
		if as == often {
			terminal.TellEvery = 100 * time.Millisecond
		}
		main()
		return
	}
	terminal.TellEvery = 24 * time.Hour
	os.Exit(m.Run())
}

const searchDefault = "--lease-duration=15s --renew-deadline=10s --retry-period=2s"

func TestSearchFinds(t *testing.T) {
	args := append([]string{"search"}, strings.Fields(searchDefault+" --property single-work --runs 640")...)
	first := simulate("", args...)
	assert.Equal(t, exit.NotAsExpected, first.code, first.stderr)
	assert.Equal(t, first.stdout, simulate("", append(args, "--jobs", "1")...).stdout)

	lines := strings.Split(strings.TrimSpace(first.stdout), "\n")
	again, ok := strings.CutSuffix(lines[len(lines)-1], " | simulate run -")
	require.True(t, ok, lines[len(lines)-1])
	shown := simulate("", strings.Fields(again)[1:]...)
	require.Zero(t, shown.code, shown.stderr)
	ran := simulate(shown.stdout, "run", "-", "-o", "json")
	assert.Equal(t, exit.NotAsExpected, ran.code)
	assert.Contains(t, ran.stdout, `"name":"single-work","kind":"always","verdict":"violated"`)
}

func TestSearchHolds(t *testing.T) {
	ran := simulate("", "search", "--profile", "strict", "--runs", "640", "-o", "json")
	assert.Zero(t, ran.code, ran.stderr)
	var out struct {
		Verdict string
		Runs    int
		Failing int
	}
	require.NoError(t, json.Unmarshal([]byte(ran.stdout), &out))
	assert.Equal(t, "held", out.Verdict)
	assert.Equal(t, 640, out.Runs)
	assert.Zero(t, out.Failing)
	assert.Contains(t, ran.stderr, "simulate: 640 runs, ")
}

func TestSearchBadInput(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.jsonl")
	require.NoError(t, os.WriteFile(other, []byte("{\"interregnumSearch\":0}\n"), 0o666))
	corrupt := filepath.Join(dir, "corrupt.jsonl")
	require.Zero(t, simulate("", "search", "--runs", "64", "--profile", "strict", "--resume", corrupt).code)
	f, err := os.OpenFile(corrupt, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("{\"block\":7,\"marginNs\":1}\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	old := filepath.Join(dir, "old.jsonl")
	require.NoError(t, os.WriteFile(old, []byte("{\"interregnumSearch\":2}\n"), 0o666))
	torn := filepath.Join(dir, "torn.jsonl")
	require.Zero(t, simulate("", "search", "--runs", "192", "--profile", "strict", "--resume", torn).code)
	lines, err := os.ReadFile(torn)
	require.NoError(t, err)
	cut := strings.SplitAfter(string(lines), "\n")
	require.NoError(t, os.WriteFile(torn, []byte(cut[0]+cut[1]+cut[2][:50]+"\n"+cut[3]), 0o666))
	for args, want := range map[string]string{
		"--shard 5/3":                           `--shard "5/3": want I/N with I from 0 to N-1, such as 0/4`,
		"--shard 1":                             `--shard "1": want I/N`,
		"--shard 3/3":                           `--shard "3/3": want I/N with I from 0 to N-1`,
		"--shard x":                             `--shard "x": want I/N with I from 0 to N-1`,
		"--shard -1/2":                          `--shard "-1/2": want I/N`,
		"--shard 0/0":                           `--shard "0/0": want I/N`,
		"--for 1ns":                             "--for 1ns: not even the first 64 runs have ended in that time; want more, such as 10s",
		"--for -1s":                             "--for -1s: want a time above zero",
		"--resume /dev/full":                    "/dev/full: want a regular file",
		"--runs 0":                              "--runs 0: want at least one",
		"--runs 18446744073709551615":           "want at most 1152921504606846976",
		"--jobs 5000":                           "--jobs 5000: want 1 to 4096",
		"--show 3 --html x":                     "--show prints one scenario: want it without --html, --resume and --keep",
		"--html x --resume ./x":                 "--html and --resume name the same file",
		"--drain 100000h":                       "a drain of at most 1000h",
		"--for 0s":                              "--for 0s: want a time above zero",
		"--profile x":                           `--profile "x": want client-go, `,
		"--property x":                          `--property "x": want one of single-record, `,
		"--lease-duration 15s":                  "want --lease-duration, --renew-deadline and --retry-period, each above zero, or none",
		"--max-drift-ppm -1":                    "--max-drift-ppm -1: want 0 to ",
		"--max-pause -1s":                       "must not be negative",
		"-o yaml":                               `--output "yaml": want text or json`,
		"--lock x":                              `want lease, configmap, `,
		"--now database":                        "--now is of --lock sql-ttl; that is lease",
		"--max-clock-offset 1s --lock kv-ttl":   "--max-clock-offset is of lock sql-ttl and of profile fabric8, python, java, csharp or rust: nothing else goes by wall clocks",
		"--max-clock-offset 0s":                 "that is lease and client-go",
		"--max-clock-offset -1s --profile rust": "--max-clock-offset -1s: want 0s or more",
		"--profile fabric8 --lock configmap":    "--lock configmap: want lease, the only one that is simulated with profile fabric8",
		"--profile python --lock kv-ttl":        "--lock kv-ttl: want lease, the only one that is simulated with profile python",
		"--max-clock-offset -1s --lock sql-ttl": "--max-clock-offset -1s: want 0s or more",
		"--elections 0":                         "--elections 0: want 1 to 8",
		"--elections 9":                         "--elections 9: want 1 to 8",
		"--precision 1s --lock endpointsleases": "--precision is of --lock sql-ttl; that is endpointsleases",
		"--lock sql-ttl --lease-duration 15000001us --renew-deadline 10s --retry-period 2s": "fractions of a millisecond",
		"x": `unexpected "x": a search takes flags only`,
		"--lease-duration 9s --renew-deadline 10s --retry-period 2s": "leaseDuration must be greater than renewDeadline",
		"--resume " + other:                              "other.jsonl:1: want the results of this campaign, which begin with ",
		"--profile java --runs 64 --resume " + corrupt:   `; this file has profile "strict"; give the flags`,
		"--resume " + old:                                "old.jsonl:1: want search results of version 3, got version 2, of another version of simulate",
		"--resume " + corrupt:                            "corrupt.jsonl:1: want the results of this campaign, which begin with ",
		"--profile strict --runs 192 --resume " + torn:   "torn.jsonl:3: want a block as JSON: ",
		"--resume " + dir:                                ": want a regular file",
		"--profile strict --runs 64 --resume " + corrupt: "corrupt.jsonl:3: want no more blocks, got block 7",
	} {
		ran := simulate("", append([]string{"search"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.BadInput, ran.code, args)
		assert.Contains(t, ran.stderr, want, args)
		assert.Empty(t, ran.stdout, args)
	}
}

// TestSearchDropsHalfALine: with a note, and the block runs again.
func TestSearchDropsHalfALine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	args := []string{"search", "--profile", "strict", "--runs", "192", "--resume", file}
	whole := simulate("", args...)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text[:len(text)-9], 0o666))
	again := simulate("", args...)
	assert.Equal(t, whole.stdout, again.stdout)
	assert.Contains(t, again.stderr, "the last line was not complete, and its block runs again\n")
}

// TestSearchSurvivesKill kills a search 25 times, or some, at any instant. What it has in the end is what it would have had.
func TestSearchSurvivesKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	dir := t.TempDir()
	killed, whole := filepath.Join(dir, "killed.jsonl"), filepath.Join(dir, "whole.jsonl")
	args := func(file string) []string {
		return append([]string{"search", "--runs", few.Else("12000", "30000"), "--resume", file}, strings.Fields(searchDefault)...)
	}
	r := rand.New(rand.NewPCG(1, 1))
	kills := few.Of(25)
	for range kills {
		c := exec.Command(os.Args[0], args(killed)...)
		c.Env = append(os.Environ(), "INTERREGNUM_TEST_MAIN=1")
		goal := sizeOf(killed) + int64(r.IntN(1000))
		require.NoError(t, c.Start())
		for sizeOf(killed) <= goal {
			runtime.Gosched()
		}
		require.NoError(t, c.Process.Kill())
		_ = c.Wait() // it was killed
	}
	interrupted, err := os.ReadFile(killed)
	require.NoError(t, err)
	ended, began := simulate("", args(killed)...), simulate("", args(whole)...)
	assert.Equal(t, began.stdout, ended.stdout)
	assert.Equal(t, began.code, ended.code)
	a, err := os.ReadFile(killed)
	require.NoError(t, err)
	b, err := os.ReadFile(whole)
	require.NoError(t, err)
	assert.Equal(t, string(b), string(a))
	t.Logf("%d of %d lines were written by processes that were killed", strings.Count(string(interrupted), "\n"),
		strings.Count(string(b), "\n"))
	assert.Greater(t, strings.Count(string(interrupted), "\n"), kills)
}

func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}
