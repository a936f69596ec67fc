package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/scenarios"
)

func TestRunText(t *testing.T) {
	folder(t)
	got := simulate("", "run", "late-ack.yaml")
	assert.Equal(t, exit.AsExpected, got.code)
	assert.Empty(t, got.stderr)
	assert.Regexp(t, `(?m)^single-work +violated +overlap 3\.\d+s +as expected$`, got.stdout)
	assert.Contains(t, got.stdout, "\nSPLIT BRAIN: a and b work at once for 3.")
	assert.NotContains(t, got.stdout, "simulate run")
	_, picture, _ := strings.Cut(simulate("", "run", "late-ack.yaml", "--width", "60").stdout, "SPLIT BRAIN")
	for line := range strings.Lines(picture) {
		assert.LessOrEqual(t, len([]rune(line)), 61, line)
	}

	brief := simulate("", "run", "late-ack.yaml", "--brief")
	assert.Equal(t, exit.AsExpected, brief.code)
	assert.NotContains(t, brief.stdout, "SPLIT BRAIN")
	assert.NotContains(t, brief.stdout, "term")
	assert.Contains(t, brief.stdout, "single-work")
}

// TestNotAsExpected: the last line is the command that reproduces the run, seed included.
func TestNotAsExpected(t *testing.T) {
	folder(t)
	for _, c := range []struct{ args, want []string }{
		{[]string{"unexpected.yaml"}, []string{"simulate run unexpected.yaml --seed 1"}},
		{[]string{"unexpected.yaml", "--seed", "0"}, []string{"simulate run unexpected.yaml --seed 0"}},
		{[]string{"it's 1 file.yaml", "--seed", "18446744073709551615"},
			[]string{`simulate run 'it'\''s 1 file.yaml' --seed 18446744073709551615`}},
		{[]string{"calm", "unexpected.yaml", "late-ack.yaml", "./unexpected.yaml"},
			[]string{"simulate run unexpected.yaml --seed 1", "simulate run ./unexpected.yaml --seed 1"}},
	} {
		want := strings.Join(c.want, "\n") + "\n"
		got := simulate("", append([]string{"run"}, c.args...)...)
		assert.Equal(t, exit.NotAsExpected, got.code)
		assert.True(t, strings.HasSuffix(got.stdout, "\n\n"+want), got.stdout)
		assert.Empty(t, got.stderr)

		got = simulate("", append([]string{"run", "-o", "json"}, c.args...)...)
		assert.Equal(t, exit.NotAsExpected, got.code)
		assert.Equal(t, want, got.stderr)
	}
}

func TestRunSeveral(t *testing.T) {
	folder(t)
	got := simulate(calm, "run", "late-ack.yaml", "calm.json", "-", "healthy-failover")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Regexp(t, `(?m)^scenario +verdict +overlap$`, got.stdout)
	assert.Regexp(t, `(?m)^late-ack +single-belief, single-work, safety-window +3\.\d+s +as expected$`, got.stdout)
	assert.Regexp(t, `(?m)^healthy-failover +held +- +as expected$`, got.stdout)
	assert.Contains(t, got.stdout, "\n4 scenarios, all as expected\n")
	assert.Contains(t, got.stdout, "\nThe longest split brain that ended is that of late-ack, seed 1:\n\nSPLIT BRAIN: ")

	all := simulate("", "run", "--all", "-o", "json", "--brief")
	assert.Equal(t, exit.AsExpected, all.code, all.stdout+all.stderr)
	listed := simulate("", "list")
	assert.GreaterOrEqual(t, strings.Count(listed.stdout, "\n"), strings.Count(all.stdout, "\n"))
}

// TestRunJSON is the shape that the contract promises.
func TestRunJSON(t *testing.T) {
	folder(t)
	got := simulate("", "run", "late-ack.yaml", "calm", "-o", "json")
	assert.Equal(t, exit.AsExpected, got.code)
	lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
	require.Len(t, lines, 2)
	assert.True(t, strings.HasPrefix(lines[0], `{"scenario":"late-ack","seed":1,"traceHash":"`), lines[0])
	assert.True(t, strings.HasPrefix(lines[1], `{"scenario":"calm",`), lines[1])

	var result map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &result))
	assert.Equal(t, true, result["asExpected"])
	stats := result["stats"].(map[string]any)
	assert.Equal(t, 60e9, stats["virtualNs"])
	assert.Positive(t, stats["events"])
	assert.Positive(t, stats["storeOps"])
	term := result["terms"].([]any)[0].(map[string]any)
	assert.Equal(t, "a", term["candidate"])
	assert.Equal(t, 4e6, term["startedNs"])
	for _, key := range []string{"incarnation", "cancelledNs", "endedNs", "stoppedNs"} {
		assert.Contains(t, term, key)
	}
	write := result["writes"].([]any)[0].(map[string]any)
	assert.Equal(t, map[string]any{"atNs": 3e6, "candidate": "a", "verb": "create", "holder": "a", "version": 1.0,
		"transitions": 0.0}, write)
	for _, p := range result["properties"].([]any) {
		property := p.(map[string]any)
		if property["name"] == "single-work" {
			assert.Equal(t, "always", property["kind"])
			assert.Equal(t, "violated", property["verdict"])
			v := property["violations"].([]any)[0].(map[string]any)
			assert.Equal(t, []any{"a", "b"}, v["candidates"])
			assert.Equal(t, property["overlapNs"], v["toNs"].(float64)-v["fromNs"].(float64))
		}
	}

	brief := simulate("", "run", "late-ack.yaml", "-o", "json", "--brief")
	assert.NotContains(t, brief.stdout, `"terms"`)
	assert.NotContains(t, brief.stdout, `"writes"`)
}

// TestRunMatching: a pattern is all scenarios that ship and match. Where they lock several objects, writes say which.
func TestRunMatching(t *testing.T) {
	got := simulate("", "run", "migrate-*-to-leases", "h01*", "-o", "json")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	require.Len(t, lines, 3)
	assert.Contains(t, lines[0], `{"scenario":"migrate-configmaps-to-leases"`)
	assert.Contains(t, lines[0], `"transitions":0,"object":"configmap"}`)
	assert.Contains(t, lines[0], `"transitions":0,"object":"lease"}`)
	assert.Contains(t, lines[2], `{"scenario":"h01-late-ack"`)
	assert.NotContains(t, lines[2], "object")
}

// TestProfileThatDoesNotFit: a coordinated candidate cannot be strict. That is bad input of one that is named, and of
// several that match those are left out.
func TestProfileThatDoesNotFit(t *testing.T) {
	for _, args := range [][]string{
		{"coordinated-healthy", "--profile", "strict"}, {"coordinated-healthy", "--against", "strict"},
		{"coordinated-*", "--profile", "strict"},
	} {
		got := simulate("", append([]string{"run"}, args...)...)
		assert.Equal(t, exit.BadInput, got.code, got.stderr)
		assert.Contains(t, got.stderr, "cannot have "+args[1]+" strict: candidates[0].coordinated: is what client-go alone can do")
		assert.Empty(t, got.stdout)
	}
	got := simulate("", "run", "h01*", "*healthy*", "--profile", "strict", "--brief", "-o", "json")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Contains(t, got.stderr, "simulate: left out: coordinated-healthy cannot have --profile strict: ")
	assert.NotContains(t, got.stdout, "coordinated-healthy")
}

func TestSeed(t *testing.T) {
	folder(t)
	hash := func(args ...string) string {
		var r scenarios.Result
		got := simulate("", append([]string{"run", "calm", "-o", "json"}, args...)...)
		require.NoError(t, json.Unmarshal([]byte(got.stdout), &r))
		return r.TraceHash
	}
	assert.Equal(t, hash(), hash("--seed", "1"))
	seeded := simulate("", "run", "healthy-failover", "--seed", "0", "-o", "json")
	assert.Contains(t, seeded.stdout, `"seed":0,`)
}

// TestCommandToCopy: the command that repeats a run also does so for a file whose name looks like a flag. For standard input, which
// nobody can read a second time, it names a file.
func TestCommandToCopy(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("-x.yaml", []byte(lateAck), 0o666))
	got := simulate("", "run", "--", "-x.yaml")
	assert.Contains(t, got.stdout, "\nsimulate run ./-x.yaml --seed 1\n")
	assert.Equal(t, exit.NotAsExpected, simulate("", "run", "./-x.yaml", "--seed", "1").code)
	got = simulate(lateAck, "run", "-", "--profile", "client-go")
	assert.Contains(t, got.stdout, "\nsimulate run FILE --seed 1 --profile client-go # FILE: the scenario that came by standard input\n")
}

// TestTooLong: a run that would keep more than memory has is refused before it begins. With --brief it keeps nothing.
func TestTooLong(t *testing.T) {
	t.Chdir(t.TempDir())
	long := "name: x\nhorizon: 1200h\ncandidates: [{id: a}, {id: b}]\n"
	got := simulate(long, "run", "-")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Equal(t, "simulate: -: a run of 1200h0m0s has some 2160000 renewals, and no more than 2000000 are kept; want a shorter "+
		"horizon, or --brief, which keeps none\n", got.stderr)
	assert.Equal(t, exit.BadInput, simulate(long, "run", "-", "--brief", "--html", "x.html").code)
	assert.Equal(t, exit.BadInput, simulate(long, "run", "-", "--against", "strict", "--brief").code)
	assert.Equal(t, exit.BadInput, simulate(long, "report", "diff", "-", "calm").code)
	assert.Equal(t, exit.AsExpected, simulate(long, "run", "-", "--brief").code)
}
