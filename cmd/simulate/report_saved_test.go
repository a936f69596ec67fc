package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestReportSearch: what is saved is shown as the search itself showed it, page and all.
func TestReportSearch(t *testing.T) {
	t.Chdir(t.TempDir())
	searched := simulate("", append([]string{"search", "--runs", "320", "--resume", "r.jsonl", "--html", "a.html"},
		strings.Fields(searchDefault)...)...)
	require.Equal(t, exit.NotAsExpected, searched.code, searched.stderr)
	shown := simulate("", "report", "r.jsonl", "--html", "b.html")
	require.Equal(t, exit.AsExpected, shown.code, shown.stderr)
	assert.Equal(t, searched.stdout, shown.stdout)
	a, err := os.ReadFile("a.html")
	require.NoError(t, err)
	b, err := os.ReadFile("b.html")
	require.NoError(t, err)
	assert.True(t, string(a) == string(b))
	assert.Contains(t, string(a), "simulate search --lease-duration=15s --renew-deadline=10s --retry-period=2s --runs=320")

	again := simulate("", "report", "r.jsonl", "--html", "b.html")
	assert.Equal(t, exit.BadInput, again.code)
	assert.Contains(t, again.stderr, "--html b.html: exists already; --force replaces it")
	narrow, _, _ := strings.Cut(simulate("", "report", "r.jsonl", "--width", "60").stdout, "\n# seed")
	assert.NotEqual(t, narrow, strings.Split(searched.stdout, "\n# seed")[0], "something is wider")
	for line := range strings.Lines(narrow) {
		assert.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 60, line)
	}
	assert.Contains(t, simulate("", "report", "r.jsonl", "-o", "junit").stdout, `<testcase name="single-work"`)
	assert.Contains(t, simulate("", "report", "r.jsonl", "-o", "markdown").stdout, "### Search, client-go: violated")
}

// TestReportUnfinished: of results that a search has not ended, report does not say that anything held.
func TestReportUnfinished(t *testing.T) {
	t.Chdir(t.TempDir())
	searched := simulate("", "search", "--profile", "strict", "--runs", "320", "--resume", "r.jsonl")
	require.Equal(t, exit.AsExpected, searched.code, searched.stderr)
	assert.NotContains(t, searched.stdout, "interrupted")
	text, err := os.ReadFile("r.jsonl")
	require.NoError(t, err)
	short := text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1]
	require.NoError(t, os.WriteFile("short.jsonl", short, 0o600))
	assert.Equal(t, searched.stdout, simulate("", "report", "r.jsonl").stdout)
	shown := simulate("", "report", "short.jsonl")
	assert.Contains(t, shown.stdout, "interrupted: that is not the whole search")
	marked := simulate("", "report", "short.jsonl", "-o", "markdown").stdout
	assert.Contains(t, marked, "### Search, strict: unfinished")
	assert.Contains(t, simulate("", "report", "short.jsonl", "-o", "junit").stdout, `message="interrupted after 256 runs: that is not the whole search" type="unfinished"`)
	assert.NotContains(t, simulate("", "report", "r.jsonl", "-o", "junit").stdout, "unfinished")
	assert.Contains(t, simulate("", "report", "short.jsonl", "-o", "json").stdout, `"unfinished":true`)
	assert.Contains(t, simulate("", "report", "r.jsonl", "-o", "markdown").stdout, "### Search, strict: held")
}

func TestReportRuns(t *testing.T) {
	folder(t)
	saved := simulate("", "run", "calm", "late-ack.yaml", "unexpected.yaml", "-o", "json")
	require.Equal(t, exit.NotAsExpected, saved.code, saved.stderr)
	require.NoError(t, os.WriteFile("runs.jsonl", []byte(saved.stdout), 0o666))
	assert.Equal(t, saved.stdout, simulate("", "report", "runs.jsonl", "-o", "json").stdout)
	table := simulate(saved.stdout, "report", "-")
	assert.Equal(t, exit.AsExpected, table.code, table.stderr)
	assert.Contains(t, table.stdout, "3 scenarios, 1 NOT as expected")
	junit := simulate("", "report", "runs.jsonl", "-o", "junit")
	assert.Contains(t, junit.stdout, `<testsuites name="simulate run"`)
	assert.NotContains(t, junit.stdout, ` failures="0" errors="0" skipped="0">`+"\n  <testsuite")
}

func TestReportSavedBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	run := `{"scenario":"x","traceHash":"1","properties":[{"name":"p","kind":"always","verdict":"held"}]}` + "\n"
	search := `{"interregnumSearch":3,"profile":"strict","timings":{},"limits":{},"firstBlock":0,"shard":0}` + "\n"
	for name, text := range map[string]string{
		"empty": "", "noise": run + "noise\n", "other": run + "{}\n", "run": run, "search": search,
		"verdict": strings.Replace(run, "held", "maybe", 1), "block": search + "{\"block\":3}\n",
		"counts": search + `{"block":0,"witnesses":{"late-answer":65}}` + "\n",
		"length": strings.Replace(run, `"traceHash"`, `"stats":{"virtualNs":-1},"traceHash"`, 1),
		"term":   strings.Replace(run, `"traceHash"`, `"terms":[{"startedNs":5,"endedNs":4}],"traceHash"`, 1),
		"times":  strings.Replace(run, `"held"`, `"violated","violations":[{"fromNs":5,"toNs":4}]`, 1),
		"limit":  strings.Replace(search, `"limits":{}`, `"limits":{"MaxDriftPPM":-1}`, 1),
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	for args, want := range map[string]string{
		"empty":                "empty:1: want results of simulate run -o json or of simulate search --resume, got nothing",
		"noise":                "noise:2: want a result of simulate run -o json: ",
		"other":                "other:2: want a result of simulate run -o json, with scenario, traceHash and properties",
		"verdict":              `verdict:1: property "p": want verdict held, violated or inconclusive, got "maybe"`,
		"block":                "block:2: want block 0, got block 3",
		"counts":               "counts:2: witnesses.late-answer: want 0 to 64, which is how many runs a block has, got 65",
		"length":               "length:1: stats.virtualNs: want 0 or more, got -1",
		"term":                 "term:1: terms[0].endedNs: want 5 or more, when it started, got 4",
		"times":                "times:1: properties[0].violations[0]: want fromNs of 0 or more and toNs of no less, got 5 and 4",
		"limit":                "limit:1: --max-drift-ppm -1: want 0 to ",
		"missing":              "simulate: missing: no such file or directory",
		".":                    "simulate: .: is a directory; want a file of results",
		"run search":           "want results of runs, or of searches, got both",
		"run --html x":         "run: want results of a search for --html, got those of runs",
		"search run --html x":  "--html shows one search: want exactly one file of results",
		"search --html search": "--html search would overwrite the results",
		"run -o sarif":         `--output "sarif": want text, json, junit or markdown`,
	} {
		got := simulate("", append([]string{"report"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.BadInput, got.code, args)
		assert.Contains(t, got.stderr, want, args)
		assert.Empty(t, got.stdout, args)
	}
	left, err := filepath.Glob("x*")
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestSearchHTMLUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("old", []byte("old"), 0o666))
	for args, want := range map[string]string{
		"--html old":          "--html old: exists already; --force replaces it",
		"--html=":             "--html: want FILE, got nothing",
		"--html x --resume x": "--html and --resume name the same file",
	} {
		got := simulate("", append([]string{"search", "--runs", "64"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.BadInput, got.code, args)
		assert.Contains(t, got.stderr, want)
	}
	assertHolds(t, "old", "old")
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	got := simulate("", "search", "--runs", "64", "--html", "/dev/full")
	assert.Equal(t, exit.HarnessFailed, got.code)
	assert.Contains(t, got.stderr, "simulate: writing the page: write /dev/full: no space left on device\n")
}

// TestReportExpected: report calls not as expected what run does, and nothing else. Where a result does not say what was expected,
// report does not either.
func TestReportExpected(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("one.yaml", []byte(lateAck+strings.Replace(expectations, "single-work: violated", "single-work: held", 1)), 0o666))
	ran := simulate("", "run", "one.yaml", "-o", "junit")
	require.Equal(t, 1, strings.Count(ran.stdout, "<failure"))
	saved := simulate("", "run", "one.yaml", "-o", "json").stdout
	shown := simulate(saved, "report", "-")
	assert.Equal(t, 1, strings.Count(shown.stdout, "NOT AS EXPECTED: want held"))
	assert.Equal(t, 1, strings.Count(simulate(saved, "report", "-", "-o", "junit").stdout, "<failure"))

	from := strings.Index(saved, `,"expect":`)
	require.Positive(t, from)
	old := saved[:from] + saved[from+strings.Index(saved[from:], "}"):][1:]
	shown = simulate(old, "report", "-")
	require.Equal(t, exit.AsExpected, shown.code, shown.stderr)
	assert.Equal(t, 1, strings.Count(shown.stdout, "NOT AS EXPECTED"))
	assert.Regexp(t, `(?m)^as-expected +violated +NOT AS EXPECTED`, shown.stdout)
	assert.NotContains(t, shown.stdout, "any verdict")
	assert.Equal(t, 1, strings.Count(simulate(old, "report", "-", "-o", "junit").stdout, "<failure"))
	assert.Contains(t, simulate(strings.Replace(saved, `"single-work":"held"`, `"single-work":"x"`, 1), "report", "-").stderr, `expected, got "x"`)
}
