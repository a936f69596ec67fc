package main

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestJudge: five percent more pass, and anything above does not.
func TestJudge(t *testing.T) {
	before := counts{{"BenchmarkA", 1000}, {"BenchmarkB", 2000}}
	for name, c := range map[string]struct {
		now  counts
		want string
	}{
		"the same": {counts{{"BenchmarkA", 1000}, {"BenchmarkB", 2000}}, ""},
		"better":   {counts{{"BenchmarkA", 10}}, ""},
		"a little": {counts{{"BenchmarkB", 2100}}, ""},
		"worse":    {counts{{"BenchmarkA", 1000}, {"BenchmarkB", 2101}}, "BenchmarkB: more than 5% more"},
		"unknown":  {counts{{"BenchmarkC", 1}}, "BenchmarkC is not in the baseline"},
	} {
		t.Run(name, func(t *testing.T) {
			err := judge(io.Discard, before, c.now, 5)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestJudgeShows: with inf all counts are shown, however much they have grown.
func TestJudgeShows(t *testing.T) {
	var out strings.Builder
	require.NoError(t, judge(&out, counts{{"BenchmarkA", 1000}}, counts{{"BenchmarkA", 1e12}}, math.Inf(1)))
	assert.Contains(t, out.String(), "BenchmarkA: 1000000000000 instructions")
}

// TestReadsWhatItWrites: a baseline reads back, and a broken line is named.
func TestReadsWhatItWrites(t *testing.T) {
	want := counts{{"BenchmarkA/x", 12}, {"BenchmarkB", 3}}
	got, err := read(want.String())
	require.NoError(t, err)
	assert.Equal(t, want, got)
	for _, line := range []string{"BenchmarkA 1 2", "BenchmarkA 1 x instructions", "BenchmarkA 1 0 instructions", "BenchmarkA 1 2 ns/op"} {
		_, err := read("goos: linux\n" + line + "\n")
		assert.ErrorContains(t, err, "2: want ", line)
	}
}

// TestReferences: what valgrind and a benchmark print, as 3.19 and Go 1.26 do.
func TestReferences(t *testing.T) {
	const out = "==12== Command: parity.test\n==12== \ngoos: linux\nBenchmarkSimulation \t       1\t3760010116 ns/op\nPASS\n" +
		"==12== \n==12== I   refs:      1,591,123,652\n"
	n, err := references(out, "BenchmarkSimulation")
	require.NoError(t, err)
	assert.EqualValues(t, 1_591_123_652, n)
	_, err = references(out, "BenchmarkSimulat")
	require.ErrorContains(t, err, "want a result of that benchmark")
	_, err = references(strings.ReplaceAll(out, "refs", ""), "BenchmarkSimulation")
	require.ErrorContains(t, err, `want a line with "I refs"`)
	assert.Equal(t, "^BenchmarkSwarm$/^strict$", pattern("BenchmarkSwarm/strict"))
}
